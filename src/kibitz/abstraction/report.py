"""What an abstraction will cost, and what came out of it, in a few numbers per round.

Percentile buckets take the longest to count: their tables and passes over all hands grow with the number of buckets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from kibitz.abstraction.clusters.streets import DEFAULT, sample_size
from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import CANONICAL, LAYOUT, PAIRS, STREETS
from kibitz.abstraction.features.cache import cache_folder
from kibitz.abstraction.features.strength import CLASSES, MOST, feature_scale
from kibitz.abstraction.notation import PERCENTILES, Notation
from kibitz.abstraction.percentiles import count_shift
from kibitz.cards import format_cards

_COPIES = 5  # of counts: one for each of two threads, both side by side to be added up, and their sum
_WORD = 8
_ORDERED_TURNS = 63_193  # boards of a flop and a turn card, which perfect recall goes through
# Seconds of one core, as measured on the machine of bench/RESULTS.md.
_BASE_SECONDS = {"PR": 16.0, "IR": 1.0}
_SECONDS_PER_COMPARISON = 3e-11
_SECONDS_PER_BYTE = 4e-9  # cleared, added to and summed
_SECONDS_PER_CUT = 2e-4
ROUNDS = ("preflop", "flop", "turn", "river")
FEATURE_BYTES = 550_000_000
_BASE_BYTES = 300_000_000  # Python, NumPy and a compiler
# Seconds of one core, as measured on the machine of bench/RESULTS.md; cores share them.
_FEATURE_SECONDS = 7.0
_SAMPLE_SECONDS = {0: 0.5, 3: 13.0, 4: 8.0, 5: 16.0}  # vectors of a street's hands, twice
_LABEL_SECONDS = {0: 0.0, 3: 0.2, 4: 1.5, 5: 13.0}  # the nearest of 100 centres; grows with less than their number


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


@dataclass(frozen=True)
class Cost:
    """About what building takes: seconds of one core, bytes of memory, bytes in the cache and in the abstraction."""

    seconds: float
    memory: int
    features: int
    disk: int


def estimate_cost(notation: Notation) -> Cost:
    """What `build_abstraction(notation)` will take, about; features that the cache already holds cost nothing."""
    if not notation.features or max(notation.counts) == 1:
        return Cost(1.0, _BASE_BYTES, 0, 0)
    clusters, cutting = _clusters(notation), cutting_cost(notation)
    needed = (5,) if clusters else STREETS
    missing = not all((cache_folder() / LAYOUT / f"strength-{size}.npy").exists() for size in needed)
    seconds = _FEATURE_SECONDS * missing + cutting.seconds
    seconds += sum(_cluster_seconds(size, count) for size, count in clusters.items())
    tables = sum(CANONICAL[size] * PAIRS * np.min_scalar_type(count - 1).itemsize for size, count in clusters.items())
    memory = _BASE_BYTES + max(FEATURE_BYTES, cutting.memory) + 2 * tables  # features are mapped, and leave for counts
    return Cost(seconds, memory, FEATURE_BYTES * missing, tables + 16 * sum(notation.counts))


def _cluster_seconds(size: int, count: int) -> float:
    """Sampling, training from several starts, and labelling."""
    nearest = float((count / 100) ** 0.6)
    start = sample_size(count) * (6e-9 * count + 3e-7 * nearest * DEFAULT.iterations)
    return _SAMPLE_SECONDS[size] + _LABEL_SECONDS[size] * nearest + DEFAULT.starts * start


def _clusters(notation: Notation) -> dict[int, int]:
    """Clusters by the number of board cards, where a street has any."""
    return {
        size: notation.counts[number]
        for number, size in enumerate(STREETS)
        if not (notation.lossless[number] or set(notation.features_of(number)) <= set(PERCENTILES))
    }


@dataclass(frozen=True)
class RoundReport:
    """One round: its buckets, how many hold no hand, the chances of the least and the most likely, and examples.

    weakest, strongest   a hand of the first bucket and one of the last, as text; "" where no deal of the sample has it
    """

    name: str
    buckets: int
    empty: int | None
    smallest: float | None
    largest: float | None
    weakest: str
    strongest: str


def report_rounds(abstraction: CardAbstraction, seed: int = 0, samples: int = 50_000) -> list[RoundReport]:
    """A report of each round; examples come from `samples` deals."""
    from kibitz.abstraction._kernels import deal_hands

    key = np.random.SeedSequence((seed, 0)).generate_state(1, np.uint64)[0]
    hands = np.empty((samples, 1, 7), dtype=np.uint8)
    deal_hands(key, 0, hands)
    hole, board = hands[:, 0, :2], hands[:, 0, 2:]
    reports = []
    for number, (name, size) in enumerate(zip(ROUNDS, STREETS, strict=True)):
        masses = abstraction.masses[number]
        count = int(abstraction.counts[number])
        examples = ["", ""]
        if masses is not None:
            buckets = abstraction.buckets(hole, board, number)
            for end, wanted in enumerate((0, count - 1)):
                for row in np.flatnonzero(buckets == wanted)[:1]:
                    cards = format_cards(sorted(hole[row].tolist(), reverse=True))
                    examples[end] = f"{cards} {format_cards(board[row, :size].tolist())}".strip()
        reports.append(
            RoundReport(
                name,
                count,
                None if masses is None else int((masses == 0).sum()),
                None if masses is None else float(masses.min()),
                None if masses is None else float(masses.max()),
                *examples,
            )
        )
    return reports
