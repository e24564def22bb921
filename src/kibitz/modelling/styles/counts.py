"""The style statistics of one player: counts over hands, and the rates that follow from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import nan, sqrt

import numpy as np

from kibitz.modelling.styles.hands import SeatStyle
from kibitz.statistics import Interval, Moments, PairSums, wilson_95

RATES = ("vpip", "fold", "won_without_showdown", "won_at_showdown", "aggression")


@dataclass(frozen=True)
class StyleCounts:
    """What one player did in `hands` hands; `+` adds those of other hands, in any order to the same bits.

    voluntary    hands in which he put in chips beyond the blinds
    folds        of those, hands that he folded
    wins         of those, hands that he won because all others folded
    walks        hands that he won so without chips beyond the blinds
    showdowns    hands in which he was in a showdown
    free         of those, hands without chips beyond the blinds
    shares       parts of the pot that he won at showdowns whose outcome is known
    bets_calls   bets and raises (x), and calls (y)
    results      net result of every hand in which it is known, in thousandths of the stake
    """

    hands: int = 0
    voluntary: int = 0
    folds: int = 0
    wins: int = 0
    walks: int = 0
    showdowns: int = 0
    free: int = 0
    shares: Moments = field(default_factory=Moments)
    bets_calls: PairSums = field(default_factory=PairSums)
    results: Moments = field(default_factory=Moments)

    @classmethod
    def of(cls, hands: Iterable[SeatStyle], results: list[float]) -> StyleCounts:
        """The counts of some hands; `results` are those that are known."""
        seats = list(hands)
        sums = PairSums()
        for seat in seats:
            sums = sums.plus(seat.bets, seat.calls)
        return cls(
            hands=len(seats),
            voluntary=sum(seat.voluntary for seat in seats),
            folds=sum(seat.voluntary and seat.folded for seat in seats),
            wins=sum(seat.voluntary and seat.uncontested for seat in seats),
            walks=sum(seat.uncontested and not seat.voluntary for seat in seats),
            showdowns=sum(seat.showdown for seat in seats),
            free=sum(seat.showdown and not seat.voluntary for seat in seats),
            shares=Moments.of(np.array([seat.share for seat in seats if seat.share is not None], dtype=np.float64)),
            bets_calls=sums,
            results=Moments.of(np.array(results, dtype=np.float64)),
        )

    def __add__(self, other: StyleCounts) -> StyleCounts:
        return StyleCounts(
            self.hands + other.hands,
            self.voluntary + other.voluntary,
            self.folds + other.folds,
            self.wins + other.wins,
            self.walks + other.walks,
            self.showdowns + other.showdowns,
            self.free + other.free,
            self.shares + other.shares,
            self.bets_calls.merged(other.bets_calls),
            self.results + other.results,
        )

    @property
    def vpip(self) -> float:
        """VP$IP: share of hands with chips put in beyond the blinds, at any time in the hand."""
        return _share(self.voluntary, self.hands)

    @property
    def fold(self) -> float:
        """Fold%: share of the VP$IP hands that end with his fold."""
        return _share(self.folds, self.voluntary)

    @property
    def won_without_showdown(self) -> float:
        """Ww/oSD: share of the VP$IP hands that he wins because all others fold."""
        return _share(self.wins, self.voluntary)

    @property
    def showdown(self) -> float:
        """Share of the VP$IP hands that end with a showdown: what fold and won_without_showdown leave of 1."""
        return _share(self.showdowns - self.free, self.voluntary)

    @property
    def won_at_showdown(self) -> float:
        """W$SD: share of the showdowns contested that he wins, a split pot counting as its fraction."""
        return self.shares.mean if self.shares.count else nan

    @property
    def aggression(self) -> float:
        """AF: bets and raises per call; infinite for a player who never calls."""
        return self.bets_calls.ratio

    @property
    def mean(self) -> float:
        """Mean result of a hand."""
        return self.results.mean if self.results.count else nan

    @property
    def sd(self) -> float:
        """Standard deviation of the result of a hand."""
        return sqrt(self.results.variance) if self.results.count > 1 else nan

    def interval(self, rate: str) -> Interval:
        """The 95 % interval of one of `RATES` or of the mean, hands taken as independent; nan where there is none."""
        if rate == "vpip":
            return wilson_95(self.voluntary, self.hands)
        if rate == "fold":
            return wilson_95(self.folds, self.voluntary)
        if rate == "won_without_showdown":
            return wilson_95(self.wins, self.voluntary)
        if rate == "aggression":
            return self.bets_calls.interval
        if rate == "won_at_showdown":
            return wilson_95(self.shares.count * self.shares.mean, self.shares.count)
        found = self.results.estimate()
        return Interval(found.low, found.high) if found.samples > 1 else Interval(nan, nan)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else nan
