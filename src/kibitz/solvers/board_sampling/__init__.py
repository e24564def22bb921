"""Public chance sampling of two-player hold'em in card buckets: one board an iteration, all hands of both on it."""

from __future__ import annotations

import numpy as np

from kibitz.solvers.compiled.boards import BoardGame
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.solvers.sampled import DealSampled

NOTHING = np.empty((0, 3))
BOARDS_AT_ONCE = 64  # ranked ahead: enough to forget the cost of the calls


class BoardSampled(DealSampled):
    """Public chance sampling of hold'em in buckets (Johanson, Bard, Lanctot, Gibson and Bowling 2012).

    Iteration t deals board number t of the seed; one walk of the betting then updates both players at all hands on it,
    from the regrets that both had before: the board is the same for both, and a player who had learnt from it first
    would make the other's regrets biased. Buckets may have imperfect recall.
    """

    algorithm = "pcs"

    def __init__(self, compiled: SampledGame, seed: int = 0, weighting: str = "uniform", threads: int = 1) -> None:
        super().__init__(compiled, seed, weighting, threads)
        self.boards = BoardGame(compiled)

    def _walk(self, begin: int, end: int) -> None:
        from kibitz.solvers.board_sampling import _kernels

        work, linear = self.boards.scratch(), self.weighting == "linear"
        for first in range(begin, max(end, begin + 1), BOARDS_AT_ONCE):
            count = min(BOARDS_AT_ONCE, end - first)
            ranked = self.boards.rank(self.boards.boards(self.seed, first, max(count, 1)))
            wanted = tuple(each[:count] for each in ranked)  # no boards at all still load the kernels
            _kernels.iterate(first, linear, self.boards.tree, wanted, self.regret, self.average, work, NOTHING)
