"""Counterfactual regret minimisation on a GPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.solvers.cfr import CFR, Weighting
from kibitz.solvers.compiled.gpu import GpuGame
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.gpu import check_gpu
from kibitz.solvers.vector import BEST, BOTH, REGRETS, VALUE, rule_at
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]


class GpuCFR(CFR):
    """`CFR` on the GPU, in double precision throughout; its sums return to the CPU after every `step`.

    arrays   CuPy, or NumPy for the simulator of numba
    """

    def __init__(
        self,
        compiled: VectorGame,
        algorithm: str = "dcfr",
        alternating: bool = True,
        arrays: Any = None,
        threads: int = 128,
    ) -> None:
        super().__init__(compiled, algorithm, alternating)
        if self.weighting.predict:
            raise KibitzError(f"{algorithm} does not run on a GPU: take dcfr, linear, cfr+ or cfr")
        self.gpu = GpuGame(compiled, check_gpu() if arrays is None else arrays, threads)

    def step(self, count: int = 1) -> None:
        with session(self.gpu, self.regret, self.average):
            for _ in range(count):
                self.iteration += 1
                iterate(self.gpu, self.iteration, self.weighting, self.alternating)


@contextmanager
def session(gpu: GpuGame, regret: Floats, average: Floats) -> Iterator[None]:
    """Copy the sums to the GPU and, at the end, back."""
    take = gpu.arrays.asarray
    with gpu.at_work():
        gpu.regret[...], gpu.average[...] = take(regret), take(average)
        gpu.changed = BOTH
        yield
        regret[...], average[...] = fetch(gpu.regret), fetch(gpu.average)


def iterate(gpu: GpuGame, t: int, weighting: Weighting, alternating: bool) -> None:
    """Iteration t, as `solvers.vector` makes it."""
    gpu.rule[...] = gpu.arrays.asarray(rule_at(t, weighting.discounts))
    for p in range(2):
        if p == 0 or alternating:
            gpu.prepare(gpu.changed)
            gpu.changed = 0
        gpu.go_up(p, REGRETS)
        gpu.changed |= 1 << p


def best_values(gpu: GpuGame, strategy: Strategy) -> tuple[float, ...]:
    """What best responses of the two seats win against `strategy`, found on the GPU."""
    gpu.compiled.check(strategy)
    found = []
    with gpu.at_work():
        gpu.sigma[...] = gpu.arrays.asarray(np.ascontiguousarray(strategy.values))
        gpu.go_down()
        for p in range(2):
            gpu.go_up(p, BEST)
            found.append(gpu.root_value(p))
    return tuple(found)


def expected_value(gpu: GpuGame, strategy: Strategy) -> float:
    """Chips per hand of seat 0 when both seats play `strategy`, found on the GPU."""
    gpu.compiled.check(strategy)
    with gpu.at_work():
        gpu.sigma[...] = gpu.arrays.asarray(np.ascontiguousarray(strategy.values))
        gpu.go_down()
        gpu.go_up(0, VALUE)
        return gpu.root_value(0)


def fetch(array: Any) -> Floats:
    """An array on the GPU as one of NumPy."""
    home: Floats = array.get() if hasattr(array, "get") else array
    return home
