"""Exact running sums of results.

Results are summed as integers on a fixed grid, so sums are exact and adding partial sums is associative and
commutative. The printed figure is therefore the same to the last bit however the work was cut and merged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.statistics.estimates import MILLI_BIG_BLINDS, Z_95, Estimate, student_95

GRID = 2**20  # grid steps per unit: whole, half and quarter chips are exact, anything else is off by < 5e-7
_LARGEST = 2**53  # |sample| in units: beyond, floats do not tell one chip from the next
_NARROW = 2**27  # |sample| in units, so that a sample fits in 47 bits of grid steps and NumPy can sum them
_LOW_BITS = 24
_BLOCK = 2**14  # samples whose partial products (48 bits each) still add up within an int64


@dataclass(frozen=True, slots=True)
class Moments:
    """Count, sum and sum of squares of samples, exact; `+` merges and no order of merging changes a bit.

    `total` and `squares` are Python integers in grid steps and squared grid steps (see `GRID`). `forfeits` are the
    hands behind the samples that whoever won or lost them gave up for time.
    """

    count: int = 0
    total: int = 0
    squares: int = 0
    forfeits: int = 0

    @classmethod
    def of(cls, samples: npt.ArrayLike) -> Moments:
        """Moments of `samples` (any shape, integers or floats, each below 2^53 in size)."""
        steps = _on_grid(np.asarray(samples).ravel())
        if (np.abs(steps) < _NARROW * GRID).all():
            narrow = steps.astype(np.int64)
            return cls(steps.size, _exact_sum(narrow), _exact_squares(narrow))
        return cls(steps.size, *_wide_sums(steps))

    @classmethod
    def of_clusters(cls, samples: npt.ArrayLike, clusters: npt.ArrayLike) -> Moments:
        """Moments whose estimate is the mean of `samples`, float[n], with the interval of independent clusters.

        clusters : int[n], the number of each sample's cluster, 0 .. k - 1, such as the deal that a hand was played with

        A cluster counts as one sample: its mean, or where clusters differ in size, its sum over the mean size, its
        distance from the overall mean taken sample by sample.
        """
        values, numbers = np.asarray(samples, dtype=np.float64), np.asarray(clusters)
        count, mean = int(numbers.max()) + 1, values.mean()
        return cls.of(np.bincount(numbers, values - mean, count) * count / len(values) + mean)

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            self.forfeits + other.forfeits,
        )

    @property
    def mean(self) -> float:
        """Mean of the samples; 0 when there are none."""
        return self.total / (self.count * GRID) if self.count else 0.0

    @property
    def variance(self) -> float:
        """Unbiased sample variance; infinite below two samples, where nothing is known of it."""
        if self.count < 2:
            return inf
        # Both products are exact integers: nothing cancels, and one correctly rounded division ends it.
        scatter = self.count * self.squares - self.total**2
        return scatter / (self.count * (self.count - 1) * GRID**2)

    def estimate(self, scale: float = 1.0, unit: str = MILLI_BIG_BLINDS, few: bool = False) -> Estimate:
        """The mean with its interval, Z_95 · sqrt(variance / count), both multiplied by `scale`.

        few   Student's t in place of Z_95, for few samples; competitions print the normal interval
        """
        point = student_95(self.count - 1) if few and self.count > 1 else Z_95
        half_width = point * sqrt(self.variance / self.count) if self.count else inf
        return Estimate(scale * self.mean, abs(scale) * half_width, self.count, unit)


def merge(parts: Iterable[Moments]) -> Moments:
    """All of `parts` as one."""
    return sum(parts, start=Moments())


def _on_grid(samples: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """Samples in whole grid steps, each rounded on its own: rounding cannot depend on its neighbours."""
    if samples.dtype.kind not in "biuf":
        raise KibitzError(f"samples of type {samples.dtype}: results are integers or floats")
    values = samples.astype(np.float64)
    if not (np.abs(values) < _LARGEST).all():  # also catches nan
        worst = values[np.argmax(~(np.abs(values) < _LARGEST))]
        raise KibitzError(f"a sample of {worst}: results are finite and below {_LARGEST:,} in size")
    return np.rint(values * GRID)


def _wide_sums(steps: npt.NDArray[np.float64]) -> tuple[int, int]:
    """Sum and sum of squares of samples of any size: Python's integers do not overflow, but take their time."""
    total = squares = 0
    for step in map(int, steps):
        total += step
        squares += step * step
    return total, squares


def _exact_sum(steps: npt.NDArray[np.int64]) -> int:
    return sum(int(steps[at : at + _BLOCK].sum()) for at in range(0, steps.size, _BLOCK))


def _exact_squares(steps: npt.NDArray[np.int64]) -> int:
    """Sum of squares without overflow: (2^24 h + l)^2 = 2^48 h^2 + 2^25 h l + l^2, products of 48 bits."""
    high, low = steps >> _LOW_BITS, steps & ((1 << _LOW_BITS) - 1)
    total = 0
    for at in range(0, steps.size, _BLOCK):
        h, l = high[at : at + _BLOCK], low[at : at + _BLOCK]  # noqa: E741  the letters of the formula
        total += (int(h @ h) << 2 * _LOW_BITS) + (int(h @ l) << _LOW_BITS + 1) + int(l @ l)
    return total
