"""What an action abstraction is worth: bounds by best responses, estimates with imperfect recall."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import hypot
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.abstraction import BetAbstraction
from kibitz.bet_sizing.compiled import BetSizingGame, Slopes, Walk, equivalent_game
from kibitz.bet_sizing.play import playing_strategy
from kibitz.bet_sizing.sizing import Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.vector import VectorBets
from kibitz.deals import MatrixDeal
from kibitz.deals.sampled import SampledDeal
from kibitz.errors import KibitzError
from kibitz.policy.hands import HandPolicy
from kibitz.responses.best_response import exploitability
from kibitz.responses.real import expected_value
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.vector import NO_RULE, VALUE
from kibitz.solvers.vector.passes import Passes
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


class Slope(NamedTuple):
    """float64[sizers] each: chips per hand and pot of size to the one it bets for, and the probability of its bet."""

    slope: Floats
    reach: Floats


def size_slopes(tree: BetTree, deal: MatrixDeal, strategy: Strategy, sizes: Floats) -> Slope:
    """The exact derivative of the value of a profile in every size, over all deals.

    At an equilibrium it is the derivative of the value of the game (where that has one).
    """
    compiled: BetSizingGame = equivalent_game(tree, sizes, deal)
    walk = Walk(tree, compiled.layout)
    walk.chips[...] = tree.chips(sizes)
    slopes = Slopes(tree, compiled, walk)
    sigma = np.array(strategy.values, dtype=np.float64)
    passes = Passes(compiled)
    sums = (np.empty(0), np.empty(0), np.empty(0))
    passes.down(0, sigma, sums)
    passes.up(1, VALUE, NO_RULE, sigma, sums)
    slopes.find(Sizing(tree, "every", 1, "last", sizes).table, passes.reach, passes.values)
    return Slope(slopes.slope, slopes.reach)


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


def value_in_play(
    found: BetAbstraction, problem: Problem, iterations: int, boards: int, threads: int = 1
) -> tuple[float, float]:
    """Chips per hand to player two, and half the 95 % interval over boards; `iterations` as for `playing_strategy`."""
    first, second = problem.abstractions
    policy = HandPolicy(playing_strategy(found, problem, iterations, threads), (first, second))
    value = expected_value(policy, policy, boards, problem.seed + 1, threads)
    return -value.seats[0], value.seat_half_widths[0]


class Ascent(NamedTuple):
    """A step of gradient ascent: sizes, and the value of the game with them to player two."""

    sizes: Floats
    value: float


def random_sizes(tree: BetTree, rng: np.random.Generator) -> Floats:
    """Every size anywhere in its range, all places alike likely."""
    return rng.uniform([each.range.low for each in tree.sizers], [each.range.high for each in tree.sizers])


def same_sizes(tree: BetTree, pots: float) -> Floats:
    """One size for all, or the end of a range that it is beyond."""
    return np.array([min(max(pots, each.range.low), each.range.high) for each in tree.sizers])


def grid(tree: BetTree, problem: Problem, points: int) -> Iterator[Ascent]:
    """The values of `points` sizes for all, from the lowest end of all ranges to the highest."""
    low, high = min(each.range.low for each in tree.sizers), max(each.range.high for each in tree.sizers)
    for pots in np.linspace(low, high, points):
        sizes = same_sizes(tree, float(pots))
        yield Ascent(sizes, bound_value(tree, sizes, problem)[0].value)


def ascend(tree: BetTree, problem: Problem, steps: int, start: Floats | None = None) -> Iterator[Ascent]:
    """Solve, take the slope of the value in every size, and go along its sign: by a tenth of the range at first, by
    half as much where the value fell. Each step costs a whole solution.
    """
    low = np.array([each.range.low for each in tree.sizers])
    high = np.array([each.range.high for each in tree.sizers])
    sizes = tree.middles if start is None else start
    step = (high - low) / 10
    last: Floats | None = None
    for _ in range(steps):
        bounds, strategy = bound_value(tree, sizes, problem)
        slope = size_slopes(tree, problem.deal, strategy, sizes).slope
        yield Ascent(sizes, bounds.value)
        if last is not None:
            step = np.where(slope * last < 0, step / 2, step)  # turned round: it was too far
        last = slope
        sizes = np.clip(sizes + step * np.sign(slope), low, high)
