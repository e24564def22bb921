"""Exact measures for any number of players, against the two-player kernels and against hand-made cases."""

from dataclasses import replace

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import expected_values, exploitability, measure
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

SHORT = replace(load_game("leduc"), stacks=(20, 8), name="short")  # player 1 may lower the bet by a raise


@pytest.mark.parametrize(
    "game", [load_game("kuhn"), load_game("leduc"), leduc_nolimit(stack=4), SHORT], ids=lambda g: g.name
)
@pytest.mark.parametrize("suits_merged", [True, False])
def test_two_players_as_the_kernels_say(game, suits_merged):
    problem = Problem(game, "full", suits_merged)
    values = np.random.default_rng(0).random(problem.vector.layout.size)
    strategy = Strategy.from_sums(problem.vector.layout, values)
    assert problem.enumeration.values(strategy) == pytest.approx(expected_values(problem.vector, strategy), abs=1e-12)
    best = exploitability(problem.vector, strategy).responses
    assert problem.enumeration.best_values(strategy) == pytest.approx(best, abs=1e-12)


def test_three_players_who_always_check_have_nothing_to_fear_from_folding():
    problem = Problem(load_game("kuhn-3p"))
    layout = problem.enumeration.layout
    checkers = Strategy.always(layout, "c")
    assert problem.enumeration.values(checkers) == pytest.approx((0, 0, 0), abs=1e-12)
    # Against two who call everything one bets when that wins on average: with the ace (wins 2 more), with the king
    # (of the two others one holds the ace with chance 2/3: loses), never below.
    gains = measure(problem, checkers)[0].responses
    assert gains == pytest.approx((0.5, 0.5, 0.5), abs=1e-12)


def test_folders_are_robbed():
    problem = Problem(load_game("kuhn-3p"))
    folders = Strategy.always(problem.enumeration.layout, "f")
    assert problem.enumeration.values(folders) == pytest.approx((0, 0, 0), abs=1e-12)
    assert measure(problem, folders)[0].responses == pytest.approx((2, 2, 2), abs=1e-12)
