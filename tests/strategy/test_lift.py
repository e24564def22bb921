"""Strategies of coarse trees in finer ones."""

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy, StrategyError, lift

GAME = leduc_nolimit(stack=8)
COARSE, FINE = Problem(GAME, "fcpa"), Problem(GAME, "full")


def solved(problem, iterations=300):
    solver = CFR(problem.vector, "cfr+")
    solver.step(iterations)
    return solver.average_strategy()


def read_nearest(coarse, node, fine, reached):
    """A bet is taken for the coarse action that puts in most nearly as much."""
    first = int(coarse.first_child[node])
    children = range(first, first + int(coarse.children[node]))
    action = fine.actions[reached]
    if action[0] != "r":
        return [(coarse.child(node, action), 1.0)]
    actor = int(coarse.player[node])
    amount = int(action[1:])
    raises = [child for child in children if coarse.actions[child] != "f"]
    return [(min(raises, key=lambda child: abs(int(coarse.spent[child, actor]) - amount)), 1.0)]


def write_legal(coarse, chosen, fine, node):
    """The coarse amount, or the nearest that is legal where the pots have drifted apart."""
    action = coarse.actions[chosen]
    first = int(fine.first_child[node])
    children = range(first, first + int(fine.children[node]))
    exact = [child for child in children if fine.actions[child] == action]
    if exact:
        return exact[0]
    raises = [child for child in children if fine.actions[child][0] == "r"]
    if action[0] != "r" or not raises:
        return next(child for child in children if fine.actions[child] == "c")
    return min(raises, key=lambda child: abs(int(fine.actions[child][1:]) - int(action[1:])))


def test_into_its_own_tree_nothing_changes():
    strategy = solved(COARSE)
    lifted = lift(strategy, COARSE.deal, COARSE.vector.layout)
    weights = np.abs(lifted.values - strategy.values)
    # Behaviour where the player never comes himself is not defined, so compare what the strategies do.
    assert expected_values(COARSE.vector, lifted) == pytest.approx(expected_values(COARSE.vector, strategy), abs=1e-12)
    assert exploitability(COARSE.vector, lifted).exploitability == pytest.approx(
        exploitability(COARSE.vector, strategy).exploitability, abs=1e-6
    )
    assert np.median(weights) < 1e-12


def test_two_who_keep_to_the_coarse_tree_play_the_coarse_game():
    strategy = solved(COARSE)
    lifted = lift(strategy, COARSE.deal, FINE.vector.layout, read_nearest, write_legal)
    ours, coarse = expected_values(FINE.vector, lifted), expected_values(COARSE.vector, strategy)
    assert ours == pytest.approx(coarse, abs=1e-9)


def test_in_the_finer_game_it_can_be_exploited_more():
    strategy = solved(COARSE)
    lifted = lift(strategy, COARSE.deal, FINE.vector.layout, read_nearest, write_legal)
    inside, outside = exploitability(COARSE.vector, strategy), exploitability(FINE.vector, lifted)
    assert outside.exploitability > inside.exploitability + 0.05
    for seat in range(2):  # every coarse response is still there
        assert outside.responses[seat] >= inside.responses[seat] - 1e-9


def test_a_mapping_that_throws_dice_is_a_mixture_of_those_that_do_not():
    strategy = solved(COARSE)

    def read_all_in(coarse, node, fine, reached):
        action = fine.actions[reached]
        first = int(coarse.first_child[node])
        last = first + int(coarse.children[node]) - 1
        return [(last, 1.0)] if action[0] == "r" else [(coarse.child(node, action), 1.0)]

    def read_either(coarse, node, fine, reached):
        return [
            (child, share / 2)
            for read in (read_nearest, read_all_in)
            for child, share in read(coarse, node, fine, reached)
        ]

    layout = FINE.vector.layout
    # One bet of the opponent in all: then choosing a mapping once a hand and once a bet is the same thing.
    opponent = lift(solved(COARSE, 3), COARSE.deal, layout, read_nearest, write_legal)
    either = lift(strategy, COARSE.deal, layout, read_either, write_legal)
    for node in FINE.tree.decisions:
        np.testing.assert_allclose(either.at(node).sum(axis=0), 1)
    own = np.repeat((FINE.tree.player == 1) & (FINE.tree.kind == 0), np.diff(layout.offset))
    value = expected_values(FINE.vector, Strategy(layout, np.where(own, either.values, opponent.values)))
    assert np.isfinite(value).all()


def test_what_cannot_be_read_is_refused():
    with pytest.raises(KibitzError, match="the tree has"):
        lift(solved(COARSE, 5), COARSE.deal, FINE.vector.layout)
    kept = Problem(GAME, "full", suits_merged=False)
    with pytest.raises(StrategyError, match="private states"):
        lift(solved(COARSE, 5), COARSE.deal, kept.vector.layout)
