"""What beats a strategy, and by how much: exact for matrix deals."""

from __future__ import annotations

from math import nan
from typing import NamedTuple

import numpy as np

from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import Strategy


class Exploitability(NamedTuple):
    """Chips per hand.

    responses       what each seat would win by a best response to the others, less what it wins now; for two seats of
                    a zero-sum game the second part cancels, and it is simply what the best responses win
    exploitability  their mean: how much the strategy loses per hand to one who knows it and takes all seats in turn;
                    with two seats half of what is called NashConv
    """

    responses: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        return sum(self.responses) / len(self.responses)


def expected_values(compiled: VectorGame, strategy: Strategy) -> tuple[float, float]:
    """Chips per hand of both seats when both play `strategy`."""
    compiled.check(strategy)
    return root_values(compiled, strategy.values, np.empty(0), best=False)


def exploitability(compiled: VectorGame, strategy: Strategy) -> Exploitability:
    """How much best responses win against `strategy`."""
    compiled.check(strategy)
    return Exploitability(root_values(compiled, strategy.values, np.empty(0), best=True))


def best_response(compiled: VectorGame, strategy: Strategy) -> tuple[Strategy, Exploitability]:
    """A pure best response of each seat to the other seat's part of `strategy`, and what they win."""
    compiled.check(strategy)
    response = np.zeros(compiled.layout.size)
    values = root_values(compiled, strategy.values, response, best=True)
    return Strategy(compiled.layout, response, {"algorithm": "best response"}), Exploitability(values)


def measure(problem: Problem, strategy: Strategy) -> tuple[Exploitability, tuple[float, ...]]:
    """How exploitable `strategy` is in its own game, and what it is worth to each seat: chips per hand.

    nan where no best response is in reach: with imperfect recall, and in hold'em with more than two players.
    """
    if not problem.is_measurable:
        return Exploitability((nan,) * problem.game.players), (nan,) * problem.game.players
    if problem.game.players == 2:
        return exploitability(problem.vector, strategy), expected_values(problem.vector, strategy)
    values, best = problem.enumeration.values(strategy), problem.enumeration.best_values(strategy)
    gains = tuple(most - value for most, value in zip(best, values, strict=True))
    return Exploitability(gains), values
