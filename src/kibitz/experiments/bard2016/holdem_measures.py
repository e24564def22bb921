"""What asymmetric equilibria of limit hold'em win from each other, and what they lose to a best response.

What one strategy wins from another is computed in the buckets of both, on boards that no game was solved on: all pairs
of hands and all betting are summed, boards are sampled in batches, and the interval is that of the batches.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.experiments.bard2016.holdem_games import Games, Pairing, Setting
from kibitz.experiments.claims import Interval
from kibitz.experiments.ledger import Ledger
from kibitz.policy.base import Floats
from kibitz.policy.hands import HandPolicy
from kibitz.responses.real import Flops, RealExploitability, respond_by_flop
from kibitz.responses.real.response import Told, difference
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.statistics import weighted_half_width
from kibitz.strategy import Layout, Strategy


class Meeting(NamedTuple):
    """Strategies that share the buckets of a game: what they do in seat 0, and in seat 1, over its layout."""

    layout: Layout
    firsts: dict[Pairing, Floats]
    seconds: dict[Pairing, Floats]


@dataclass(frozen=True)
class HoldemMeasures:
    """Figures in mbb/hand, kept in a ledger; what is missing there is computed from `games`."""

    setting: Setting
    ledger: Ledger
    games: Games | None = None

    def gap(self, pairing: Pairing) -> float:
        """How exploitable a strategy was left in the abstract games it was solved in."""
        return self.ledger.get(f"{pairing}, gap", lambda: [self._games.gap(pairing)])[0]

    def knows(self, pairing: Pairing) -> bool:
        """Whether a strategy was measured, or can be."""
        return self.ledger.has([f"{pairing} against {pairing}"]) or self._can_solve(pairing)

    def _can_solve(self, pairing: Pairing) -> bool:
        return self.games is not None and pairing in self.games.solvable

    @property
    def _games(self) -> Games:
        assert self.games is not None, "a ledger that is not open computes nothing"
        return self.games

    def value(self, one: Pairing, two: Pairing) -> Interval:
        """What `one` wins from `two`, the mean of both seats."""
        mean, half_width = self.ledger.get(f"{one} against {two}", lambda: self._value(one, two))
        return Interval(mean, mean - half_width, mean + half_width)

    def mean(self, one: Pairing) -> Interval:
        """What `one` wins from all, itself among them; intervals are added, as if all erred to the same side."""
        each = np.array([self.value(one, two) for two in self.setting.pairings if self.knows(two)])
        return Interval(*each.mean(axis=0).tolist())

    def _value(self, one: Pairing, two: Pairing) -> tuple[float, float]:
        """Mean and half width over the batches."""
        batches = range(self.setting.batches)
        won = [(self._seat_value(one, two, batch) - self._seat_value(two, one, batch)) / 2 for batch in batches]
        return float(np.mean(won)), weighted_half_width(np.array(won), np.ones(len(won)))

    def _seat_value(self, one: Pairing, two: Pairing, batch: int) -> float:
        """Of seat 0, held by `one`."""
        name = f"{one} against {two} in seat 1, batch {batch}"
        if name not in self.ledger.found:
            self._meet(Pairing(*sorted((one.ours, two.ours))))
        return self.ledger.get(name, list)[0]

    def _meet(self, game: Pairing) -> None:
        """All strategies with the buckets of `game` in seat 0 and in seat 1, and exchanged, on all batches."""
        games, setting = self._games, self.setting
        problem = games.problem(game)
        meetings = [self._meeting(each) for each in dict.fromkeys((game, game.swapped))]
        for batch in range(setting.batches):
            games.tell(f"values, {game}", batch, setting.batches)
            boards = Boards.sampled(setting.batch, setting.seed + 1 + batch)
            deal = bucket_matrices(problem.game, problem.abstractions, boards, games.device.threads, games.tell)
            for layout, firsts, seconds in meetings:
                if deal.fingerprint != layout.cards:
                    deal = deal.swapped(layout.cards)
                value = games.device.values(VectorGame(problem.tree, deal))
                for (one, first), (two, second) in product(firsts.items(), seconds.items()):
                    won = 1000 * value(Strategy(layout, first + second)) / problem.game.big_blind
                    self.ledger.put(f"{one} against {two} in seat 1, batch {batch}", [won])
                del value
                games.device.clear()

    def _meeting(self, game: Pairing) -> Meeting:
        """The strategies that can sit down in `game`, seat by seat."""
        games, layout = self._games, _layout(self._games.problem(game))
        firsts, seconds = (
            {each: games.seat(layout, each, player) for each in games.solvable if each.ours == game[player]}
            for player in range(2)
        )
        return Meeting(layout, firsts, seconds)

    def exploitability(self, pairing: Pairing) -> Interval:
        """What best responses win in the real game on a sample of flops.

        The value is that of choices before the flop made on one half of the flops and paid by the other, on average
        no more than the true one; the upper end reaches to what they win where they were made, on average no less.
        """
        value, lower, half_width = self._response(pairing)
        return Interval(lower, lower - half_width, max(lower + half_width, value))

    def knows_response(self, pairing: Pairing) -> bool:
        """Whether best responses to a strategy were found, or can be."""
        return self.ledger.has([f"{pairing}, best response"]) or self._can_solve(pairing)

    def safer_by(self, one: Pairing, two: Pairing) -> Interval | None:
        """How much less exploitable `one` is than `two`, on the same flops; None where one of them is not known."""
        if not (self.knows_response(one) and self.knows_response(two)):
            return None
        mean, half_width = difference(self._told(two), self._told(one), self._flops)
        return Interval(mean, mean - half_width, mean + half_width)

    @property
    def _flops(self) -> Flops:
        return Flops.sampled(self.setting.flops, self.setting.seed + 1)

    def _response(self, pairing: Pairing) -> tuple[float, ...]:
        """(value, lower, half_width)."""
        name = f"{pairing}, best response"
        if name not in self.ledger.found and self.ledger.is_open:
            found = self._respond(pairing)
            for half, parts in enumerate(found.told.parts):
                self.ledger.put(f"{pairing}, told by half {half}", map(found.mbb, parts))
            chips = (found.exploitability, found.lower, found.half_width)
            self.ledger.put(name, map(found.mbb, chips))
        return self.ledger.get(name, list)

    def _told(self, pairing: Pairing) -> Told:
        lower = self._response(pairing)[1]
        return Told(lower, np.array([self.ledger.get(f"{pairing}, told by half {half}", list) for half in range(2)]))

    def _respond(self, pairing: Pairing) -> RealExploitability:
        games = self._games
        problem = games.problem(Pairing(pairing.ours, pairing.ours))
        first, second = problem.abstractions
        policy = HandPolicy(games.joined(_layout(problem), pairing, pairing), (first, second))
        flops = self._flops
        for found in respond_by_flop(policy, flops, games.device.threads):
            if isinstance(found, RealExploitability):
                break
            games.tell(f"best response to {pairing}", found, len(flops))
        assert isinstance(found, RealExploitability)
        return found


def _layout(problem: Problem) -> Layout:
    assert problem.private.counts is not None
    return Layout(problem.tree, np.array(problem.private.counts), problem.private.fingerprint)
