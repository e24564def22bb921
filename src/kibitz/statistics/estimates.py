"""A mean with its 95 % interval, and what such intervals are made with: two distributions, and resampling."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot, inf, isfinite, sqrt

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

MILLI_BIG_BLINDS = "mbb/hand"
Z_95 = 1.959963984540054  # two-sided 95 % point of the normal distribution
_BLOCK = 1 << 22  # draws of a bootstrap that are held at a time


def student_95(degrees: int) -> float:
    """Two-sided 95 % point of Student's t with so many degrees of freedom; `Z_95` is its limit.

    It takes the place of `Z_95` where samples are so few that their spread is not well known itself.

    >>> round(student_95(9), 3), round(student_95(1000), 3)
    (2.262, 1.962)
    """
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.975))


def weighted_half_width(values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> float:
    """Half the 95 % interval of the mean of `values`, float64[n], with `weights`, float64[n], by Student's t.

    With shares s = w / sum w and the mean m = sum s x, its variance is n / (n - 1) sum s^2 (x - m)^2. Infinite below
    two values, where nothing is known of it.
    """
    count = len(values)
    if count < 2:
        return inf
    shares = weights / weights.sum()
    spread = np.sum(shares**2 * (values - np.sum(shares * values)) ** 2) * count / (count - 1)
    return student_95(count - 1) * sqrt(spread)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half-width of its 95 % interval, infinite where nothing is known of it.

    >>> print(Estimate(412.61, 11.32, 100_000))
    +412.6 ± 11.3 mbb/hand
    """

    mean: float
    half_width: float
    samples: int
    unit: str = MILLI_BIG_BLINDS

    def __str__(self) -> str:
        interval = f" ± {self.half_width:,.1f}" if isfinite(self.half_width) else ""
        return f"{self.mean:+,.1f}{interval} {self.unit}"

    @property
    def low(self) -> float:
        """Lower end of the interval."""
        return self.mean - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the interval."""
        return self.mean + self.half_width

    @property
    def significant(self) -> bool:
        """Whether zero lies outside the interval."""
        return abs(self.mean) > self.half_width

    def to_dict(self) -> dict[str, float]:
        """Mean and half-width, as results are written."""
        return {"mean": self.mean, "half_width": self.half_width}

    def __neg__(self) -> Estimate:
        """The same result seen from the other side of a zero-sum match."""
        return Estimate(-self.mean, self.half_width, self.samples, self.unit)

    def __sub__(self, other: Estimate) -> Estimate:
        """Difference of two *independent* estimates: their variances add (Hawkin 2014, section 7.6)."""
        _check_units((self, other))
        half_width = hypot(self.half_width, other.half_width)
        return Estimate(self.mean - other.mean, half_width, self.samples + other.samples, self.unit)


def average(estimates: Iterable[Estimate]) -> Estimate:
    """Mean of *independent* estimates, such as one agent's results against each opponent.

    Where all pairings were dealt the same cards they are not independent: resample whole deals instead.
    """
    terms = tuple(estimates)
    if not terms:
        raise KibitzError("no estimates to average: at least one is needed")
    _check_units(terms)
    count = len(terms)
    mean = sum(term.mean for term in terms) / count
    half_width = hypot(*(term.half_width for term in terms)) / count
    return Estimate(mean, half_width, sum(term.samples for term in terms), terms[0].unit)


def resample_counts(
    rng: np.random.Generator, samples: int, resamples: int, dtype: npt.DTypeLike = np.int64
) -> npt.NDArray[np.integer]:
    """How often each sample was drawn in resamples of a bootstrap (Efron 1979): integers[resamples, samples].

    Every row adds up to `samples`.

    dtype   one that holds the largest of them; uint8 does but for a chance of 1e-500
    """
    counts = np.empty((resamples, samples), dtype=dtype)
    rows = max(1, _BLOCK // max(samples, 1))
    for start in range(0, resamples, rows):
        block = counts[start : start + rows]
        drawn = rng.integers(samples, size=block.shape)
        drawn += samples * np.arange(len(block))[:, np.newaxis]  # one histogram for the whole block
        block[...] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return counts


def _check_units(estimates: tuple[Estimate, ...]) -> None:
    units = sorted({estimate.unit for estimate in estimates})
    if len(units) > 1:
        raise KibitzError(f"estimates in {' and '.join(units)}: only like units can be combined")
