"""Damaged files of every kind: an answer, or one sentence, and never a traceback."""

import json
import shutil

import pytest

from kibitz.errors import KibitzError
from properties.damage import check, make_all

OPPONENTS = ("counts", "learned", "player types", "bots")
KINDS = ("strategy", "strategy with its tree", "run", "cards", "cases", "bet sizes under way", "bet sizes", *OPPONENTS)
TIMES = {"cases": 60, "bet sizes under way": 25, "run": 60} | dict.fromkeys(OPPONENTS, 60)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    found = make_all(tmp_path_factory.mktemp("whole"))
    assert tuple(found) == KINDS
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_told_in_one_sentence(made, kind):
    source, load = made[kind]
    load(source) if source.is_file() else None
    wrong = check(source, load, TIMES.get(kind, 120), seed=5)
    assert not wrong, "\n".join(wrong[:3])


@pytest.mark.parametrize("kind", ["strategy", "cards", *OPPONENTS])
def test_how_a_thing_was_made_is_under_the_checksum(made, kind, tmp_path):
    source, load = made[kind]
    copy = tmp_path / source.name
    (shutil.copytree if source.is_dir() else shutil.copyfile)(source, copy)
    path = next(copy.glob("*.json")) if copy.is_dir() else copy
    document = json.loads(path.read_text())
    document["origin" if kind == "bots" else "made"]["hands"] = 8
    path.write_text(json.dumps(document))
    with pytest.raises(KibitzError, match="is damaged, or was edited: its crc32 is not that of the rest"):
        load(copy)
    del document["crc32"]  # as it was written before there was one
    path.write_text(json.dumps(document))
    load(copy)
