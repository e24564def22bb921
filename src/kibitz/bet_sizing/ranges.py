"""Ranges of bet sizes, as fractions of the pot after the call: where they begin, how they are moved and made to fit.

J. Hawkin, Automated Abstraction of Large Action Spaces in Imperfect Information Extensive-Form Games, PhD thesis,
University of Alberta, 2014. G(s) = 1 + 2s is the factor by which a bet of s pots that is called multiplies the pot.

>>> [str(each) for each in default_ranges(200, count=3)]  # table 6.1
['0.5-0.69', '1.08-1.38', '1.95-2.42']
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import ceil, floor
from typing import NamedTuple

from kibitz.errors import KibitzError

MARGIN = 0.01  # alpha of the thesis: what stays between a range and the least bet or all-in
ALWAYS_LEGAL = 0.5  # the smallest fraction that is a legal bet everywhere in hold'em
_BETS = 5  # to the stack: what the thesis settles on
_SLACK = 1e-9  # fractions that differ by less are the same


class SizeRangeError(KibitzError):
    """A range of bet sizes that cannot be used."""


class SizeRange(NamedTuple):
    """Sizes from `low` to `high` pots."""

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    @property
    def middle(self) -> float:
        return (self.low + self.high) / 2

    @property
    def growth(self) -> float:
        """G(high) / G(low), equation 6.3."""
        return (1 + 2 * self.high) / (1 + 2 * self.low)

    def __str__(self) -> str:
        return f"{self.low:.6g}-{self.high:.6g}"


def check_range(given: SizeRange) -> SizeRange:
    """`given`, unless it is empty or below nothing."""
    if not 0 <= given.low < given.high < float("inf"):
        raise SizeRangeError(f"the range {given}: its lower bound must be at least 0 and less than its upper bound")
    return given


def parse_ranges(text: str) -> tuple[SizeRange, ...]:
    """Ranges written like "0.5-0.69, 1.08-1.38"."""
    ranges = []
    for piece in filter(None, (each.strip() for each in text.split(","))):
        low, _dash, high = piece.partition("-")
        try:
            ranges.append(check_range(SizeRange(float(low), float(high))))
        except ValueError as error:
            if isinstance(error, SizeRangeError):
                raise
            raise SizeRangeError(f"{piece!r} in the ranges {text!r}: a range is like 0.8-1") from None
    if not ranges:
        raise SizeRangeError(f"no range in {text!r}: a range is like 0.8-1")
    return tuple(ranges)


def range_of_bets(stack: float, bets: int) -> SizeRange:
    """The range of which `bets` highs, or one low more, nearly use up `stack` big blinds (section 6.3).

    The high end is rounded down to 0.01 and the low end up, so that a small all-in is left.
    """
    high = floor(100 * (stack ** (1 / bets) - 1) / 2 + _SLACK) / 100
    low = ceil(100 * (stack ** (1 / (bets + 1)) - 1) / 2 - _SLACK) / 100
    return check_range(SizeRange(low, high))


def default_ranges(stack: float = 200, bets: int | None = None, count: int = 1) -> tuple[SizeRange, ...]:
    """Ranges to begin with for `count` bets at a node, all with the ratio of `range_of_bets` (table 6.1).

    One range is that one. More begin at the smallest size that is always legal, and go on with those whose high end is
    bets - 1, bets - 2, ... to the stack. By default there are five bets to the stack, or as many as make ranges that
    follow each other: a short stack has room for fewer.
    """
    if count < 1:
        raise SizeRangeError(f"{count} default ranges: give at least one, else there is no bet size to learn")
    if bets is None:
        if count > _BETS:
            raise SizeRangeError(f"{count} default ranges: at most {_BETS}, or write them, as 0.8-1")
        for fewer in range(_BETS, count - 1, -1):
            try:
                return default_ranges(stack, fewer, count)
            except SizeRangeError:
                continue
        raise SizeRangeError(
            f"a stack of {stack:g} big blinds has no {count} default ranges: write the ranges, as 0.8-1"
        )
    first = range_of_bets(stack, bets)
    if count == 1:
        return (first,)
    ratio = round(first.growth, 2)  # 1.19: the ends of table 6.1 come from it, not from 2.88 / 2.42
    ranges = [SizeRange(ALWAYS_LEGAL, round((ratio * (1 + 2 * ALWAYS_LEGAL) - 1) / 2, 2))]
    for fewer in range(bets - 1, bets - count, -1):
        if fewer < 1:
            raise SizeRangeError(f"{count} default ranges of {bets} bets: at most {bets}")
        high = floor(100 * (stack ** (1 / fewer) - 1) / 2 + _SLACK) / 100
        ranges.append(SizeRange(round(((1 + 2 * high) / ratio - 1) / 2, 2), high))
    if any(later.low < earlier.high for earlier, later in pairwise(ranges)):
        raise SizeRangeError(f"{count} default ranges of {bets} bets to {stack:g} big blinds overlap: {join(ranges)}")
    return tuple(map(check_range, ranges))


def join(ranges: Iterable[SizeRange]) -> str:
    """Ranges as `parse_ranges` reads them."""
    return ", ".join(map(str, ranges))


def adjust_range(given: SizeRange, least: float, most: float, margin: float = MARGIN) -> SizeRange | None:
    """`given` moved between the smallest bet and all-in, with a margin (algorithm 4); None where it does not fit.

    It keeps its width where it can, and is given up where less than half of that is left.
    """
    low, high, width = given.low, given.high, given.width
    bottom, top = least + margin, most - margin
    if low < bottom:
        low, high = bottom, bottom + width
        if high > top:
            high = top
    elif high > top:
        low, high = max(top - width, bottom), top
    return SizeRange(low, high) if high - low >= width / 2 - _SLACK else None


def centre_width(size: float, width: float) -> SizeRange:
    """The range of that width around `size` (RE-BETS, algorithm 2)."""
    return SizeRange(size - width / 2, size + width / 2)


def centre_growth(size: float, growth: float, decimals: int | None = 2) -> SizeRange:
    """The range around `size` whose ends make pots of that ratio (RED-BETS, equations 6.9 to 6.12).

    The thesis's pinned sizes (0.19, 0.60, 1.21 in tables 7.3 and 7.4) come out only if the ends are rounded to
    two decimals, which it does not say; None leaves them, and so do ranges so narrow that little would be left.
    """
    found = centre_width(size, (1 + 2 * size) * (growth - 1) / (growth + 1))
    if decimals is None:
        return found
    rounded = SizeRange(round(found.low, decimals), round(found.high, decimals))
    return rounded if rounded.width >= found.width / 2 else found


def fits(ranges: Iterable[SizeRange], least: float, most: float, margin: float = MARGIN) -> list[tuple[int, SizeRange]]:
    """The default ranges that fit at a node of the first tree, with their numbers (algorithm 3).

    Their high end stays below all-in by the margin; one that begins below the smallest bet is moved up.
    """
    found = []
    for number, each in enumerate(ranges):
        if each.high < most - margin - _SLACK:
            moved = adjust_range(each, least, most, margin) if each.low < least - _SLACK else each
            if moved is not None:
                found.append((number, moved))
    return found
