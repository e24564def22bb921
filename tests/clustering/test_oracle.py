"""Best choices in trees of decisions: against every plan there is."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustering import naive
from kibitz.clustering import DecisionTree, TreeOracle
from kibitz.errors import KibitzError


@st.composite
def trees(draw):
    """Small trees of decisions."""
    counts = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    start = np.cumsum([1, *counts])
    parent = [draw(st.integers(0, int(first) - 1)) for first in start[:-1]]
    return DecisionTree(start.astype(np.int64), np.array(parent, dtype=np.int64))


@given(trees(), st.integers(0, 2**32 - 1))
def test_the_best_plan_is_the_best_of_all_plans(tree, seed):
    sums = np.random.default_rng(seed).integers(-5, 6, size=(4, tree.size)).astype(float)
    worth = sums @ np.array(list(naive.plans_of(tree))).T
    assert tree.best_values(sums) == pytest.approx(worth.max(axis=1))
    found = tree.best_plans(sums)
    assert (sums * found).sum(axis=1) == pytest.approx(worth.max(axis=1))
    assert {tuple(plan) for plan in found} <= {tuple(plan) for plan in naive.plans_of(tree)}


@given(trees(), st.integers(0, 2**32 - 1))
def test_plans_of_behaviour_add_up_at_every_decision(tree, seed):
    raw = np.random.default_rng(seed).random((3, tree.size)) + 0.1
    for first, last in zip(tree.start[:-1], tree.start[1:], strict=True):
        raw[:, first:last] /= raw[:, first:last].sum(axis=1, keepdims=True)
    plans = tree.realise(raw)
    for first, last, parent in zip(tree.start[:-1], tree.start[1:], tree.parent, strict=True):
        assert plans[:, first:last].sum(axis=1) == pytest.approx(plans[:, parent])


def test_separable_utilities_are_chosen_attribute_by_attribute():
    rng = np.random.default_rng(3)
    parts = [rng.normal(size=(6, n)) for n in (2, 3, 4)]
    oracle = TreeOracle.separable(parts)
    whole = TreeOracle.of_matrix(
        (parts[0][:, :, None, None] + parts[1][:, None, :, None] + parts[2][:, None, None, :]).reshape(6, -1)
    )
    assert oracle.values(oracle.statistics) == pytest.approx(whole.values(whole.statistics))
    everyone = oracle.statistics.sum(axis=0, keepdims=True)
    (response,) = oracle.respond(everyone)
    chosen = [int(np.argmax(part.sum(axis=0))) for part in parts]
    assert np.flatnonzero(response).tolist() == [0, 1 + chosen[0], 3 + chosen[1], 6 + chosen[2]]
    assert oracle.utilities(response[None]).sum() == pytest.approx(oracle.values(everyone)[0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: TreeOracle.of_matrix(np.zeros((0, 3))), "with the same entities"),
        (lambda: TreeOracle.separable([np.zeros((2, 3)), np.zeros((3, 3))]), "with the same entities"),
        (lambda: TreeOracle.of_matrix([[1.0, np.nan]]), "not finite"),
        (lambda: DecisionTree(np.array([1, 1]), np.array([0])), "each needs a choice"),
        (lambda: DecisionTree(np.array([1, 3]), np.array([2])), "led to by a choice of an earlier one"),
        (lambda: TreeOracle.of_matrix([[1.0, 2.0]]).values(np.zeros((1, 2))), "need \\[n, 3\\]"),
    ],
)
def test_what_is_no_oracle_is_refused(make, words):
    with pytest.raises(KibitzError, match=words):
        make()
