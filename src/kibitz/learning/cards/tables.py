"""Tables of straights: which rank pairs make or draw to one on a board, for every set of up to four board ranks.

A set of ranks is 13 bits, the deuce lowest. Window w is the straight of rank w: 0 is the wheel, 9 the one to the ace.
The state of an unordered pair of hole ranks on a set of board ranks says what both together have: nothing (N), a draw
that one rank completes (G), one that two or more ranks complete (D), or a straight (S). A set of such pairs is two
numbers of 39 bits.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
N, G, D, S, BY_RANK = range(5)  # rows of a table: the pairs of each state, then those that each rank completes
WINDOWS = np.array([0b1_0000_0000_1111, *(0b11111 << low for low in range(9))], dtype=np.int64)
PAIRS = np.array([1 << high | 1 << low for low, high in combinations(range(13), 2)], dtype=np.int64)


def _count(sets: Ints) -> Ints:
    return np.bitwise_count(sets).astype(np.int64)


def _packed(chosen: npt.NDArray[np.bool_]) -> Ints:
    """Sets of pairs, int64[..., 2], from bool[..., pairs]."""
    halves = chosen.reshape(*chosen.shape[:-1], 2, -1)
    return halves.astype(np.int64) @ (1 << np.arange(halves.shape[-1]))


_EVERY = np.arange(1 << 13)
SETS = _EVERY[_count(_EVERY) <= 4]
ROW = np.full(1 << 13, -1, dtype=np.int16)
"""The row of every set of up to four ranks, -1 for larger ones."""
ROW[SETS] = np.arange(len(SETS))
PAIR_SHAPE = (len(SETS), BY_RANK + 13, 2)
HOLDING = _packed(PAIRS >> np.arange(13)[:, None] & 1 == 1)
"""The pairs that hold a rank: int64[13, 2]."""


@cache
def pair_table() -> Ints:
    """Sets of pairs on every set of board ranks: those of each state, then those that each rank completes."""
    completing = np.zeros((len(SETS), len(PAIRS)), dtype=np.int64)
    made = np.zeros(completing.shape, dtype=bool)
    for window in WINDOWS:
        missing = (window & ~SETS)[:, None]
        made |= missing == PAIRS
        completing |= np.where((missing & PAIRS == PAIRS) & (_count(missing) == 3), missing & ~PAIRS, 0)
    state = np.where(made, S, np.minimum(_count(completing), D))
    table = [*(state == each for each in (N, G, D, S)), *(completing >> rank & 1 == 1 for rank in range(13))]
    return np.stack([_packed(each) for each in table], axis=1)
