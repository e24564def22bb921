"""What to hold BETS against: random sizes, one size for all, plain gradient ascent on the value of equilibria."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.evaluate import evaluate
from kibitz.bet_sizing.profile import size_slopes
from kibitz.bet_sizing.tree import BetTree
from kibitz.solvers.problem import Problem

Floats = npt.NDArray[np.float64]


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
        yield Ascent(sizes, evaluate(tree, sizes, problem)[0].value)


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
        bounds, strategy = evaluate(tree, sizes, problem)
        slope = size_slopes(tree, problem.deal, strategy, sizes).slope
        yield Ascent(sizes, bounds.value)
        if last is not None:
            step = np.where(slope * last < 0, step / 2, step)  # turned round: it was too far
        last = slope
        sizes = np.clip(sizes + step * np.sign(slope), low, high)
