"""One response for each seat, solved together: what `kibitz.solvers` calls a solver."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from math import nan
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.responses.robust.linear_programs import ResponsePrograms
from kibitz.responses.robust.methods import SAMPLED, Method, Solving, confidence
from kibitz.responses.robust.roles import Roles
from kibitz.solvers.board_sampling.restricted import BoardHolding, RestrictedBoardSampled
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.solvers.restricted import Holding, RestrictedCFR, held_at_infosets, held_from_the_start
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import FrequentistModel, Layout, Strategy
from kibitz.strategy.classes import lifted

Floats = npt.NDArray[np.float64]


class Opponent(NamedTuple):
    """What is responded to, over `Roles.home`: a strategy, by which responses are measured, and where there are
    observations of it their counts, which data-biased responses believe.
    """

    strategy: Strategy
    model: FrequentistModel | None = None

    @property
    def measured(self) -> FrequentistModel | None:
        """The model if responses are measured by it, rather than by the player whom it observed."""
        return self.model if self.model is not None and self.strategy is self.model.strategy else None


class SeatResponse(NamedTuple):
    """What one seat plays: float64[layout.size], of which the seat's entries count, and the bounds of its value."""

    values: Floats
    layout: Layout
    bounds: tuple[float, float]


class SeatSolver:
    """The response of one seat, by iterations or at once."""

    def __init__(
        self, roles: Roles, opponent: Opponent, how: tuple[Method, Solving], seat: int, other: SeatSolver | None = None
    ) -> None:
        """`other` is the solver of the other seat, whose scratch memory is used too; they take turns."""
        method, solving = how
        self.roles, self.opponent, self.method, self.seat = roles, opponent, method, seat
        self.cfr: RestrictedCFR | RestrictedBoardSampled | None = None
        if method.name == "dbr":
            self._observations()  # refused before anything is solved
        if solving.is_sampled(method, roles.needs_boards):
            self.algorithm = SAMPLED
            self.cfr = RestrictedBoardSampled(roles.on_boards(seat)[0], self._board_holding(), solving.seed)
            return
        joint = roles.joint_game(seat) if method.name == "dbr" else None
        self._joint = joint
        game = joint.compiled if joint else roles.free_game(seat)
        self.algorithm = solving.chosen(method, game.layout, joint is not None and len(joint.ties) > 0)
        if self.algorithm in WEIGHTINGS:
            beside = other.cfr if other is not None and isinstance(other.cfr, RestrictedCFR) else None
            self.cfr = RestrictedCFR(game, self._holding(), self.algorithm, solving.threads, beside)

    def exact(self) -> SeatResponse:
        """The response by a linear program, or a best response."""
        roles, seat, amount = self.roles, self.seat, self.method.amount
        if self.method.name == "fbr":
            return self._best_response()
        if self.method.name == "dbr":
            assert self._joint is not None
            programs = ResponsePrograms(self._joint.compiled)
            strategy, value = programs.data_biased(seat, self._holding().fixed)
            return SeatResponse(strategy.values, strategy.layout, (value, value))
        programs = ResponsePrograms(roles.free_game(seat))
        model = roles.model_strategy(seat, self.opponent.strategy)
        same = roles.model_game(seat) is programs.compiled
        won = (programs if same else ResponsePrograms(roles.model_game(seat))).won(seat, model)
        solve = programs.restricted if self.method.name == "rnr" else programs.safe
        strategy, value = solve(seat, won, amount)
        return SeatResponse(strategy.values, strategy.layout, (value, value))

    def so_far(self) -> SeatResponse:
        """The response after the iterations that were done."""
        assert self.cfr is not None
        return SeatResponse(self.cfr.average_strategy().values, self.cfr.compiled.layout, self.cfr.bounds())

    def mimic(self) -> tuple[Floats, Layout] | None:
        """What the held opponent plays, where that was iterated: float64[layout.size] with its entries.

        On sampled boards it has information sets of its own only where R and M are the same buckets.
        """
        if self.cfr is None:
            return None
        made = self.cfr.mimic()
        values = made.values if isinstance(made, Strategy) else made
        return None if values is None else (values, self.cfr.compiled.layout)

    def _observations(self) -> FrequentistModel:
        if self.opponent.model is None:
            raise KibitzError(
                "a data-biased response needs observations: give a model, or a number of hands to observe"
            )
        return self.opponent.model

    def _board_holding(self) -> BoardHolding:
        counted = self._observations()
        fixed = confidence(counted.visits, self.method.confidence, self.method.amount) * counted.strategy.values
        return BoardHolding(self.seat, self.roles.on_boards(self.seat)[1], counted.layout, fixed)

    def _holding(self) -> Holding:
        roles, seat = self.roles, self.seat
        if self.method.name == "rnr":
            model = roles.model_strategy(seat, self.opponent.strategy)
            return held_from_the_start(roles.free_game(seat), seat, model, self.method.amount, roles.model_game(seat))
        joint = self._joint
        assert joint is not None
        counted = roles.model_counts(seat, self._observations())
        layout = joint.compiled.layout
        model_values, trust = np.zeros(layout.size), np.zeros(layout.size)
        sure = confidence(counted.visits, self.method.confidence, self.method.amount)
        for source, into in ((counted.strategy.values, model_values), (sure, trust)):
            lifted(source, counted.layout, layout, 1 - seat, joint.model, into)
        return held_at_infosets(joint.compiled, seat, model_values, trust, joint.ties)

    def _best_response(self) -> SeatResponse:
        game = self.roles.model_game(self.seat)
        model = self.roles.model_strategy(self.seat, self.opponent.strategy)
        response = np.zeros(game.layout.size)
        value = root_values(game, np.array(model.values), response, best=True)[self.seat]
        return SeatResponse(response, game.layout, (value, value))


class SeatsCFR:
    """The responses of both seats by iterations: a `Solver`, so that checkpoints are those of every solver."""

    def __init__(
        self, roles: Roles, seats: tuple[SeatSolver, SeatSolver], threads: int = 1, *, apart: bool = False
    ) -> None:
        """`threads` are of sampled boards, where each seat may have one; other solvers have threads of their own, and
        go side by side only if the seats share no memory and are to be solved `apart`.
        """
        self.roles, self.seats = roles, seats
        self.iteration = 0
        self._is_sampled = seats[0].algorithm == SAMPLED
        self._side_by_side = apart or (self._is_sampled and threads > 1)

    @property
    def _cfr(self) -> list[RestrictedCFR | RestrictedBoardSampled]:
        return [each.cfr for each in self.seats if each.cfr is not None]

    def step(self, count: int = 1) -> None:
        if self._side_by_side:
            with ThreadPoolExecutor(len(self._cfr)) as pool:
                list(pool.map(lambda cfr: cfr.step(count), self._cfr))
        else:
            for cfr in self._cfr:
                cfr.step(count)
        self.iteration += count

    def average_strategy(self) -> Strategy:
        """The response, one strategy for each seat."""
        values = np.zeros(self.roles.played.size)
        for seat, cfr in enumerate(self._cfr):
            self.roles.lift(seat, cfr.average_strategy().values, cfr.compiled.layout, values)
        return Strategy(self.roles.played, values, {**self.parameters(), "iterations": self.iteration})

    def gap(self) -> float:
        """How far the value of the restricted games is open, chips per hand, the mean of both seats; nan if unknown."""
        bounds = [cfr.bounds() for cfr in self._cfr]
        return sum(upper - lower for lower, upper in bounds) / 2 if bounds else nan

    def parameters(self) -> dict[str, Any]:
        first = self.seats[0]
        told = {"algorithm": first.algorithm, **first.method.describe(), **self.roles.describe()}
        return told | ({"seed": first.cfr.seed} if isinstance(first.cfr, RestrictedBoardSampled) else {})

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {f"{name}-{seat}": array for seat, cfr in enumerate(self._cfr) for name, array in cfr.arrays().items()}

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        self.iteration = iteration
        for seat, cfr in enumerate(self._cfr):
            cfr.restore(iteration, {name: arrays[f"{name}-{seat}"] for name in cfr.arrays()})
