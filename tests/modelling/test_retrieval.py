"""Retrieval against comparing with every case, re-use policies, explanations."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from kibitz.errors import KibitzError
from kibitz.modelling.cases import CaseBase, CaseIndex, Description, Features, Similarity, find_policy
from kibitz.modelling.cases.base import SCHEMA, merge
from kibitz.modelling.cases.explain import explain
from kibitz.modelling.cases.features import TEXTURES
from kibitz.modelling.cases.retrieval import Solution
from kibitz.modelling.cases.reuse import best_outcome, draw, majority, probabilistic

DESCRIPTION = Description(strength="made-hand")
SEQUENCES = ["", "p", "d", "pc-", "dc-", "ic-", "qc-", "pc-h", "pc-d", "dc-i", "hc-p", "cc-", "cc-q", "cc-t", "a"]


def random_base(rows: int, seed: int, sequences: list[str] = SEQUENCES) -> CaseBase:
    rng = np.random.default_rng(seed)
    sequence = rng.choice(sequences, rows)
    before = np.array([not text.count("-") for text in sequence])
    columns = {
        "sequence": sequence,
        "strength": rng.integers(1, 51, rows),
        "commitment": rng.integers(1, 5, rows),
        "texture": np.where(before, 0, rng.integers(len(TEXTURES), size=rows)),
        "action": rng.integers(10, size=rows),
        "count": rng.integers(1, 5, rows),
        "outcome": rng.integers(-5000, 5000, rows),
    }
    return CaseBase(merge([pl.DataFrame(columns).cast(SCHEMA)]), DESCRIPTION)


def random_target(rng: np.random.Generator) -> Features:
    sequence = str(rng.choice([*SEQUENCES, "tc-v", "vc-q", "ac-"]))
    texture = str(rng.choice(list(TEXTURES))) if "-" in sequence else "A"
    return Features(int(rng.integers(1, 51)), sequence, int(rng.integers(1, 5)), texture)


def plain_retrieval(index: CaseIndex, target: Features) -> tuple[list[int], float]:
    """Every case of the shape, compared by the formulas."""
    similarity, letters = index.similarity, DESCRIPTION.letters
    scores = {}
    for number in range(len(index)):
        case = index.case(number)
        if letters.shape(case.features.sequence) == letters.shape(target.sequence):
            local = similarity.local(target, case.features, 50, letters)
            scores[number] = similarity.overall(local, target.round)
    best = max(scores.values(), default=0.0)
    return [number for number, score in scores.items() if score > best - 1e-9], best


@pytest.mark.parametrize(
    "similarity",
    [Similarity(), Similarity(decay=0.2, slope=5), Similarity(weights=(0, 1, 1, 1)), Similarity(weights=(1, 3, 0, 2))],
)
def test_retrieval_is_exact(similarity):
    index = CaseIndex(random_base(300, 1), similarity)
    rng = np.random.default_rng(2)
    several = 0
    for _ in range(60):
        target = random_target(rng)
        found = index.retrieve(target)
        cases, best = plain_retrieval(index, target)
        assert found.cases.tolist() == cases
        assert found.similarity == pytest.approx(best)
        several += len(cases) > 1
        ranked, scores = index.rank(target, 1000)
        assert ranked[: len(cases)].tolist() == cases
        assert (np.diff(scores) <= 1e-9).all()
    assert several  # equal best cases do occur


def test_betting_can_be_left_out():
    index = CaseIndex(random_base(2000, 3), Similarity(weights=(1, 0, 1, 1)))
    target = Features(20, "tc-v", 1, "B")  # facing a bet on the flop
    found = index.retrieve(target)
    assert {index.case(number).features.sequence for number in found.cases} <= {"pc-h", "pc-d", "dc-i", "hc-p", "cc-q",
                                                                              "cc-t"}  # fmt: skip
    assert len(found.cases)


def test_nothing_is_similar_to_betting_of_another_shape():
    index = CaseIndex(random_base(50, 4))
    found = index.retrieve(Features(1, "pppppp", 1, "A"))
    assert (len(found.cases), found.similarity) == (0, 0.0)
    assert len(index.rank(Features(1, "pppppp", 1, "A"), 5)[0]) == 0


def base_of(*rows: tuple) -> CaseBase:
    return CaseBase(merge([pl.DataFrame(list(rows), schema=SCHEMA, orient="row")]), DESCRIPTION)


def test_an_equal_case_comes_first_and_equals_are_merged():
    base = base_of(
        ("pc-", 10, 1, 1, 1, 3, 3000),
        ("pc-", 10, 1, 1, 3, 1, -1000),
        ("pc-", 8, 1, 1, 0, 5, -500),
        ("pc-", 12, 1, 1, 1, 7, 7000),
    )
    index = CaseIndex(base)
    assert len(index) == 3
    exact = index.retrieve(Features(10, "pc-", 1, "B"))
    assert exact.similarity == 1.0
    actions, outcomes = index.solution(exact.cases)
    assert actions.tolist() == [0, 3, 0, 1, 0, 0, 0, 0, 0, 0]
    assert outcomes[[1, 3]].tolist() == [1.0, -1.0]
    assert outcomes[0] == -np.inf
    index = CaseIndex(base_of(("pc-", 8, 1, 1, 0, 5, -500), ("pc-", 12, 1, 1, 1, 7, 7000)))
    between = index.retrieve(Features(10, "pc-", 1, "B"))
    assert len(between.cases) == 2
    assert index.solution(between.cases).actions.tolist()[:2] == [5, 7]


def solution(actions: list[int], outcomes: list[float]) -> Solution:
    return Solution(np.array(actions), np.array(outcomes))


def test_policies():
    told = solution([2, 6, 0, 2], [-1.0, 0.5, -np.inf, 3.0])
    assert majority(told).tolist() == [0, 1, 0, 0]
    assert best_outcome(told).tolist() == [0, 0, 0, 1]
    draws = [draw(probabilistic(told), uniform) for uniform in (0.0, 0.19, 0.2, 0.79, 0.8, 0.9999)]
    assert draws == [0, 0, 1, 1, 3, 3]
    assert majority(solution([3, 3], [0.0, 0.0])).tolist() == [1, 0]
    with pytest.raises(KibitzError, match="there are probabilistic, majority, best-outcome"):
        find_policy("mean")


def test_explanations():
    index = CaseIndex(random_base(500, 5))
    target = Features(25, "pc-i", 2, "C")
    told = explain(index, target, count=4)
    found = index.retrieve(target)
    assert told.retrieved == len(found.cases)
    assert told.similarity == found.similarity
    assert told.hands == index.solution(found.cases).actions.sum()
    assert told.neighbours[0].retrieved
    for each in told.neighbours:
        assert each.similarity == pytest.approx(index.similarity.overall(each.local, 1))
    document = told.to_dict()
    assert sum(document["actions"].values()) == pytest.approx(1)
    assert document["cases"][0]["hands"] == sum(document["cases"][0]["counts"].values())
    assert set(document["cases"][0]["by_feature"]) == {"strength", "betting", "commitment", "texture"}


def test_explanations_of_what_is_not_similar():
    told = explain(CaseIndex(random_base(50, 6)), Features(1, "pppppp", 1, "A"))
    assert told.to_dict()["fallback"]
    assert told.hands == 0
    floor = explain(CaseIndex(base_of(("", 1, 1, 0, 1, 1, 0))), Features(50, "", 4, "A"), floor=0.9)
    assert floor.solution is None
    assert len(floor.neighbours) == 1
    assert not floor.neighbours[0].retrieved


def test_without_betting_tables_of_three_compare_by_what_there_is_to_pay():
    rows = base_of(("", 1, 1, 0, 1, 1, 0), ("fc", 1, 1, 0, 0, 1, 0), ("ff", 1, 1, 0, 1, 1, 0)).rows
    index = CaseIndex(CaseBase(rows, DESCRIPTION, {"players": [3]}), Similarity(weights=(1, 0, 1, 1)))
    for sequence, wanted in (("cc", {"fc"}), ("c", {"", "ff"}), ("h", {"", "ff"}), ("f", {"", "ff"})):
        target = Features(1, sequence, 1, "A")
        found = {index.case(number).features.sequence for number in index.retrieve(target).cases}
        assert found == wanted
        assert index.advise(target).solution.actions.sum() == len(wanted)
