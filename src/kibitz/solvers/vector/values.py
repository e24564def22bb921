"""What a hand is worth to both seats of a matrix game, to those who play a strategy and to best responses to it."""

from __future__ import annotations

import numpy as np

from kibitz.parallel.team import available_cores
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector.packing import packed
from kibitz.solvers.vector.passes import NO_RULE, Passes


def root_values(compiled: VectorGame, sigma: np.ndarray, response: np.ndarray, best: bool) -> tuple[float, float]:
    """What the hand is worth to both seats; best actions go to `response` if it has room for them."""
    from kibitz.solvers.vector import _kernels

    if not sigma.flags.writeable or sigma.dtype != np.float64:
        sigma = np.array(sigma, dtype=np.float64)  # kernels do not take the read-only arrays of memory maps
    job = _kernels.BEST if best else _kernels.VALUE
    if compiled.is_dense:
        return _dense_values(compiled, job, sigma, response)
    with packed():
        reach, values = compiled.scratch()
        first, second = _kernels.root_values(job, compiled.game, sigma, reach, values, response)
    return float(first), float(second)


def _dense_values(compiled: VectorGame, job: int, sigma: np.ndarray, response: np.ndarray) -> tuple[float, float]:
    """`root_values` where leaves are products of matrices, on all cores."""
    passes = Passes(compiled, available_cores())
    sums = (response, response[:0], response)
    passes.down(0, sigma, sums)
    found = []
    for p in range(2):
        passes.up(p, job, NO_RULE, sigma, sums)
        found.append(float(passes.values[p, : compiled.deal.counts[0, p]].sum()))
    return found[0], found[1]
