"""What percentile buckets take to count: their tables and passes over all hands grow with the number of buckets."""

from __future__ import annotations

from typing import NamedTuple

from kibitz.abstraction.buckets.percentile import count_shift
from kibitz.abstraction.features.boards import CANONICAL, PAIRS, STREETS
from kibitz.abstraction.features.strength import CLASSES, MOST, feature_scale
from kibitz.abstraction.notation import PERCENTILES, Notation

_COPIES = 5  # of counts: one for each of two threads, both side by side to be added up, and their sum
_WORD = 8
_ORDERED_TURNS = 63_193  # boards of a flop and a turn card, which perfect recall goes through
# Seconds of one core, as measured on the machine of bench/RESULTS.md.
_BASE_SECONDS = {"PR": 16.0, "IR": 1.0}
_SECONDS_PER_COMPARISON = 3e-11
_SECONDS_PER_BYTE = 4e-9  # cleared, added to and summed
_SECONDS_PER_CUT = 2e-4


class Cutting(NamedTuple):
    """Seconds of one core, and the most bytes needed at once."""

    seconds: float
    memory: int


def cutting_cost(notation: Notation) -> Cutting:
    """About what the percentiles of `notation` take, beside the features that they cut."""
    seconds, most = _BASE_SECONDS[notation.recall], 0
    counts = notation.counts
    for number, size in enumerate(STREETS):
        if is_cut(notation, number):
            states = counts[number - 1] if number and notation.recall == "PR" else 1
            street = _street_cost(notation, number, size, states)
            seconds += street.seconds
            most = max(most, street.memory)
    return Cutting(seconds, most)


def is_cut(notation: Notation, round_: int) -> bool:
    """Whether a round is one of percentiles, and of more than one."""
    features, lossless = notation.features_of(round_), notation.lossless[round_]
    return not lossless and notation.sizes[round_].count > 1 and set(features) <= set(PERCENTILES)


def _street_cost(notation: Notation, round_: int, size: int, states: int) -> Cutting:
    """Of one street with `states` buckets before it, cut step by step."""
    if size == 5 and notation.recall == "PR":
        return _river_cost(states, notation.sizes[round_].count)
    boards = _ORDERED_TURNS if size == 4 and notation.recall == "PR" else CANONICAL[size]
    seconds, most = 0.0, 0
    for feature, parts in zip(notation.features_of(round_), notation.sizes[round_].parts, strict=False):
        if parts > 1:
            cuts = states * (parts - 1)
            memory = _count_bytes(feature, size, states, cuts)
            # Every hand is compared with the cuts of its bucket, when masses are counted and for the next street.
            compared = 2 * boards * PAIRS * (parts - 1)
            seconds += _SECONDS_PER_COMPARISON * compared + _SECONDS_PER_BYTE * memory + _SECONDS_PER_CUT * cuts
            most = max(most, memory)
            states *= parts
    return Cutting(seconds, most)


def _count_bytes(feature: str, size: int, states: int, cuts: int) -> int:
    """Counts by the high bits of a feature, then by the low ones around each cut."""
    values = feature_scale(feature, size) + 1 if size else CLASSES  # before the flop ranks are cut
    shift = count_shift(values)
    inside = cuts << shift if shift else 0
    return _COPIES * _WORD * (states * (values >> shift) + inside)


def _river_cost(states: int, parts: int) -> Cutting:
    """Rivers are counted by strength once for all cuts; each part of each bucket gets a row of its own."""
    rows = states * (MOST + 1)
    memory = _WORD * rows * (_COPIES + parts)
    return Cutting(_SECONDS_PER_BYTE * memory, memory)
