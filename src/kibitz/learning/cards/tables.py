"""Tables of straights: which rank pairs make or draw to one on a board, for every set of up to four board ranks.

A set of ranks is 13 bits, the deuce lowest. Window w is the straight of rank w: 0 is the wheel, 9 the one to the ace.
The state of an unordered pair of hole ranks on a set of board ranks says what both together have: nothing (N), a draw
that one rank completes (G), one that two or more ranks complete (D), or a straight (S).
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

N, G, D, S = 0, 1, 2, 3
WINDOWS = np.array([0b1_0000_0000_1111, *(0b11111 << low for low in range(9))], dtype=np.int64)
PAIRS = np.array([(1 << high) | (1 << low) for high in range(13) for low in range(high)], dtype=np.int64)


def _popcount(sets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return np.asarray(sum((sets >> bit & 1) for bit in range(13)))


def _rows() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int16]]:
    """The sets of up to four ranks, and the row of every set of ranks among them, -1 for larger ones."""
    every = np.arange(1 << 13)
    sets = every[_popcount(every) <= 4]
    row = np.full(1 << 13, -1, dtype=np.int16)
    row[sets] = np.arange(len(sets))
    return sets, row


SETS, ROW = _rows()
PAIR_SHAPE = (len(SETS), len(PAIRS))


def _completing() -> npt.NDArray[np.int16]:
    """Ranks that complete a straight with both ranks of a pair: int16[sets, pairs], as sets."""
    found = np.zeros((len(SETS), len(PAIRS)), dtype=np.int64)
    for window in WINDOWS:
        missing = (window & ~SETS)[:, None]
        holds = (missing & PAIRS) == PAIRS
        found |= np.where(holds & (_popcount(missing) == 3), missing & ~PAIRS, 0)
    return found.astype(np.int16)


def _states(completing: npt.NDArray[np.int16]) -> npt.NDArray[np.uint8]:
    """The state of every pair: uint8[sets, pairs]."""
    made = np.zeros(completing.shape, dtype=bool)
    for window in WINDOWS:
        made |= (window & ~SETS)[:, None] == PAIRS
    ways = _popcount(completing.astype(np.int64))
    return np.where(made, S, np.minimum(ways, D)).astype(np.uint8)


STATE_SHIFT = 13  # the state of a pair stands above the ranks that complete it


@cache
def pair_table() -> npt.NDArray[np.uint16]:
    """Ranks that complete a straight with a pair, and the pair's state above them: uint16[sets, pairs]."""
    completing = _completing()
    return (completing.astype(np.uint16) | _states(completing).astype(np.uint16) << STATE_SHIFT).astype(np.uint16)
