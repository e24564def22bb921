"""What an evaluation found."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan

from kibitz.amounts import counted
from kibitz.statistics import Estimate

DOUBT = 2.0  # half-widths of the difference, about four standard errors


@dataclass(frozen=True)
class Reduction:
    """A win rate, raw and with reduced variance, per hand.

    difference      reduced less raw, hand by hand: its interval should hold 0, unless another policy is valued
    in_full         the same if all coefficients were 1: what doubt goes by, since wrong corrections get small ones
    variance_ratio  variance of a raw hand over that of a reduced one: so many times fewer hands are needed
    value           the value function, with its fingerprint and when it was taken, before the first hand
    known           players whose policies were known
    target          the agent that was valued instead of the player, if any
    terms           corrections by kind
    coefficients    what corrections of each kind would be multiplied by in the next hand; empty where all are 1
    deals           independent deals: fewer than hands where deals were played in more than one seating
    hands_of_a_deal the most hands of one deal
    pairing_ratio   how many times smaller the squared half-width is than if hands of one deal were not paired
    skipped         hands that did not count, by reason
    """

    player: str
    method: str
    hands: int
    raw: Estimate
    reduced: Estimate
    difference: Estimate
    in_full: Estimate
    variance_ratio: float
    value: str
    fingerprint: str
    fixed: str
    known: tuple[str, ...]
    target: str
    terms: Mapping[str, int]
    coefficients: Mapping[str, float]
    deals: int
    hands_of_a_deal: int
    pairing_ratio: float
    skipped: Mapping[str, int]

    @property
    def doubtful(self) -> bool:
        """Whether the means differ by more than luck allows, as they do when a policy is not the one that played."""
        return not self.target and abs(self.in_full.mean) > DOUBT * self.in_full.half_width

    def to_dict(self) -> dict[str, object]:
        """The result as JSON can say it."""
        return {
            **{key: getattr(self, key) for key in ("player", "method", "hands")},
            **{key: _to_dict(getattr(self, key)) for key in ("raw", "reduced", "difference")},
            "variance_ratio": self.variance_ratio,
            "doubtful": self.doubtful,
            "value": {"name": self.value, "fingerprint": self.fingerprint, "fixed": self.fixed},
            **{key: getattr(self, key) for key in ("known", "target", "terms", "coefficients", "skipped")},
            **{key: getattr(self, key) for key in ("deals", "pairing_ratio")},
        }

    def lines(self) -> Iterator[str]:
        """The result as people read it."""
        yield f"{self.player}, {counted(self.hands, 'hand')}"
        yield f"raw         {self.raw}"
        if self.method != "raw":
            yield f"{self.method:<10}  {self.reduced}"
            if not isnan(self.variance_ratio):  # as of one hand, which has none
                yield f"variance    {_times(self.variance_ratio)}"
            yield f"difference  {self.difference} between the means"
        if self.hands_of_a_deal > 1:
            up_to = "up to " if self.hands < self.deals * self.hands_of_a_deal else ""
            deals = f"{self.deals:,} deals of {up_to}{self.hands_of_a_deal} hands"
            variance = "" if isnan(self.pairing_ratio) else f": variance {_times(self.pairing_ratio)} than unpaired"
            yield from _row("paired", deals + variance)
        if self.doubtful:
            yield "doubtful    that is more than luck allows: are the policies those that played?"
        if self.value:
            yield from _row("value", f"{self.value} {self.fingerprint}, fixed {self.fixed}")
        for word, text in (("known", ", ".join(self.known)), ("target", self.target)):
            if text:
                yield from _row(word, text)
        if self.coefficients:
            yield from _row("scaled by", ", ".join(f"{kind} {each:.2f}" for kind, each in self.coefficients.items()))
        for word, counts in (("corrected", self.terms), ("skipped", self.skipped)):
            if counts:
                yield from _row(word, ", ".join(f"{kind} {count:,}" for kind, count in counts.items()))


def _times(ratio: float) -> str:
    return f"{ratio:,.2f} times smaller" if ratio >= 1 or not ratio else f"{1 / ratio:,.2f} times larger"


def _row(word: str, text: str) -> list[str]:
    """`text` after its `word`, on as many lines of 80 columns as it takes."""
    wrapper = textwrap.TextWrapper(80, f"{word:<12}", " " * 12, break_long_words=False, break_on_hyphens=False)
    return wrapper.wrap(text)


def _to_dict(estimate: Estimate) -> dict[str, object]:
    return {**estimate.to_dict(), "unit": estimate.unit}
