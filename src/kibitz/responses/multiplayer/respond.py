"""Responses of one seat after another: how they are sampled, in which game, and what they win."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games.stakes import Stake
from kibitz.random import derive_seed
from kibitz.responses.imputation import Imputation, checked_down, mean_of_seats
from kibitz.responses.robust.methods import Method, confidence
from kibitz.responses.robust.respond import as_opponent
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import owner_mask
from kibitz.solvers.sampled import STORAGE
from kibitz.solvers.sampled.restricted import Holding, held_by_decision, held_by_hand, known_where, play_strategy
from kibitz.statistics import Estimate, Moments, average
from kibitz.strategy import FrequentistModel, Strategy

METHODS = ("fbr", "rnr", "dbr")
PROFILES = ("average", "current")
FEW_ENDS = 5_000_000  # deals times nodes up to which all are listed
NO_EXPLOITABILITY = "it is defined for two players; with more, a loss depends on what the others agree upon"


@dataclass(frozen=True)
class Sampling:
    """How responses are solved and measured.

    iterations  of external sampling, one walk for each player
    hands       that are sampled to measure each seat
    storage     of the sums, see `kibitz.solvers.sampled`
    profile     the strategy that is kept: average, or current, which Bard 2016 plays in large games (appendix B)
    """

    iterations: int = 100_000
    hands: int = 1_000_000
    seed: int = 0
    threads: int = 1
    storage: str = "double"
    profile: str = "average"

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.hands < 2:
            raise KibitzError(f"{self.iterations:,} iterations and {self.hands:,} hands: at least one, and two hands")
        if self.profile not in PROFILES:
            raise KibitzError(f"profile {self.profile!r}: one of {', '.join(PROFILES)}")
        if self.storage not in STORAGE:
            raise KibitzError(f"storage {self.storage!r}: one of {', '.join(STORAGE)}")


class SeatValue(NamedTuple):
    """What one seat wins, in thousandths of the stake per hand.

    objective     in the restricted game: opponents play the model as far as they are held to it, and elsewhere the
                  average strategies that they learnt against the responder
    exploitation  from opponents who play nothing but the model
    imputation    how far that rests on observations; None where the opponent is known without any
    """

    objective: Estimate
    exploitation: Estimate
    imputation: Imputation | None = None


@dataclass(frozen=True, eq=False)
class Response:
    """A response, one strategy per seat; what it wins is the mean of all seats."""

    method: Method
    strategy: Strategy
    seats: tuple[SeatValue, ...]

    @property
    def objective(self) -> Estimate:
        """What it wins in its restricted games."""
        return average(seat.objective for seat in self.seats)

    @property
    def exploitation(self) -> Estimate:
        """What it wins from opponents who play the model."""
        return average(seat.exploitation for seat in self.seats)

    @property
    def imputation(self) -> Imputation | None:
        """How far the exploitation of a model rests on observations."""
        found = [seat.imputation for seat in self.seats if seat.imputation is not None]
        return mean_of_seats(found) if found else None


class Restricted(NamedTuple):
    """A game in which opponents are held to a model.

    home   the same game with the model's cards; `problem` itself where they are the responder's
    """

    problem: Problem
    home: Problem
    opponent: Opponent
    method: Method

    def holding(self) -> Holding:
        """What opponents are held to; KibitzError where observations are missing."""
        method, compiled, deal = self.method, self.problem.sampled, self.home.sampled_deal
        if method.name != "dbr":
            p = method.amount if method.name == "rnr" else 1.0
            found = held_by_hand(compiled, self.opponent.strategy, deal, p)
        elif self.opponent.model is None:
            raise KibitzError("a data-biased response needs observations: give a model")
        else:
            sure = confidence(self.opponent.model.visits, method.confidence, method.amount)
            found = held_by_decision(compiled, self.opponent.strategy, deal, sure)
        model = self.opponent.measured
        if model is None:
            return found
        return replace(found, known=known_where(model, checked_down(model.layout.tree)))


def restrict(
    problem: Problem,
    opponent: Strategy | FrequentistModel | Opponent,
    method: Method,
    home: Problem | None = None,
) -> Restricted:
    """The game of a response; the opponent, by `home`'s cards, sits in all other seats."""
    if method.name not in METHODS:
        raise KibitzError(f"{method.name} with {problem.game.players} players: one of {', '.join(METHODS)}")
    return Restricted(problem, home or problem, as_opponent(opponent), method)


def exploitation(
    problem: Problem, strategy: Strategy, opponent: Strategy, home: Problem, hands: int, seed: int
) -> Estimate:
    """What a strategy wins from an opponent in all other seats, the mean of all seats.

    Exact in small games; in others by `hands` sampled hands of each seat, which depend on the seed alone, so that
    strategies that are compared play the same ones.

    home   the game with the opponent's cards
    """
    stake, seats = Stake.of(problem.game), range(problem.game.players)
    if home is problem and not problem.cards and problem.enumeration.size * len(problem.tree) <= FEW_ENDS:
        strategy.layout.check_same(opponent.layout)
        mixed = (np.where(owner_mask(strategy.layout, seat), strategy.values, opponent.values) for seat in seats)
        won = [problem.enumeration.values(Strategy(strategy.layout, each))[seat] for seat, each in enumerate(mixed)]
        return Estimate(stake.milli_per_chip * float(np.mean(won)), 0.0, 0, stake.unit)
    compiled = problem.sampled
    holding = held_by_hand(compiled, opponent, home.sampled_deal, 1.0)
    found = []
    for seat in seats:
        chips = play_strategy(compiled, strategy, holding, seat, hands, derive_seed(seed, 1 + seat))
        found.append(Moments.of(chips).estimate(stake.milli_per_chip, stake.unit, few=True))
    return average(found)
