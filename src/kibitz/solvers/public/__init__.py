"""Public chance sampling of small two-player games: one board an iteration, all the hands on it."""

from __future__ import annotations

import numpy as np

from kibitz.solvers.compiled.public import public_game
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.sampled import SampledSolver


class PublicChanceSampled(SampledSolver):
    """Public chance sampling: one board, all the hands on it (Johanson, Bard, Lanctot, Gibson and Bowling 2012).

    For two players whose cards are a matrix deal. Where there is no board nothing is sampled, and this is CFR.
    """

    algorithm = "pcs"

    def __init__(self, compiled: VectorGame, seed: int = 0, weighting: str = "uniform", threads: int = 1) -> None:
        super().__init__(compiled.layout, seed, weighting, threads)
        self.compiled = compiled
        self._public = public_game(compiled)

    def _walk(self, begin: int, end: int) -> None:
        from kibitz.solvers.public import _kernels

        settings = (begin, end - begin, self._key(), self.weighting == "linear")
        buffers = (np.empty(self.layout.size), *self._public.scratch())
        _kernels.iterate(*settings, tuple(self._public), self.regret, self.average, *buffers)
