"""Passes over a compiled game with vectors of private states: whole iterations, one pass down or up, root values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import ThreadpoolController

from kibitz.parallel.team import SIZE, Team, available_cores
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector import BEST, BOTH, NO_RULE, REGRETS, VALUE, Discounts, Rule

Floats = npt.NDArray[np.float64]
Sums = tuple[Floats, Floats, Floats]
PAIRS_PER_THREAD = 30_000  # infoset-action pairs that make another thread worth its waiting for the others
NO_STEPS = (0, 0, False, (0.0, 0.0, 0.0))
NO_PASS = (0, 0, 0, REGRETS, NO_RULE)


class Passes:
    """Reach and values of a form, and the threads that fill them. What comes out does not depend on how many.

    threads   at most so many; fewer where a game is too small to keep them busy
    """

    def __init__(self, compiled: VectorGame, threads: int = 1) -> None:
        self.compiled = compiled
        self.threads = max(1, min(threads, compiled.layout.size // PAIRS_PER_THREAD))
        self.reach, self.values = compiled.scratch()
        self._works = [compiled.leaves.scratch(False) for _ in range(self.threads)] if compiled.is_dense else []

    def iterate(
        self, first: int, count: int, alternating: bool, discounts: Discounts, sigma: Floats, sums: Sums
    ) -> None:
        """Iterations first .. first + count; sums = (regret, prediction, average)."""
        steps = (first, count, alternating, discounts)
        buffers = (self.compiled.game, sigma, self.reach, self.values, sums)
        if self.compiled.is_dense:
            from kibitz.solvers.vector.dense import _kernels as dense

            tables = (*self.compiled.leaves.tables, self.compiled.leaves.matrices(exact=False))
            self._run(lambda team: dense.iterate(team, *steps, *buffers, tables, self._works[team[1]]))
        else:
            from kibitz.solvers.vector import _kernels

            self._share(count, lambda team: _kernels.run(team, steps, NO_PASS, *buffers))

    def down(self, who: int, sigma: Floats, sums: Sums) -> None:
        """Match the regrets of the players in the mask `who`, and pass on the reach of both."""
        self._pass((who, BOTH, 0, REGRETS, NO_RULE), sigma, sums)

    def up(self, p: int, job: int, rule: Rule, sigma: Floats, sums: Sums, exact: bool = True) -> None:
        """The values of player p; in a dense game `exact` ones are multiplied in double precision."""
        if self.compiled.is_dense:
            from kibitz.solvers.vector.dense import _kernels as dense

            leaves = self.compiled.leaves
            tables = (*leaves.tables, leaves.matrices(exact))
            works = [leaves.scratch(exact) for _ in range(self.threads)] if exact else self._works
            buffers = (self.compiled.game, self.reach, self.values, tables)
            self._run(lambda team: dense.fill(team, p, *buffers, works[team[1]]))
        self._pass((0, 0, 1 << p, job, rule), sigma, sums)

    def _pass(self, once: tuple[int, int, int, int, Rule], sigma: Floats, sums: Sums) -> None:
        from kibitz.solvers.vector import _kernels

        buffers = (self.compiled.game, sigma, self.reach, self.values, sums)
        self._share(1, lambda team: _kernels.run(team, NO_STEPS, once, *buffers))

    def _share(self, passes: int, kernel: Callable[[tuple[Any, int, int]], None]) -> None:
        """`_run`, or the kernel at once where handing it over to a thread would take longer than its passes."""
        if passes * self.compiled.layout.size <= PAIRS_PER_THREAD:
            kernel(_alone())
        else:
            self._run(kernel)

    def _run(self, kernel: Callable[[tuple[Any, int, int]], None]) -> None:
        with _quiet_blas(self.compiled.is_dense):
            self._team.run(lambda control, member: kernel((control, member, self.threads)))

    @cached_property
    def _team(self) -> Team:
        return Team(self.threads)


def _alone() -> tuple[npt.NDArray[np.int64], int, int]:
    """A team of this thread."""
    return np.zeros(SIZE, dtype=np.int64), 0, 1


@contextmanager
def _quiet_blas(is_used: bool) -> Iterator[None]:
    """BLAS on one thread: two teams on the same cores, its own and ours, would wait for each other."""
    if not is_used:
        yield
        return
    with _libraries().limit(limits=1, user_api="blas"):
        yield


@cache
def _libraries() -> ThreadpoolController:
    """The libraries with threads of their own; finding them takes milliseconds."""
    import scipy.linalg.cython_blas  # noqa: F401 - the BLAS that kernels call must be there to be found

    return ThreadpoolController()


def root_values(compiled: VectorGame, sigma: np.ndarray, response: np.ndarray, best: bool) -> tuple[float, float]:
    """What the hand is worth to both seats; best actions go to `response` if it has room for them."""
    from kibitz.solvers.vector import _kernels

    if not sigma.flags.writeable or sigma.dtype != np.float64:
        sigma = np.array(sigma, dtype=np.float64)  # kernels do not take the read-only arrays of memory maps
    job = BEST if best else VALUE
    if compiled.is_dense:
        return _dense_values(compiled, job, sigma, response)
    reach, values = compiled.scratch()
    once, sums = (0, BOTH, BOTH, job, NO_RULE), (response, response[:0], response)
    _kernels.run(_alone(), NO_STEPS, once, compiled.game, sigma, reach, values, sums)
    # One by one, in order: the sum of an array adds in pairs, which rounds otherwise.
    first, second = (compiled.at_root(values, p).cumsum()[-1] for p in range(2))
    return float(first), float(second)


def _dense_values(compiled: VectorGame, job: int, sigma: np.ndarray, response: np.ndarray) -> tuple[float, float]:
    """`root_values` where leaves are products of matrices, on all cores."""
    passes = Passes(compiled, available_cores())
    sums = (response, response[:0], response)
    passes.down(0, sigma, sums)
    found = []
    for p in range(2):
        passes.up(p, job, NO_RULE, sigma, sums)
        found.append(float(compiled.at_root(passes.values, p).sum()))
    return found[0], found[1]
