"""The parts of table 6: equilibria selected by linear programs, and bets measured in the player's own pot."""

import numpy as np
import pytest

from kibitz.experiments.ganzfried2013.leduc import SELECTIONS, Leduc, OwnPotReading
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import exploitability
from kibitz.solvers.problem import Problem
from kibitz.strategy.sequences import realisation
from kibitz.translation import Reading, TreePlace


@pytest.fixture(scope="module")
def small() -> Leduc:
    return Leduc(leduc_nolimit(5))


def test_selected_strategies_are_equilibria_and_differ(small):
    compiled = small.abstract.vector
    for strategy in small.strategies.values():
        assert exploitability(compiled, strategy).exploitability == pytest.approx(0, abs=1e-8)
    assert len({strategy.values.round(6).tobytes() for strategy in small.strategies.values()}) > 3


def test_each_selection_is_the_least_of_its_own_measure(small):
    entries = small.entries()
    plans = {name: realisation(strategy, small.abstract.deal) for name, strategy in small.strategies.items()}
    for name, weigh in SELECTIONS.items():
        measured = {other: float(weigh(entries) @ plan) for other, plan in plans.items()}
        assert measured[name] <= min(measured.values()) + 1e-6


def test_entries_say_what_the_actions_are(small):
    entries, tree = small.entries(), small.abstract.tree
    assert set(entries.letter) == {"f", "c", "p", "a"}
    assert entries.chance[: int(small.abstract.vector.layout.states[0])].sum() == pytest.approx(1)
    assert (entries.letter == "a").sum() == sum(
        int(small.abstract.vector.layout.states[tree.parent[node]])
        for node, action in enumerate(tree.actions)
        if action == "r5"
    )


def test_raises_are_measured_in_the_abstract_pot():
    tree = Problem(leduc_nolimit(12), "fcpa").tree
    place = TreePlace(tree, tree.find("c"))  # pot 2, nothing to call: sizes 1 and 5.5 pots
    readings = [make("rand-arith").raises(place, 3, 6, 4, False) for make in (OwnPotReading, Reading)]
    # One chip is half of the abstract pot of 2, and a sixth of the real pot of 6.
    assert readings[0] == [(0, 0.5), (1, 0.5)]
    assert np.array(readings[1])[:, 1] == pytest.approx([5 / 6, 1 / 6])
