"""Maximum coverage: which few columns of a table are best, when every row takes its best one. No poker here.

    f(S) = sum over rows e of max over columns r in S of u(e, r)

With values that are not negative, f is monotone and submodular, and the greedy choice reaches at least 1 - 1/e of the
best one (Nemhauser, Wolsey and Fisher 1978). Values may be negative here: the least of each row is taken off, which
changes no choice.

>>> values = np.array([[5.0, 0.0, 4.0], [0.0, 5.0, 4.0], [0.0, 1.0, 4.0]])
>>> greedy_cover(values, 2)
[2, 0]
>>> best_cover(values, 2)
[0, 2]
"""

from __future__ import annotations

from heapq import heapify, heappop, heapreplace
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
MOST_SUBSETS = 2_000_000  # that are tried one by one


def greedy_cover(values: npt.ArrayLike, size: int, least_gain: float = 0.0) -> list[int]:
    """Columns in the order in which the greedy algorithm takes them, `size` of them at most.

    It stops where the best gain is no more than `least_gain`; the first column is always taken. Of equal gains the
    first column wins. Gains only shrink, so those of before are bounds, and few are computed again (lazy evaluation).

    values : float[rows, columns]
    """
    gains = shifted(values)
    held = np.zeros(len(gains))
    heap = [(-float(gain), column, 0) for column, gain in enumerate(gains.sum(axis=0))]
    heapify(heap)
    chosen: list[int] = []
    while heap and len(chosen) < size:
        gain, column, known = heap[0]
        if known < len(chosen):
            fresh = float(np.maximum(gains[:, column] - held, 0.0).sum())
            heapreplace(heap, (-fresh, column, len(chosen)))
        elif chosen and -gain <= least_gain:
            break
        else:
            heappop(heap)
            chosen.append(column)
            held = np.maximum(held, gains[:, column])
    return chosen


def best_cover(values: npt.ArrayLike, size: int) -> list[int]:
    """The best `size` columns by trying all subsets, ascending; the first of equals."""
    gains = shifted(values)
    size = min(size, gains.shape[1])
    if comb(gains.shape[1], size) > MOST_SUBSETS:
        raise KibitzError(
            f"{comb(gains.shape[1], size):,} subsets of {size} of {gains.shape[1]}: at most {MOST_SUBSETS:,} are tried"
        )
    return list(max(combinations(range(gains.shape[1]), size), key=lambda subset: covered(gains, list(subset))))


def covered(values: npt.ArrayLike, columns: list[int]) -> float:
    """What the rows have when each takes its best of `columns`: the sum over rows."""
    return float(_table(values)[:, columns].max(axis=1).sum())


def cover_ratio(values: npt.ArrayLike, columns: list[int]) -> float:
    """What `columns` cover over what the best ones of that number cover, both above the least of each row."""
    gains = shifted(values)
    best = covered(gains, best_cover(gains, len(columns)))
    return covered(gains, columns) / best if best else 1.0


def shifted(values: npt.ArrayLike) -> Floats:
    """The values above the least of their row: not negative."""
    table = _table(values)
    return np.asarray(table - table.min(axis=1, keepdims=True))


def _table(values: npt.ArrayLike) -> Floats:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or not table.size:
        raise KibitzError(f"values of shape {table.shape}: rows and columns are needed, at least one of each")
    if not np.isfinite(table).all():
        raise KibitzError("values that are not finite numbers cannot be covered")
    return table
