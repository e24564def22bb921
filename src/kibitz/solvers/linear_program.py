"""Linear programs, made smaller by their symmetries and solved by HiGHS.

    minimise cost' x   subject to   matrix x <= limits (or = limits, row by row),   x >= least

Take an equitable partition within whose classes cost, least and limits are constant. P averages variables over their
classes, Q constraints. Then matrix P = Q matrix, so P x is feasible where x is, and it costs as much: some optimal
solution is constant on every class, and one variable and one constraint per class find it. The same holds for the
multipliers (Grohe, Kersting, Mladenov and Selman 2014). A cost that tells variables apart keeps them apart, so nothing
is lost; a program without symmetries is solved as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import OptimizeResult, linprog

from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Colours = npt.NDArray[np.uint64]
HALF, FACTOR = np.uint64(32), np.uint64(0x9E3779B97F4A7C15)  # 2^64 / golden ratio
# HiGHS's dual simplex ends on a vertex, exact to rounding, and takes less time than its interior point method here.
METHOD = "highs-ds"
OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


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


class Optimum(NamedTuple):
    """The least cost, variables float64[n] that have it, and what one more of each limit would add, float64[m]."""

    cost: float
    variables: Floats
    multipliers: Floats


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """See above.

    cost    float64[n]
    matrix  csr float64[m, n]
    limits  float64[m]: the first `uppers` rows stay at or below them, the others meet them
    least   float64[n], -inf where a variable is free
    """

    cost: Floats
    matrix: sparse.csr_array
    limits: Floats
    uppers: int
    least: Floats

    def solve(self) -> Optimum:
        """The optimum, constant on the program's symmetries; an error says what HiGHS made of it."""
        meets = np.zeros(len(self.limits))
        meets[self.uppers :] = 1.0
        rows, columns = equitable_partition(self.matrix, (self.limits, meets), (self.cost, self.least))
        result = self._quotient(rows, columns)._run()
        if not result.success:
            raise KibitzError(f"a linear program of {len(self.cost)} variables was not solved: {result.message}")
        multipliers = np.concatenate((result.ineqlin.marginals, result.eqlin.marginals)) / rows.members
        return Optimum(float(result.fun), result.x[columns.of], multipliers[rows.of])

    def _quotient(self, rows: Classes, columns: Classes) -> LinearProgram:
        """One constraint per class of rows, and one variable, which stands for all of them, per class of columns."""
        kept = self.matrix[rows.first]
        matrix = sparse.csr_array(
            (kept.data, columns.of[kept.indices], kept.indptr), (len(rows.first), len(columns.first))
        )
        matrix.sum_duplicates()
        cost = self.cost[columns.first] * columns.members
        uppers = int(np.searchsorted(rows.first, self.uppers))
        return LinearProgram(cost, matrix, self.limits[rows.first], uppers, self.least[columns.first])

    def _run(self) -> OptimizeResult:
        upper, limits = self.uppers, self.limits
        bounds = np.column_stack((self.least, np.full(len(self.least), np.inf)))
        sides = (self.matrix[:upper], limits[:upper], self.matrix[upper:], limits[upper:])
        return linprog(self.cost, *sides, bounds, method=METHOD, options=OPTIONS)
