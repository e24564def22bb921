"""Artefacts that are one file, of JSON or Parquet: made by the same driver, known by the same manifest."""

import json
import os

import polars as pl
import pytest

from kibitz.errors import KibitzError
from kibitz.files.tables import read_table
from kibitz.plans import (
    MANIFEST,
    Artefact,
    as_json,
    carry_out,
    files_of,
    fingerprint_of,
    in_metadata,
    kind_of,
    open_artefact,
    save_artefact,
)
from plans.walking import TrailPlan

KINDS = pytest.mark.parametrize("table", [False, True], ids=["json", "parquet"])


@KINDS
def test_a_run_may_leave_one_file(table, tmp_path):
    plan, out = TrailPlan("here", table=table), tmp_path / "new" / "trail"
    *_, last = carry_out(plan, out)
    assert kind_of(out) == "trail"
    found = open_artefact(out, "trail")
    assert found.about == last.artefact.about
    assert found.made["plan"] == {"kind": "walk trail", **plan.describe()}
    assert found.made["height"] == found.about["end"][0]
    assert files_of(out) == [out]
    assert sorted(os.listdir(out.parent)) == ["trail", "trail.checkpoint"]
    if table:
        assert read_table(out)["end"].to_list() == found.about["end"]


@KINDS
def test_one_that_is_left_resumes_to_the_same_file(table, tmp_path):
    plan = TrailPlan("here", steps=200, table=table)
    list(carry_out(plan, tmp_path / "straight"))
    reports = carry_out(plan, tmp_path / "parts")
    next(reports)
    reports.close()
    assert not (tmp_path / "parts").exists()
    with pytest.raises(KibitzError, match="holds a run: continue it, or choose another file"):
        next(carry_out(plan, tmp_path / "parts"))
    list(carry_out(plan, tmp_path / "parts", resume=True))
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "straight").read_bytes()
    assert fingerprint_of(tmp_path / "parts") == fingerprint_of(tmp_path / "straight")


def test_files_are_refused(tmp_path):
    (tmp_path / "mine").write_text("x")
    with pytest.raises(KibitzError, match="mine exists, which a run would replace: choose another file"):
        next(carry_out(TrailPlan("here"), tmp_path / "mine"))
    with pytest.raises(KibitzError, match="is not a file: choose another"):
        next(carry_out(TrailPlan("here"), tmp_path))
    with pytest.raises(KibitzError, match="holds no run to continue: start one, or name another file"):
        next(carry_out(TrailPlan("here"), tmp_path / "none", resume=True))


def test_a_run_that_cannot_be_continued_leaves_no_checkpoint(tmp_path, monkeypatch):
    monkeypatch.setattr(TrailPlan, "resumes", False)
    list(carry_out(TrailPlan("here"), tmp_path / "trail"))
    assert os.listdir(tmp_path) == ["trail"]


def test_only_its_own_kind_is_replaced(tmp_path):
    trail = Artefact("trail", {"end": [1.0]}, alone=as_json)
    save_artefact(trail, tmp_path / "trail")
    save_artefact(trail, tmp_path / "trail")
    with pytest.raises(KibitzError, match="holds a trail: it is not replaced"):
        save_artefact(Artefact("talk", alone=as_json), tmp_path / "trail")
    (tmp_path / "text").write_text("mine")
    with pytest.raises(KibitzError, match="does not hold a trail: it is not replaced"):
        save_artefact(trail, tmp_path / "text")


def test_what_is_no_artefact_or_damaged_is_told_in_one_sentence(tmp_path):
    save_artefact(Artefact("trail", {"end": [1.0]}, alone=as_json), tmp_path / "trail")
    document = json.loads((tmp_path / "trail").read_text())
    (tmp_path / "edited").write_text(json.dumps({**document, "about": {"end": [2.0]}}))
    with pytest.raises(KibitzError, match="edited: it is damaged, or was edited"):
        open_artefact(tmp_path / "edited")
    with pytest.raises(KibitzError, match="is a trail: a talk is needed"):
        open_artefact(tmp_path / "trail", "talk")
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "other")
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "words", metadata={"kibitz": "{"})
    (tmp_path / "cut").write_bytes((tmp_path / "other").read_bytes()[:-9])
    (tmp_path / "text").write_text("hello")
    (tmp_path / MANIFEST).write_text((tmp_path / "trail").read_text())
    for name, message in (
        ("other", "by something else"), ("text", "by something else"), (MANIFEST, "by something else"),
        ("words", "cannot be read"), ("cut", "cannot be read"),
    ):  # fmt: skip
        assert kind_of(tmp_path / name) == ""
        with pytest.raises(KibitzError, match=message):
            open_artefact(tmp_path / name)
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "whole", metadata=in_metadata(document))
    assert kind_of(tmp_path / "whole") == "trail"
