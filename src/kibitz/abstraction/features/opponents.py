"""Opponent cluster hand strength (OCHS): a river hand against eight kinds of opponent instead of one.

The kinds are clusters of the 169 starting hands by the distribution of their river strength (k-medians by earth
mover's distance, from a fixed seed), weakest first. Vectors are made board by board when they are asked for.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import CANONICAL, get_boards
from kibitz.abstraction.features.strength import pair_masks
from kibitz.cards import cards_to_mask
from kibitz.evaluator import evaluate_boards

OPPONENTS = 8
WHOLE = 4095
"""What stands for a sure win. Integers make every distance exact, on any machine."""


class OpponentRows:
    """OCHS vectors on river boards; `clusters` is int64[1326], the kind of opponent (0 .. 7) that holds each pair."""

    size = 5
    count = CANONICAL[5]

    def __init__(self, clusters: npt.NDArray[np.int64]) -> None:
        self.clusters = clusters

    def rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
        """The vectors of all pairs on the canonical boards `rows`: int16[n, 1326, 8], 0 for pairs not there.

        Entry k is the chance to beat a hand of cluster k that shares no card, ties half, up to 4095; half of it where
        there is none.
        """
        from kibitz.abstraction.features._kernels import opponent_strengths

        out = np.empty((len(rows), len(self.clusters), OPPONENTS), dtype=np.int16)
        opponent_strengths(evaluate_boards(_board_masks()[rows], _pair_masks()), self.clusters, WHOLE, out)
        return out


@lru_cache(maxsize=1)
def _board_masks() -> npt.NDArray[np.uint64]:
    return np.array([cards_to_mask(board) for board in get_boards(5).cards.tolist()], dtype=np.uint64)


@lru_cache(maxsize=1)
def _pair_masks() -> npt.NDArray[np.uint64]:
    return pair_masks()
