"""Which of several means differ: Dunnett's C, for groups of unequal sizes and variances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import isfinite, sqrt
from typing import NamedTuple

from kibitz.errors import KibitzError

MOST_DEGREES = 100_000  # of freedom; from there on the studentised range is that of infinitely many


class Group(NamedTuple):
    """The mean of a group of independent samples, their standard deviation and their number."""

    mean: float
    deviation: float
    samples: int


class Comparison(NamedTuple):
    """The difference of two means, first less second, and how large it must be to be significant."""

    first: int
    second: int
    difference: float
    critical: float

    @property
    def significant(self) -> bool:
        """Whether the means differ, with the family-wise error that the comparison was made for."""
        return abs(self.difference) > self.critical


def dunnett_c(groups: Sequence[Group], level: float = 0.05) -> list[Comparison]:
    """All pairs of `groups` compared by Dunnett's C (Dunnett 1980); the groups are independent of each other.

    With v = s^2 / n and q_i the upper `level` point of the studentised range of k groups and n_i - 1 degrees of
    freedom, means a and b differ if |m_a - m_b| > (q_a v_a + q_b v_b) / (v_a + v_b) / sqrt 2 * sqrt(v_a + v_b).
    """
    if not 0 < level < 1:
        raise KibitzError(f"a level of {level}: it lies between 0 and 1")
    for number, group in enumerate(groups):
        if group.samples < 2 or not isfinite(group.mean) or not isfinite(group.deviation):
            raise KibitzError(f"group {number} has {group.samples} samples: a spread takes at least two")
    points = [range_point(len(groups), group.samples - 1, level) for group in groups]
    squares = [group.deviation**2 / group.samples for group in groups]
    found = []
    for a, b in combinations(range(len(groups)), 2):
        both = squares[a] + squares[b]
        critical = (points[a] * squares[a] + points[b] * squares[b]) / both / sqrt(2) * sqrt(both) if both else 0.0
        found.append(Comparison(a, b, groups[a].mean - groups[b].mean, critical))
    return found


@lru_cache(maxsize=256)
def range_point(groups: int, degrees: int, level: float = 0.05) -> float:
    """Upper `level` point of the studentised range of so many groups and degrees of freedom.

    >>> round(range_point(3, 10), 3)
    3.877
    """
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(1 - level, groups, degrees if degrees < MOST_DEGREES else float("inf")))
