"""Limit hold'em hands from hand histories, as arrays: what an opponent model is fitted to."""

from kibitz.learning.histories.hands import HIDDEN, MUCKED, SHOWN, Hands, Parts, hide_folded, keep_together, split
from kibitz.learning.histories.reading import read_hands
from kibitz.learning.histories.writing import to_records

__all__ = [
    "HIDDEN",
    "MUCKED",
    "SHOWN",
    "Hands",
    "Parts",
    "hide_folded",
    "keep_together",
    "read_hands",
    "split",
    "to_records",
]
