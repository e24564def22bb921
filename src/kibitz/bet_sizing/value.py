"""What an action abstraction is worth: bounds by best responses, estimates with imperfect recall."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.compiled import BetSizingGame, Walk, equivalent_game
from kibitz.bet_sizing.play import playing_strategy
from kibitz.bet_sizing.sizing import Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.vector import VectorBets
from kibitz.deals.sampled import SampledDeal
from kibitz.errors import KibitzError
from kibitz.policy.hands import HandPolicy
from kibitz.responses.best_response import exploitability
from kibitz.responses.real import expected_value
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.statistics import Z_95
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
AT_ONCE = 4096
WEIGHTING = "dcfr-3"
MEASURED = 250  # iterations between measures
EXACT_SIZE = 20_000  # (information set, action) pairs up to which the linear program is the shorter way


class Weighed(NamedTuple):
    """A profile on sampled deals.

    importance  float64[sizers]: mean over deals of |d value / d size| / 2, chips (equation 5.15 per iteration)
    value       chips per hand to player 0, exact over the betting of each deal
    interval    half-width of its 95 % interval over deals
    """

    importance: Floats
    value: float
    interval: float


def weigh(tree: BetTree, deal: SampledDeal, strategy: Strategy, sizes: Floats, deals: int, seed: int = 0) -> Weighed:
    """`strategy` with these sizes on `deals` deals.

    This is also how a profile is valued with imperfect recall, where best responses are out of reach: no betting is
    sampled, so deals are all the noise there is.
    """
    from kibitz.bet_sizing import _kernels

    walk = Walk(tree, strategy.layout)
    table = Sizing(tree, "every", 1, "last", sizes).table
    sigma = np.empty(strategy.layout.size)
    sigma[strategy.layout.by_infoset] = strategy.values
    importance, won = np.zeros(len(tree.sizers)), np.empty(deals)
    for first in range(0, deals, AT_ONCE):
        count = min(AT_ONCE, deals - first)
        draws = deal.draw(seed, first, count)
        found = won[first : first + count]
        _kernels.weigh(walk.game, walk.bets, *draws, sigma, table, walk.chips, importance, found)
    return Weighed(importance / (2 * deals), float(won.mean()), float(Z_95 * won.std(ddof=1) / np.sqrt(deals)))


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


def bound_value(
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
            "`weigh` values a profile on sampled deals"
        )


def gain(value: float, baseline: float, seat: int) -> float:
    """By what share of the baseline's absolute value the player in `seat` does better; values to player two."""
    better = value - baseline if seat == 1 else baseline - value
    return float(np.divide(better, abs(baseline)))


def value_in_play(
    found: BetAbstraction, problem: Problem, iterations: int, boards: int, threads: int = 1
) -> tuple[float, float]:
    """Chips per hand to player two, and half the 95 % interval over boards; `iterations` as for `playing_strategy`."""
    first, second = problem.abstractions
    policy = HandPolicy(playing_strategy(found, problem, iterations, threads), (first, second))
    value = expected_value(policy, policy, boards, problem.seed + 1, threads)
    return -value.seats[0], value.seat_half_widths[0]
