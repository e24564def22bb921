"""Frequentist models as values: visits, frequencies, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.games import load_game
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, StrategyError

LAYOUT = Problem(load_game("leduc")).vector.layout


@given(st.integers(0, 100), st.floats(0, 1))
@settings(max_examples=30)
def test_frequencies_follow_from_counts(seed, share):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 20, LAYOUT.size) * (rng.random(LAYOUT.size) < share) * 1.0
    model = FrequentistModel(LAYOUT, counts, {"hands": 3})
    strategy = model.strategy
    assert strategy.manifest["hands"] == 3
    assert np.allclose(strategy.values * model.visits, counts)
    assert all(np.allclose(sums, 1) for sums in LAYOUT.sums(strategy.values))
    assert sum(sums.sum() for sums in LAYOUT.sums(counts)) == counts.sum()
    for node in LAYOUT.tree.decisions.tolist():
        unseen = model.at(node).sum(axis=0) == 0
        first = int(LAYOUT.tree.first_child[node])
        call = LAYOUT.tree.actions[first : first + int(LAYOUT.tree.children[node])].index("c")
        assert (strategy.at(node)[call, unseen] == 1).all()


def test_refused():
    with pytest.raises(StrategyError, match=r"\(3,\) counts: the tree and its cards need"):
        FrequentistModel(LAYOUT, np.zeros(3))
    for wrong in (-1.0, np.nan):
        with pytest.raises(StrategyError, match="negative or not numbers"):
            FrequentistModel(LAYOUT, np.full(LAYOUT.size, wrong))
