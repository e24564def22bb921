"""Clustering of strategies in games whose sequence form is too large for `clusters`: a best response at a time.

The statistics of a strategy are its realisation plans, which add up; the best response to their average is found by
passes over the whole game. A value takes as long as an exploitability, so few strategies can be clustered.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.responses.clusters import BOTH_SEATS
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import Strategy
from kibitz.strategy.sequences import realisation
from kibitz.tree import DECISION

Floats = npt.NDArray[np.float64]
NOTHING = np.empty(0)


@dataclass(frozen=True, eq=False)
class AverageOracle:
    """Strategies of a two-player game, and best responses to groups of them; see `StrategyOracle` for the fields."""

    compiled: VectorGame
    strategies: Floats
    seats: tuple[int, ...] = BOTH_SEATS

    @property
    def oracle(self) -> AverageOracle:
        """Itself, as `StrategyOracle` has one."""
        return self

    @cached_property
    def statistics(self) -> Floats:
        """The number 1 and the realisation plans of both seats, float64[m, 1 + layout.size]."""
        layout, deal = self.compiled.layout, self.compiled.deal
        plans = np.ones((len(self.strategies), 1 + layout.size))
        for row, values in zip(plans, self.strategies, strict=True):
            row[1:] = realisation(Strategy(layout, values), deal)
        return plans

    @property
    def points(self) -> Floats:
        """The plans of the seats in which the strategies play, float64[m, ...]."""
        return self.statistics[:, 1:][:, np.isin(self._owner, self.seats)]

    def values(self, sums: Floats) -> Floats:
        """Chips per hand of a best response, summed over the strategies of each group: float64[n]."""
        return np.array([self._value(row, NOTHING) for row in sums])

    def respond(self, sums: Floats) -> Floats:
        """Best responses as behaviour of both seats, float64[n, layout.size]."""
        responses = np.zeros((len(sums), self.compiled.layout.size))
        for row, response in zip(sums, responses, strict=True):
            self._value(row, response)
        return responses

    def utilities(self, responses: Floats) -> Floats:
        """Chips per hand of every response against every strategy, float64[m, n]."""
        return np.array([[self._won(ours, theirs) for ours in responses] for theirs in self.strategies])

    def strategy(self, response: Floats, name: str = "best response") -> Strategy:
        """A response as a strategy; uniform in the seats that it does not play."""
        layout = self.compiled.layout
        played = np.isin(self._owner, [1 - seat for seat in self.seats])
        return Strategy.from_sums(layout, np.where(played, response, 0.0), {"algorithm": name})

    @cached_property
    def _owner(self) -> npt.NDArray[np.int64]:
        """The player of every infoset-action pair, int64[layout.size]."""
        tree, layout = self.compiled.tree, self.compiled.layout
        return np.repeat(np.where(tree.kind == DECISION, tree.player, -1), layout.states * tree.children)

    def _value(self, sums: Floats, response: Floats) -> float:
        """What a best response to the average wins, over all strategies; it goes to `response` if there is room."""
        average = Strategy.from_sums(self.compiled.layout, sums[1:])
        return float(sums[0]) * self._mean(root_values(self.compiled, average.values, response, best=True))

    def _won(self, ours: Floats, theirs: Floats) -> float:
        """What a response wins, in each of its seats, from one strategy."""
        won = [0.0, 0.0]
        for seat in self.seats:
            mixed = np.where(self._owner == seat, theirs, ours)
            won[1 - seat] = root_values(self.compiled, mixed, NOTHING, best=False)[1 - seat]
        return self._mean((won[0], won[1]))

    def _mean(self, won: tuple[float, float]) -> float:
        """The mean over the seats of the response."""
        return sum(won[1 - seat] for seat in self.seats) / len(self.seats)
