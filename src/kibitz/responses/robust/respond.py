"""A response to an opponent, and what it wins and risks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.responses.imputation import Imputation
from kibitz.responses.robust.imputation import measure_imputation
from kibitz.responses.robust.methods import Method, Solving
from kibitz.responses.robust.roles import Roles, make_roles
from kibitz.responses.robust.seats import Opponent, SeatsCFR, SeatSolver
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Strategy
from kibitz.strategy.classes import lifted

FIRST_CHECK = 16  # iterations before the gap is looked at
CHECKS = 4  # of the gap while iterations double, if it may stop them; else one
PIECE_SECONDS = 0.5  # of a piece, about


@dataclass(frozen=True, eq=False)
class Response:
    """A response, one strategy per seat, measured. Chips per hand, means of both seats.

    objective       what it is sure of in its restricted games: of rnr p * exploitation - (1 - p) * exploitability, of
                    fbr and eps-safe what it wins from the model
    exploitation    what it wins from the opponent
    exploitability  what it loses to best responses
    gap             how far the objective may lie below its optimum; 0 where it was solved exactly
    mimic           what the held opponents play (dbr and rnr by iterations), or None
    imputation      how far the exploitation of a model rests on observations; None where the opponent itself is known
    """

    method: Method
    strategy: Strategy
    objective: float
    exploitation: float
    exploitability: float
    gap: float
    mimic: Strategy | None = None
    imputation: Imputation | None = None


def respond(
    problem: Problem | Roles,
    opponent: Strategy | FrequentistModel | Opponent,
    method: Method,
    solving: Solving | None = None,
) -> Response:
    """The response of that kind to an opponent.

    problem    the game; or `Roles`, where the players see the cards differently
    opponent   a strategy, counts of actions, or both as an `Opponent`, over the problem's layout (`Roles.home`)
    """
    run = Run(problem, opponent, method, solving)
    while not run.is_over:
        run.advance()
    return run.response()


class Run:
    """A response in the making: `advance` until it `is_over`, then ask for the `response`.

    checked  the iteration at which the gap was looked at last, -1 if it never was
    gap      how large it was, in chips per hand
    """

    def __init__(
        self,
        problem: Problem | Roles,
        opponent: Strategy | FrequentistModel | Opponent,
        method: Method,
        solving: Solving | None = None,
        *,
        apart: bool = False,
    ) -> None:
        """`apart` solves the seats side by side, each on a thread and in memory of its own."""
        self.roles = problem if isinstance(problem, Roles) else make_roles(problem)
        self.solving, self.method = solving or Solving(), method
        self.opponent = as_opponent(opponent)
        self.opponent.strategy.layout.check_same(self.roles.home)
        how = (method, self.solving)
        first = SeatSolver(self.roles, self.opponent, how, 0)
        second = SeatSolver(self.roles, self.opponent, how, 1, None if apart else first)
        self.seats = (first, second)
        self.solver = SeatsCFR(self.roles, self.seats, self.solving.threads, apart=apart)
        self.checked, self.gap = -1, 0.0
        self._rate = 2.0  # iterations a second of the last piece

    @property
    def is_exact(self) -> bool:
        """Whether it is found at once."""
        return self.seats[0].cfr is None

    @property
    def is_over(self) -> bool:
        """Whether it has come as far as `Solving` says; what is found at once has from the beginning."""
        if self.is_exact or self.solver.iteration >= self.solving.iterations:
            return True
        return self.checked == self.solver.iteration and self.gap <= self.solving.until

    def advance(self) -> None:
        """About half a second of iterations, up to where the gap is looked at next, and that."""
        solver = self.solver
        goal = min(_next_check(solver.iteration, CHECKS if self.solving.until else 1), self.solving.iterations)
        count = min(goal - solver.iteration, max(1, int(PIECE_SECONDS * self._rate)))
        start = perf_counter()
        solver.step(count)
        self._rate = count / max(perf_counter() - start, 1e-6)
        if solver.iteration == goal:
            self.checked, self.gap = goal, solver.gap()

    def arrays(self) -> dict[str, npt.NDArray[Any]]:
        """All that it is."""
        known = not isnan(self.gap)
        return {**self.solver.arrays(), "checked": np.array([self.checked, self.gap] if known else [-1.0, 0.0])}

    def restore(self, iteration: int, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
        """Go on from there."""
        self.solver.restore(iteration, dict(arrays))
        checked, self.gap = arrays["checked"].tolist()
        self.checked = int(checked)

    def response(self) -> Response:
        """The response as it stands, measured."""
        values, bounds = np.zeros(self.roles.played.size), []
        for each in self.seats:  # one after the other: strategies may be large
            found = each.exact() if self.is_exact else each.so_far()
            self.roles.lift(each.seat, found.values, found.layout, values)
            bounds.append(found.bounds)
            del found
        manifest = self.solver.parameters() | ({} if self.is_exact else {"iterations": self.solver.iteration})
        strategy = Strategy(self.roles.played, values, manifest)
        won, lost = self.roles.exploitation(strategy, self.opponent.strategy), self.roles.losses(strategy)
        exploitation, exploitability = sum(won) / 2, sum(lost) / 2
        lower, upper = (sum(each[side] for each in bounds) / 2 for side in range(2))
        strategy.manifest.update(exploitation=exploitation, exploitability=exploitability)
        figures = (lower, exploitation, exploitability, upper - lower)
        model = self.opponent.measured
        imputed = None if model is None else measure_imputation(self.roles, strategy, model)
        return Response(self.method, strategy, *figures, self._mimic(), imputed)

    def _mimic(self) -> Strategy | None:
        """The held opponents of both seats as one strategy over `home`; None where they were not iterated."""
        into = np.zeros(self.roles.home.size)
        for seat in (0, 1):
            made = self.seats[seat].mimic()
            if made is None or self.method.name != "dbr":
                return None
            values, layout = made
            states = (self.roles.home.counts[:, 1 - seat], layout.counts[:, 1 - seat])
            if (states[0] != states[1]).any():
                return None  # it tells apart other cards than the opponent's
            lifted(values, layout, self.roles.home, 1 - seat, [np.arange(count) for count in states[0]], into)
        return Strategy(self.roles.home, into, {"algorithm": "mimic", **self.method.describe()})


def _next_check(iteration: int, checks: int) -> int:
    """The iteration, after this one, at which the gap is looked at next: a multiple of a power of two.

    checks   that come while iterations double, a power of two

    >>> [_next_check(n, 4) for n in (0, 16, 19, 60, 512, 640)], _next_check(640, 1)
    ([16, 20, 20, 64, 640, 768], 1024)
    """
    step = max(1, (1 << iteration.bit_length() >> 1) // checks)
    return max(FIRST_CHECK, (iteration // step + 1) * step)


def as_opponent(opponent: Strategy | FrequentistModel | Opponent) -> Opponent:
    """An opponent from a strategy or from counts of actions."""
    if isinstance(opponent, Opponent):
        return opponent
    if isinstance(opponent, Strategy):
        return Opponent(opponent)
    return Opponent(opponent.strategy, opponent)
