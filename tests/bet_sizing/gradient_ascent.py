"""Other ways to look for bet sizes: a grid, and gradient ascent by exact slopes, each step a whole solution."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from kibitz.bet_sizing.compiled import BetSizingGame, Slopes, Walk, equivalent_game
from kibitz.bet_sizing.sizing import Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.value import Floats, bound_value
from kibitz.deals import MatrixDeal
from kibitz.solvers.problem import Problem
from kibitz.solvers.vector import NO_RULE, VALUE
from kibitz.solvers.vector.passes import Passes
from kibitz.strategy import Strategy


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
