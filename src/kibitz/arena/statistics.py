"""Win rates with their doubt: exact running sums of results, means with 95 % intervals, milli big blinds.

Results are summed as integers on a fixed grid, so sums are exact and adding partial sums is associative and
commutative. The printed figure is therefore the same to the last bit however the work was cut and merged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot, inf, isfinite, sqrt

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.games.game import Game

MILLI_BIG_BLINDS = "mbb/hand"
MILLI_ANTES = "milli-antes/hand"
Z_95 = 1.959963984540054  # two-sided 95 % point of the normal distribution

GRID = 2**20  # grid steps per unit: whole, half and quarter chips are exact, anything else is off by < 5e-7
_LARGEST = 2**53  # |sample| in units: beyond, floats do not tell one chip from the next
_NARROW = 2**27  # |sample| in units, so that a sample fits in 47 bits of grid steps and NumPy can sum them
_LOW_BITS = 24
_BLOCK = 2**14  # samples whose partial products (48 bits each) still add up within an int64


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the half-width of its 95 % normal interval, infinite where nothing is known of it.

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

    def __neg__(self) -> Estimate:
        """The same result seen from the other side of a zero-sum match."""
        return Estimate(-self.mean, self.half_width, self.samples, self.unit)

    def __sub__(self, other: Estimate) -> Estimate:
        """Difference of two *independent* estimates: their variances add (Hawkin 2014, section 7.6)."""
        _check_units((self, other))
        half_width = hypot(self.half_width, other.half_width)
        return Estimate(self.mean - other.mean, half_width, self.samples + other.samples, self.unit)


@dataclass(frozen=True, slots=True)
class Stake:
    """What a win rate is counted in: `chips` to a big blind (or ante), and the name of a thousandth of it."""

    chips: int
    unit: str = MILLI_BIG_BLINDS

    @classmethod
    def of(cls, game: Game) -> Stake:
        """Big blinds, or antes where every player posts the same."""
        ante_game = len(set(game.blinds)) == 1
        return cls(game.big_blind, MILLI_ANTES if ante_game else MILLI_BIG_BLINDS)

    @property
    def milli_per_chip(self) -> float:
        """Thousandths of the stake in one chip."""
        return 1000 / self.chips


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

    def estimate(self, scale: float = 1.0, unit: str = MILLI_BIG_BLINDS) -> Estimate:
        """The mean with its interval, Z_95 · sqrt(variance / count), both multiplied by `scale`."""
        half_width = Z_95 * sqrt(self.variance / self.count) if self.count else inf
        return Estimate(scale * self.mean, abs(scale) * half_width, self.count, unit)


def merge(parts: Iterable[Moments]) -> Moments:
    """All of `parts` as one."""
    return sum(parts, start=Moments())


def estimate(samples: npt.ArrayLike, unit: str = MILLI_BIG_BLINDS) -> Estimate:
    """Mean and 95 % interval of independent `samples` that are already in `unit`.

    One sample is one independent thing: a match, a duplicate deal, a hand without duplicates. The interval
    is the normal one, as the competition prints; below some thirty samples it is too narrow.
    """
    return Moments.of(samples).estimate(unit=unit)


def win_rate(chips: Moments, stake: Stake, hands_per_sample: int = 1) -> Estimate:
    """Rate per hand in thousandths of `stake` from the moments of chips won.

    hands_per_sample: 2 when a sample is the chips of a heads-up duplicate deal (both seatings added), 6,000
    when it is a duplicate match of 3,000 deals.
    """
    return chips.estimate(stake.milli_per_chip / hands_per_sample, stake.unit)


def average(estimates: Iterable[Estimate]) -> Estimate:
    """Mean of *independent* estimates, such as one agent's results against each opponent.

    Where all pairings were dealt the same cards they are not independent: use `bootstrap` with shared deals.
    """
    terms = tuple(estimates)
    if not terms:
        raise KibitzError("no estimates to average: at least one is needed")
    _check_units(terms)
    count = len(terms)
    mean = sum(term.mean for term in terms) / count
    half_width = hypot(*(term.half_width for term in terms)) / count
    return Estimate(mean, half_width, sum(term.samples for term in terms), terms[0].unit)


def _check_units(estimates: tuple[Estimate, ...]) -> None:
    units = sorted({estimate.unit for estimate in estimates})
    if len(units) > 1:
        raise KibitzError(f"estimates in {' and '.join(units)}: only like units can be combined")


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
