"""Equitable partitions of a matrix: classes of rows and of columns that nothing in it can tell apart.

A partition is equitable when two rows of one class have the same entries, each as often, within every class of columns,
and two columns of one class within every class of rows. Colour refinement finds the coarsest: everything of one seed
begins in one class, and classes part until nothing is left that parts them. Symmetries of a game, such as suits that
could change their names, show up as classes; no rule of the game is needed to find them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Colours = npt.NDArray[np.uint64]
HALF, FACTOR = np.uint64(32), np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio


class Classes(NamedTuple):
    """Classes of rows or of columns, numbered as they are first met.

    first    int64[classes]: the first member of each
    members  int64[classes]: how many there are
    of       int64[n]: the class of each row or column
    """

    first: Ints
    members: Ints
    of: Ints


def equitable_partition(
    matrix: sparse.csr_array, row_seeds: tuple[Floats, ...], column_seeds: tuple[Floats, ...]
) -> tuple[Classes, Classes]:
    """The coarsest equitable partition of rows and columns within which every seed is constant.

    Numbers count as the same only if they are so to the last bit. Colours are hashes of 64 bits, so n rows are told
    apart rightly but for a chance of about n^2 / 2^64 a round.
    """
    across = sparse.csr_array((_hashed(matrix.data), matrix.indices, matrix.indptr), shape=matrix.shape)
    down = across.T
    rows, columns = _hashed(*row_seeds), _hashed(*column_seeds)
    before, found = 0, 2
    while before < found < sum(matrix.shape):  # a round that parts nothing is the last, as is one that parts everything
        rows = _mixed(rows + across @ columns)
        columns = _mixed(columns + down @ rows)
        before, found = found, len(np.unique(rows)) + len(np.unique(columns))
    return _numbered(rows), _numbered(columns)


def _hashed(*keys: Floats) -> Colours:
    """One colour for each tuple of numbers."""
    colours = np.zeros(keys[0].shape, dtype=np.uint64)
    for key in keys:
        colours = _mixed(colours + (key + 0.0).view(np.uint64) + FACTOR)  # + 0.0, since -0.0 has other bits than 0.0
    return colours


def _mixed(colours: Colours) -> Colours:
    """A bijection after which sums of colours tell multisets of them apart."""
    for _ in range(2):
        colours = (colours ^ (colours >> HALF)) * FACTOR
    return colours ^ (colours >> HALF)


def _numbered(colours: Colours) -> Classes:
    _, first, of, members = np.unique(colours, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(first)
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return Classes(first[order], members[order], number[of])
