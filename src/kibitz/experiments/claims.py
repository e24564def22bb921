"""What a text says of its figures, held against intervals of ours: confirmed where they are apart, as it says.

Statements are a table of their own, with a row for each and a column for each game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import nan
from typing import NamedTuple, Self

import numpy as np
import numpy.typing as npt

from kibitz.experiments.published import CONFIRMED, REFUTED, UNCONFIRMED, Found, PublishedTable, unprinted
from kibitz.statistics import Z_95, weighted_half_width

SLACK = 1e-6  # milli-antes/hand that are nothing


class Interval(NamedTuple):
    """A value with its ends."""

    value: float
    low: float
    high: float

    @classmethod
    def exactly(cls, value: float) -> Self:
        """A value of which nothing is in doubt."""
        return cls(value, value, value)

    def __str__(self) -> str:
        return f"{self.value:.1f} [{self.low:.1f}, {self.high:.1f}]" if self.high > self.low else f"{self.value:.1f}"


def of_samples(values: npt.ArrayLike) -> Interval:
    """The mean of float64[samples] and its 95 % interval by Student's t; of a single one nothing is known."""
    found = np.asarray(values, dtype=np.float64)
    mean = float(found.mean()) if len(found) else nan
    half = weighted_half_width(found, np.ones(len(found)))
    return Interval(mean, mean - half, mean + half)


def of_estimate(value: float, error: float) -> Interval:
    """A value with its 95 % interval from its standard error."""
    return Interval(float(value), float(value - Z_95 * error), float(value + Z_95 * error))


def of_solutions(values: npt.ArrayLike) -> Interval:
    """The first of float64[solutions], which are exact, and the range of all."""
    found = np.asarray(values, dtype=np.float64)
    return Interval(float(found[0]), float(found.min()), float(found.max()))


class Claim(NamedTuple):
    """That the first is the larger one.

    note   which one of several it is
    """

    first: Interval
    second: Interval
    note: str = ""

    @property
    def difference(self) -> Interval:
        """The first less the second; its ends have the same sign where the two do not meet."""
        first, second, _note = self
        return Interval(first.value - second.value, first.low - second.high, first.high - second.low)

    @property
    def verdict(self) -> str:
        """Whether it holds."""
        if self.difference.low > SLACK:
            return CONFIRMED
        return REFUTED if self.difference.high < -SLACK else UNCONFIRMED

    def found(self) -> Found:
        """As a cell."""
        reason = f"{self.first} against {self.second}" + (f" ({self.note})" if self.note else "")
        return Found(*self.difference, reason=reason, verdict=self.verdict)


RANKS = {REFUTED: 0, UNCONFIRMED: 1, CONFIRMED: 2}


def weakest(claims: Iterable[Claim]) -> Claim:
    """Of claims that must all hold, that which holds least; its note counts how many hold."""
    every = list(claims)
    return min(every, key=_rank)._replace(note=f"the weakest of {len(every)}, {_count(every)}")


def strongest(claims: Iterable[Claim]) -> Claim:
    """Of claims of which one is enough, that which holds best; likewise."""
    every = list(claims)
    return max(every, key=_rank)._replace(note=f"the strongest of {len(every)}, {_count(every)}")


def _rank(claim: Claim) -> tuple[int, float]:
    return RANKS[claim.verdict], claim.difference.low


def _count(claims: list[Claim]) -> str:
    """How many are of each verdict, in words."""
    counts = Counter(each.verdict for each in claims)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in (CONFIRMED, UNCONFIRMED, REFUTED) if counts[verdict])


# By statement; made when they are asked for, where they are not there; None for one that is not measured.
Claims = Mapping[str, Claim | Callable[[], Claim | None]]


def statements(source: str, told: Iterable[str], columns: Iterable[str], decimals: int = 1) -> PublishedTable:
    """The table of some statements."""
    return unprinted(source, "statement", columns, told, decimals)


def explain(told: Mapping[str, str]) -> tuple[str, ...]:
    """The statements in words, as notes."""
    return tuple(f"{row}: {text}." for row, text in told.items())


def judge(column: str, claims: Claims, decimals: int = 0) -> Iterator[tuple[str, str, Found]]:
    """The cells of one column; `decimals` for values that are told without their intervals."""
    for row, make in claims.items():
        if (claim := make() if callable(make) else make) is not None:
            found = claim.found()
            if decimals:
                note = f" ({claim.note})" if claim.note else ""
                told = f"{row}: {claim.first.value:.{decimals}f} against {claim.second.value:.{decimals}f}{note}"
                found = found._replace(reason=told)
            yield row, column, found
