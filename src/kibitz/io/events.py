"""What a reader says besides the hands themselves, so that a check can go on after a bad line."""

from __future__ import annotations

from typing import NamedTuple


class Refusal(NamedTuple):
    """A line that could not be read as a hand."""

    hand: str  # the hand's number as far as it can be made out
    source: str
    reason: str


class Note(NamedTuple):
    """Something worth telling that is nobody's mistake, such as a file that ends within a hand."""

    source: str  # "" where the text says it
    text: str
