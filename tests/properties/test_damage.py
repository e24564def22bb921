"""Damaged files of every kind: an answer, or one sentence, and never a traceback."""

import pytest

from properties.damage import check, make_all

KINDS = ("strategy", "strategy with its tree", "run", "cards", "cases", "bet sizes", "bet sizes of a run")
TIMES = {"cases": 60, "bet sizes": 25, "run": 60}


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
