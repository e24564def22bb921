"""What an action abstraction is worth: bounds by best responses, estimates with imperfect recall."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import hypot
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.compiled import BetSizingGame, equivalent_game
from kibitz.bet_sizing.profile import weigh
from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.vector import VectorBets
from kibitz.errors import KibitzError
from kibitz.responses.best_response import exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
WEIGHTING = "dcfr-3"
MEASURED = 250  # iterations between measures
EXACT_SIZE = 20_000  # (information set, action) pairs up to which the linear program is the shorter way


class Bounds(NamedTuple):
    """The value of a game lies between them: chips per hand to player two (seat 1), as the thesis has it."""

    low: float
    high: float

    @property
    def value(self) -> float:
        return (self.low + self.high) / 2

    @property
    def error(self) -> float:
        """Half the distance."""
        return (self.high - self.low) / 2


def evaluate(
    tree: BetTree,
    sizes: Floats,
    problem: Problem,
    iterations: int = 500,
    error: float = 0.0,
    threads: int = 1,
    device: str = "cpu",
    start: VectorBets | None = None,
) -> tuple[Bounds, Strategy]:
    """Bounds on the value of the equivalent abstract game with these sizes, and the strategy that has them.

    Small games are solved exactly. Others by `iterations` of discounted CFR, fewer if half the distance of the bounds
    falls below `error`; the bounds are best responses to the average strategy in the same game.

    start   a run on the same tree: its players know most of it already, and are taken over
    """
    check_recall(problem)
    compiled = equivalent_game(tree, sizes, problem.deal)
    if compiled.layout.size <= EXACT_SIZE:
        from kibitz.solvers.sequence_lp import solve_lp

        solution = solve_lp(compiled)
        return Bounds(-solution.value, -solution.value), solution.strategy
    solver, measure = _solver(compiled, threads, device)
    if start is not None:
        solver.regret[...], solver.iteration = start.regret, start.iteration
    last = solver.iteration + iterations
    while True:
        solver.step(min(MEASURED, last - solver.iteration))
        strategy = solver.average_strategy()
        first, second = measure(strategy)
        if solver.iteration >= last or (first + second) / 2 <= error:
            return Bounds(-first, second), strategy


def _solver(compiled: BetSizingGame, threads: int, device: str) -> tuple[CFR, Callable[[Strategy], tuple[float, ...]]]:
    """Something that solves the form, and what measures its strategies."""
    if device == "gpu":
        from kibitz.solvers.gpu.cfr import GpuCFR, best_values

        solver = GpuCFR(compiled, WEIGHTING)
        return solver, partial(best_values, solver.gpu)
    return CFR(compiled, WEIGHTING, threads=threads), lambda strategy: exploitability(compiled, strategy).responses


def check_recall(problem: Problem) -> None:
    """Refuse best responses with imperfect recall."""
    if not problem.is_measurable:
        raise KibitzError(
            f"cards {problem.cards_name}: best responses, and so bounds, need perfect recall; "
            "`estimate` values a profile on sampled deals"
        )


def estimate(
    tree: BetTree, sizes: Floats, problem: Problem, strategy: Strategy, deals: int, seed: int = 0
) -> tuple[float, float]:
    """What the profile is worth to player two (seat 1), chips per hand, and half its 95 % interval over deals."""
    found = weigh(tree, problem.sampled_deal, strategy, sizes, deals, seed)
    return -found.value, found.interval


def advantage(as_two: tuple[float, float], as_one: tuple[float, float]) -> tuple[float, float]:
    """What an abstraction gains over its opponent's, chips per hand, from (value to player two, error) in both seats.

    The thesis adds the two seats up (section 7.6), which is per pair of hands; this is per hand.
    """
    return (as_two[0] - as_one[0]) / 2, hypot(as_two[1], as_one[1]) / 2


def gain(value: float, baseline: float, seat: int) -> float:
    """By what share of the baseline's absolute value the player in `seat` does better; values to player two."""
    better = value - baseline if seat == 1 else baseline - value
    return float(np.divide(better, abs(baseline)))
