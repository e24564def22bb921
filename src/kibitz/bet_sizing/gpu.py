"""Full-width BETS on a GPU: players learn there, sizes move here."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.bet_sizing.tree import BetTree
from kibitz.bet_sizing.vector import VectorBets
from kibitz.deals import MatrixDeal
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.solvers.compiled.gpu import GpuGame
from kibitz.solvers.gpu.cfr import fetch, iterate, session
from kibitz.solvers.gpu.device import check_gpu


class GpuBets(VectorBets):
    """`VectorBets` on the GPU, in double precision throughout."""

    def __init__(self, tree: BetTree, deal: MatrixDeal, arrays: Any = None, block: int = 128, **settings: Any) -> None:
        super().__init__(tree, deal, **settings)
        self.gpu = GpuGame(self.compiled, check_gpu() if arrays is None else arrays, block)
        take, slopes = self.gpu.arrays.asarray, self._slopes
        self._ends = [take(array) for array in (slopes.slots, slopes.places, slopes.widths)]
        self._won = self.gpu.arrays.zeros(len(slopes.ends))
        self._bets = [(here, [take(each) for each in slots], take(weight)) for here, slots, weight in slopes.groups]

    def step(self, count: int = 1) -> None:
        with session(self.gpu, self.regret, self.average):
            self._restake()
            for _ in range(count):
                self.iteration += 1
                iterate(self.gpu, self.iteration, WEIGHTINGS[self.weighting], self.alternating)
                self._find_slopes()
                self._move()

    def _find_slopes(self) -> None:
        gpu, slopes = self.gpu, self._slopes
        slots, places, widths = self._ends
        gpu.win(slots, places, widths, self._won)
        slopes.settle(self.sizing.table, fetch(self._won))
        for here, slots, weight in self._bets:
            first, second = (gpu.rows(slots[p], weight.shape[p]) for p in range(2))
            slopes.reach[here] = fetch(((first @ weight) * second).sum(axis=1))

    def _restake(self) -> None:
        super()._restake()
        if hasattr(self, "gpu"):
            self.gpu.stake[...] = self.gpu.arrays.asarray(np.asarray(self.compiled.stake))
