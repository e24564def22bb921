"""Decisions on disk: kept to the bit, cut lines dropped, anything else refused."""

from __future__ import annotations

import pytest

from kibitz.errors import KibitzError
from kibitz.learning import Model, Structure, TableRules
from kibitz.learning.rollouts import RolloutLedger, RolloutSettings, describe_run, measure_rollout_errors

SETTINGS = RolloutSettings(decisions=60, samples=10, seats=2, seed=3)


@pytest.fixture(scope="module")
def model():
    return Model.random(Structure(), 1, 0.4)


@pytest.fixture(scope="module")
def told(model):
    return describe_run(model, TableRules(), SETTINGS)


@pytest.fixture(scope="module")
def content(model, told, tmp_path_factory):
    """A whole ledger: a header and three lines of decisions."""
    path = tmp_path_factory.mktemp("ledgers") / "decisions.jsonl"
    measure_rollout_errors(model, settings=SETTINGS, ledger=RolloutLedger(path, told))
    return path.read_text()


@pytest.mark.parametrize("lines", [1, 2, 4])
@pytest.mark.parametrize("cut", ["", '{"first": 25, "deci'])
def test_what_is_there_is_not_measured_again(model, told, content, tmp_path, lines, cut):
    path = tmp_path / "decisions.jsonl"
    path.write_text("".join(f"{line}\n" for line in content.splitlines()[:lines]) + cut)
    ledger = RolloutLedger(path, told, resume=True)
    assert len(ledger.rows) == (0, 25, 50, 60)[lines - 1]
    counts = []
    report = measure_rollout_errors(model, settings=SETTINGS, progress=counts.append, ledger=ledger)
    assert path.read_text() == content
    assert (report.errors == measure_rollout_errors(model, settings=SETTINGS).errors).all()
    assert counts == [0, 25, 50, 60][lines - 1 :]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda lines: ["nonsense", *lines[1:]], "the first line does not describe"),
        (lambda lines: [lines[0].replace('"seed": 3', '"seed": 4'), *lines[1:]], "seed = 4, here it is 3"),
        (lambda lines: [lines[0], lines[2]], "decisions.jsonl:2: not the decisions that belong there"),
        (lambda lines: [*lines[:2], "5"], "decisions.jsonl:3: not"),
        (lambda lines: [lines[0], lines[1].replace("0.", "1.", 1)], "decisions.jsonl:2: not"),
    ],
)
def test_damage_is_refused(told, content, tmp_path, damage, words):
    path = tmp_path / "decisions.jsonl"
    before = "\n".join(damage(content.splitlines())) + "\n"
    path.write_text(before)
    with pytest.raises(KibitzError, match=words):
        RolloutLedger(path, told, resume=True)
    assert path.read_text() == before


def test_ledgers_of_other_weights_are_refused(model, content, tmp_path):
    path = tmp_path / "decisions.jsonl"
    path.write_text(content)
    other = describe_run(Model.random(Structure(), 2, 0.4), TableRules(), SETTINGS)
    with pytest.raises(KibitzError, match="was measured with model = "):
        RolloutLedger(path, other, resume=True)
    with pytest.raises(KibitzError, match="exists: continue it"):
        RolloutLedger(path, other)
    with pytest.raises(KibitzError, match="nothing to continue"):
        RolloutLedger(tmp_path / "none.jsonl", other, resume=True)
