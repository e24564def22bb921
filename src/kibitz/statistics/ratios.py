"""95 % intervals of shares and of ratios of two sums."""

from __future__ import annotations

from math import inf, nan, sqrt
from typing import NamedTuple

from kibitz.statistics.estimates import Z_95


class Interval(NamedTuple):
    """Both ends of a 95 % interval."""

    low: float
    high: float


def wilson_95(count: float, of: int) -> Interval:
    """Wilson's score interval of the share `count` / `of`; it does not shrink to nothing where the share is 0 or 1.

    A count of fractions, as of split pots, spreads less than whole ones: the interval is then too wide, if anything.

    >>> tuple(round(end, 3) for end in wilson_95(0, 20))
    (0.0, 0.161)
    """
    if not of:
        return Interval(nan, nan)
    share, square = count / of, Z_95**2 / of
    middle, half = share + square / 2, Z_95 * sqrt(share * (1 - share) / of + square / of / 4)
    low, high = (middle - half) / (1 + square), (middle + half) / (1 + square)
    return Interval(0.0 if count == 0 else low, 1.0 if count == of else high)


class PairSums(NamedTuple):
    """Sums over independent samples (x, y) of whole numbers, such as the bets and the calls of a hand."""

    x: int = 0
    y: int = 0
    xx: int = 0
    xy: int = 0
    yy: int = 0

    def plus(self, x: int, y: int) -> PairSums:
        """With one more sample."""
        return PairSums(self.x + x, self.y + y, self.xx + x * x, self.xy + x * y, self.yy + y * y)

    def merged(self, other: PairSums) -> PairSums:
        """The sums of both."""
        return PairSums(*map(sum, zip(self, other, strict=True)))

    @property
    def ratio(self) -> float:
        """r = sum x / sum y; infinite where only y is missing, nan where both are."""
        return self.x / self.y if self.y else inf if self.x else nan

    @property
    def interval(self) -> Interval:
        """The ratio's 95 % interval by the delta method: its standard error is sqrt(sum (x - r y)^2) / sum y.

        There is none where all stands in one sample, which does not tell how the ratio spreads.
        """
        if not self.y or (self.xx, self.xy, self.yy) == (self.x**2, self.x * self.y, self.y**2):
            return Interval(nan, nan)
        ratio = self.ratio
        half = Z_95 * sqrt(max(0.0, self.xx - 2 * ratio * self.xy + ratio**2 * self.yy)) / self.y
        return Interval(max(0.0, ratio - half), ratio + half)
