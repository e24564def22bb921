"""What clusters of hands are made of: rows of numbers for all hands on a board, made when they are asked for.

Before the river, how the strength on it is distributed: histograms of HS in 50 bins, as distribution functions. All
turns would be 1.4 GB. Earth mover's distance between two histograms is the sum of |difference| of their distribution
functions, in bins, so these are what is handed out, with the last value, which is always the whole, left off.

On the river, opponent cluster hand strength (OCHS): a hand against eight kinds of opponent instead of one. The kinds
are clusters of the 169 starting hands by the distribution of their river strength (k-medians by earth mover's distance,
from a fixed seed), weakest first.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import CANONICAL, PAIRS, get_boards, get_extensions
from kibitz.abstraction.features.strength import (
    MOST,
    class_counts,
    completions,
    feature_table,
    pair_classes,
    pair_masks,
)
from kibitz.cards import cards_to_mask
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards

BINS = 50
WIDTH = 64
"""Bytes of a distribution function: 49 values and zeros, a size that vector instructions like."""
WHOLE = {0: 255, 3: 255, 4: 46}
"""What stands for 1 with each number of board cards; a turn hand has 46 rivers, so that nothing is rounded."""
OPPONENTS = 8
SURE_WIN = 4095
"""What stands for a sure win against opponents. Integers make every distance exact, on any machine."""


class HistogramRows:
    """Distributions of river strength on boards of 0, 3 or 4 cards."""

    def __init__(self, size: int) -> None:
        if size not in WHOLE:
            raise KibitzError(f"histograms with {size} cards on the board: there are {', '.join(map(str, WHOLE))}")
        self.size, self.whole = size, WHOLE[size]
        self.count = CANONICAL[size]
        self._rivers = feature_table("EHS", 5)
        self._preflop = class_cumulative() if size == 0 else None

    def rows(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.uint8]:
        """Distribution functions of all pairs on the canonical boards `rows`: uint8[n, 1326, 64], up to `whole`.

        Entry b is the share of completions with HS below (b + 1) / 50 (the last bin includes 1). What stands for pairs
        that share a card with the board means nothing.
        """
        from kibitz.abstraction.features import _kernels

        if self._preflop is not None:
            return self._preflop[None, pair_classes()]
        out = np.zeros((len(rows), PAIRS, WIDTH), dtype=np.uint8)
        cards = get_boards(self.size).cards
        if self.size == 4:
            _kernels.cumulate_turns(rows, cards, get_extensions(4), self._rivers, self.whole, out)
        else:
            extensions = get_extensions(3), get_extensions(4)
            _kernels.cumulate_flops(rows, cards, *extensions, self._rivers, self.whole, out)
        return out


def class_cumulative() -> npt.NDArray[np.uint8]:
    """The distribution functions of the 169 starting hands: uint8[169, 64], up to 255."""
    bins = np.minimum(np.arange(MOST + 1) * BINS // MOST, BINS - 1)
    below = np.stack([class_counts()[:, bins <= last].sum(axis=1) for last in range(BINS - 1)], axis=1)
    total = completions(0)
    out = np.zeros((len(below), WIDTH), dtype=np.uint8)
    out[:, : BINS - 1] = (below * WHOLE[0] + total // 2) // total
    return out


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
        opponent_strengths(evaluate_boards(_board_masks()[rows], _pair_masks()), self.clusters, SURE_WIN, out)
        return out


@lru_cache(maxsize=1)
def _board_masks() -> npt.NDArray[np.uint64]:
    return np.array([cards_to_mask(board) for board in get_boards(5).cards.tolist()], dtype=np.uint64)


@lru_cache(maxsize=1)
def _pair_masks() -> npt.NDArray[np.uint64]:
    return pair_masks()
