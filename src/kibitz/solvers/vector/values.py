"""What a hand is worth to both seats of a matrix game, to those who play a strategy and to best responses to it."""

from __future__ import annotations

import numpy as np

from kibitz.parallel.team import SIZE, available_cores
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector import BEST, BOTH, NO_RULE, VALUE
from kibitz.solvers.vector.passes import NO_STEPS, Passes


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
    alone = (np.zeros(SIZE, dtype=np.int64), 0, 1)  # a team of this thread
    _kernels.run(alone, NO_STEPS, once, compiled.game, sigma, reach, values, sums)
    first, second = (np.cumsum(compiled.at_root(values, p))[-1] for p in range(2))  # one by one, in order
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
