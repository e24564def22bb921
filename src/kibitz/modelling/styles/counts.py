"""The style statistics of one player: counts over hands, and the rates that follow from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from math import nan, sqrt
from typing import Any

import numpy as np

from kibitz.modelling.styles.hands import SeatStyle
from kibitz.statistics import GRID, Interval, Moments, PairSums, wilson_95


@dataclass(frozen=True)
class StyleCounts:
    """What one player did in `hands` hands; `+` adds those of other hands, in any order to the same bits.

    voluntary    hands in which the player put in chips beyond the blinds
    folds        of those, hands that the player folded
    wins         of those, hands won because all others folded
    walks        hands won so without chips beyond the blinds
    showdowns    hands in which the player was in a showdown
    free         of those, hands without chips beyond the blinds
    shares       parts of the pot won at showdowns whose outcome is known
    bets_calls   bets and raises (x), and calls (y)
    results      net result of every hand in which it is known, in thousandths of the stake
    decisions    bets and raises (x), and all decisions that are not checks (y)
    given        how often each of `SeatStyle.moves` was possible, and `taken`, how often it was made
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
    decisions: PairSums = field(default_factory=PairSums)
    given: Counter[str] = field(default_factory=Counter)
    taken: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, hands: Iterable[SeatStyle], results: list[float]) -> StyleCounts:
        """The counts of some hands; `results` are those that are known."""
        seats = Counter(hands)  # most hands are like others
        given, taken = Counter[str](), Counter[str]()
        for seat, times in seats.items():
            for rate, made in seat.moves:
                given[rate] += times
                taken[rate] += times * made

        def total(part: Callable[[SeatStyle], int]) -> int:
            return sum(times * part(seat) for seat, times in seats.items())

        def pairs(y: Callable[[SeatStyle], int]) -> PairSums:
            squares = total(lambda seat: seat.bets**2), total(lambda seat: seat.bets * y(seat))
            return PairSums(total(lambda seat: seat.bets), total(y), *squares, total(lambda seat: y(seat) ** 2))

        return cls(
            hands=seats.total(),
            voluntary=total(lambda seat: seat.voluntary),
            folds=total(lambda seat: seat.voluntary and seat.folded),
            wins=total(lambda seat: seat.voluntary and seat.uncontested),
            walks=total(lambda seat: seat.uncontested and not seat.voluntary),
            showdowns=total(lambda seat: seat.showdown),
            free=total(lambda seat: seat.showdown and not seat.voluntary),
            shares=Moments.of([seat.share for seat in seats.elements() if seat.share is not None]),
            bets_calls=pairs(lambda seat: seat.calls),
            results=Moments.of(np.array(results, dtype=np.float64)),
            decisions=pairs(lambda seat: seat.bets + seat.calls + seat.folded),
            given=given,
            taken=taken,
        )

    def __add__(self, other: StyleCounts) -> StyleCounts:
        pairs = [(getattr(self, each.name), getattr(other, each.name)) for each in fields(self)]
        sums: list[Any] = [one.merged(two) if isinstance(one, PairSums) else one + two for one, two in pairs]
        return StyleCounts(*sums)

    @property
    def vpip(self) -> float:
        """VP$IP; this and the others by the definitions of `RATES`."""
        return self.value("vpip")

    @property
    def fold(self) -> float:
        """Fold%."""
        return self.value("fold")

    @property
    def won_without_showdown(self) -> float:
        """Ww/oSD."""
        return self.value("won_without_showdown")

    @property
    def showdown(self) -> float:
        """Share of the VP$IP hands that end with a showdown: what fold and won_without_showdown leave of 1."""
        return _share(self.showdowns - self.free, self.voluntary)

    @property
    def won_at_showdown(self) -> float:
        """W$SD."""
        return self.value("won_at_showdown")

    @property
    def aggression(self) -> float:
        """AF; infinite for a player who never calls."""
        return self.bets_calls.ratio

    @property
    def mean(self) -> float:
        """Mean result of a hand."""
        return self.results.mean if self.results.count else nan

    @property
    def sd(self) -> float:
        """Standard deviation of the result of a hand."""
        return sqrt(self.results.variance) if self.results.count > 1 else nan

    def value(self, rate: str) -> float:
        """One of `RATES`, or the mean; nan where there was no chance."""
        if rate in ("aggression", "mean"):
            return self.aggression if rate == "aggression" else self.mean
        return _share(*self._of(rate))

    def chances(self, rate: str) -> int:
        """How often there was a chance for one of `RATES`."""
        return self.bets_calls.x + self.bets_calls.y if rate == "aggression" else self._of(rate)[1]

    def interval(self, rate: str) -> Interval:
        """The 95 % interval of one of `RATES` or of the mean, hands taken as independent; nan where there is none."""
        if rate == "aggression":
            return self.bets_calls.interval
        if rate == "aggression_frequency" and 0 < self.decisions.x < self.decisions.y:
            low, high = self.decisions.interval  # Wilson's would take decisions of one hand as independent
            return Interval(low, min(high, 1.0))
        if rate == "mean":
            found = self.results.estimate()
            return Interval(found.low, found.high) if found.samples > 1 else Interval(nan, nan)
        return wilson_95(*self._of(rate))

    def _of(self, rate: str) -> tuple[float, int]:
        """How often the player did what a share counts, of how many chances."""
        shares = {
            "vpip": (self.voluntary, self.hands),
            "fold": (self.folds, self.voluntary),
            "won_without_showdown": (self.wins, self.voluntary),
            "won_at_showdown": (self.shares.total / GRID, self.shares.count),
            "aggression_frequency": self.decisions[:2],
        }
        return shares.get(rate) or (self.taken[rate], self.given[rate])


def _share(part: float, whole: int) -> float:
    return part / whole if whole else nan
