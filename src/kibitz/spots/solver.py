"""Counterfactual regret minimisation on a spot, players in turn, with vectors of hands."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.solvers.cfr import WEIGHTINGS, Weighting
from kibitz.spots.compiled import BEST, VALUE, Numbers, SpotGame, aligned_zeros
from kibitz.spots.size import check_memory
from kibitz.spots.walk import Walker
from kibitz.strategy import Strategy

ALGORITHMS = tuple(name for name, rule in WEIGHTINGS.items() if not rule.predict)


class Measure(NamedTuple):
    """What a strategy is worth, chips per hand from the spot on; without rake the values add up to the pot.

    values      both players' when both play it
    responses   what a best response to the other's part would win
    """

    values: tuple[float, float]
    responses: tuple[float, float]

    @property
    def gains(self) -> tuple[float, float]:
        """What each player would gain by a best response."""
        return self.responses[0] - self.values[0], self.responses[1] - self.values[1]

    @property
    def exploitability(self) -> float:
        """The mean of the gains."""
        return sum(self.gains) / 2


class Progress(NamedTuple):
    """Where a run stands."""

    iteration: int
    measure: Measure
    seconds: float  # spent solving, measuring left out


class SpotCFR:
    """Vector CFR on a spot. float32 halves the memory and the time, and measures to about a millionth of the pot.

    With rake the spot is not zero-sum: CFR is then without guarantee, and the measure says what it came to.
    The result does not depend on `threads`, to the bit.
    """

    def __init__(
        self, compiled: SpotGame, algorithm: str = "dcfr", dtype: npt.DTypeLike = "float32", threads: int = 1
    ) -> None:
        if algorithm not in ALGORITHMS:
            raise KibitzError(f"no algorithm {algorithm!r} for spots: one of {', '.join(ALGORITHMS)}")
        self.compiled = compiled
        self.algorithm = algorithm
        self.dtype = np.dtype(dtype)
        self.threads = threads
        check_memory(compiled.spot, self.dtype.itemsize)
        self.iteration = 0
        self.regret: Numbers = aligned_zeros(compiled.size, self.dtype)
        self.average: Numbers = aligned_zeros(compiled.size, self.dtype)
        self.walker = Walker(compiled, self.dtype, threads)

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; with 0, only get ready."""
        rules = discounts(WEIGHTINGS[self.algorithm], self.iteration + 1, count)
        self.walker.learn(self.regret, self.average, rules)
        self.iteration += count

    def measure(self) -> Measure:
        """What the average strategy is worth and how much best responses to it win.

        Exact with suits kept. With suits merged one river stands for its class, while rounding lets hands that are
        alike drift apart on the turn: then good to about 1e-4 of the pot, 1e-5 in double precision.
        """
        return measure_sums(self.walker, self.average)

    def average_strategy(self) -> Strategy:
        """The strategy that converges."""
        manifest = {**self.parameters(), "iterations": self.iteration}
        return Strategy.from_sums(self.compiled.layout, self.compiled.gather(self.average), manifest)

    def parameters(self) -> dict[str, Any]:
        """What the solver was made with."""
        return {"algorithm": self.algorithm, "updates": "alternating", "numbers": self.dtype.name}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The solver's memory."""
        return {"regret": self.regret, "average": self.average}

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go on from a saved memory."""
        self.iteration = iteration
        for name, array in self.arrays().items():
            array[...] = arrays[name]


def measure_sums(walker: Walker, sums: Numbers) -> Measure:
    """What the strategy that `sums` are proportional to is worth, and how much best responses to it win."""
    values, responses = ([walker.value(p, job, sums) for p in range(2)] for job in (VALUE, BEST))
    return Measure((values[0], values[1]), (responses[0], responses[1]))


def measure_strategy(compiled: SpotGame, strategy: Strategy) -> Measure:
    """What a strategy of the spot is worth, and how much best responses to it win."""
    strategy.layout.check_same(compiled.layout)
    return measure_sums(Walker(compiled, np.float64), compiled.spread(strategy.values))


def discounts(rule: Weighting, first: int, count: int) -> npt.NDArray[np.float64]:
    """For iterations first .. first + count: float64[count, 4].

    What positive and negative regrets are scaled by before the iteration is added (Brown and Sandholm 2019), its weight
    in the average, and the least that a regret may be.
    """
    t = np.arange(first, first + count, dtype=np.float64)
    before = np.maximum(t - 1, 1)
    table = np.ones((count, 4))
    for column, power in enumerate((rule.alpha, rule.beta)):
        if np.isfinite(power):
            table[:, column] = np.where(t > 1, before**power / (before**power + 1), 1.0)
    table[:, 2] = t**rule.gamma
    table[:, 3] = 0.0 if rule.beta == -np.inf else -np.inf
    return table


def solve_spot(
    solver: SpotCFR, *, accuracy: float = 0.0, iterations: int | None = None, every: int = 0
) -> Iterator[Progress]:
    """Step `solver` and measure it, until its exploitability is at most `accuracy` chips, or `iterations`.

    every: iterations between measurements; by default a quarter of those done, at least ten.
    """
    solver.step(0)  # loads, and on a first run compiles, the kernels: no part of the solving
    seconds = 0.0
    while iterations is None or solver.iteration < iterations:
        count = every or max(10, solver.iteration // 4)
        if iterations is not None:
            count = min(count, iterations - solver.iteration)
        start = perf_counter()
        solver.step(count)
        seconds += perf_counter() - start
        progress = Progress(solver.iteration, solver.measure(), seconds)
        yield progress
        if progress.measure.exploitability <= accuracy:
            return
