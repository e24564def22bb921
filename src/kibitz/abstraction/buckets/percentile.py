"""Percentile buckets: hands in order of a feature, cut into parts of equal mass.

The mass of a hand is the number of deals it stands for. A cut is a value of the feature: hands up to it fall below, so
hands that tie across a cut all go to the lower bucket, and masses are equal but for ties. With perfect recall the
hands of each parent (the sequence of buckets before) are cut on their own, counted over all ordered deals (hole cards,
flop, turn, river): nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.buckets.streams import Counter, Cut, Longs, Rows, Stream, next_stream, whole_street
from kibitz.abstraction.features.boards import PAIRS, STREETS, get_extensions
from kibitz.abstraction.features.strength import MOST, feature_scale, feature_table
from kibitz.progress import Progress, silent

Step = tuple[str, int]
"""A feature and the number of parts it is cut into."""

_NARROW = 13  # bits of a feature that are counted at once; wider ones take two passes


class Cutting(NamedTuple):
    """The cuts of every round, and the mass of each of its buckets (float64, of sum 1)."""

    cuts: tuple[tuple[Cut, ...], ...]
    masses: tuple[npt.NDArray[np.float64], ...]


def cut_perfect_recall(plan: Sequence[Sequence[Step]], threads: int = 1, progress: Progress = silent) -> Cutting:
    """The cuts of a perfect-recall abstraction: each round's steps, one inside the other, inside the round before."""
    cuts, masses = [], []
    stream: Stream | None = None
    for size, steps in zip(STREETS, plan, strict=True):
        counter = Counter(threads, f"buckets of {size} board cards", progress)
        if size == 5:
            assert stream is not None
            made, mass = _cut_rivers(stream, steps, counter)
        else:
            stream, made, mass = _cut_stream(next_stream(stream, size), steps, counter)
        cuts.append(made)
        masses.append(mass)
    return Cutting(tuple(cuts), tuple(masses))


def cut_street(
    size: int, steps: Sequence[Step], threads: int = 1, progress: Progress = silent
) -> tuple[tuple[Cut, ...], npt.NDArray[np.float64]]:
    """The cuts of one street whatever came before, and the masses of its buckets."""
    counter = Counter(threads, f"buckets of {size} board cards", progress)
    _stream, cuts, masses = _cut_stream(whole_street(size), steps, counter)
    return cuts, masses


def table_masses(
    size: int, table: npt.NDArray[Any], buckets: int, threads: int = 1, progress: Progress = silent
) -> npt.NDArray[np.float64]:
    """The chance of each bucket of a table [boards, 1326] of all hands on boards of `size` cards."""
    from kibitz.abstraction.buckets._kernels import tally

    stream = whole_street(size)

    def add(parents: Rows, part: slice, counts: Longs) -> None:
        tally(parents, stream.rows[part], stream.boards.cards, stream.weights[part], table, 0, counts)

    counts = Counter(threads, f"masses with {size} board cards", progress).count(stream, (1, buckets), add)[0]
    return np.asarray(counts / counts.sum())


def _cut_stream(
    stream: Stream, steps: Sequence[Step], counter: Counter
) -> tuple[Stream, tuple[Cut, ...], npt.NDArray[np.float64]]:
    """Cut a street step by step; the stream of its buckets, the cuts and the masses."""
    from kibitz.abstraction.buckets._kernels import tally

    cuts = []
    for feature, parts in steps:
        if parts > 1:
            cuts.append(Cut(feature, find_thresholds(stream, feature, parts, counter)))
            stream = stream.refine(cuts[-1])
    table = np.zeros((len(stream.boards), PAIRS), dtype=np.uint8)

    def add(parents: Rows, part: slice, counts: Longs) -> None:
        tally(parents, stream.rows[part], stream.boards.cards, stream.weights[part], table, 0, counts)

    mass = counter.count(stream, (stream.states, 1), add)[:, 0]
    if stream.boards.size < 4:  # small enough to keep: the next street asks for it again and again
        kept = stream.parents(0, len(stream.rows))
        stream = Stream(
            stream.boards, stream.rows, stream.weights, stream.states, lambda start, stop: kept[start:stop].copy()
        )
    return stream, tuple(cuts), mass / mass.sum()


def _cut_rivers(
    turns: Stream, steps: Sequence[Step], counter: Counter
) -> tuple[tuple[Cut, ...], npt.NDArray[np.float64]]:
    """Cut the rivers of each sequence on the turn: all features are HS there, so that one count serves all steps."""
    from kibitz.abstraction.buckets._kernels import tally_rivers
    from kibitz.abstraction.features._kernels import PAIR

    extensions, strengths = get_extensions(4), feature_table("EHS", 5)

    def add(parents: Rows, part: slice, counts: Longs) -> None:
        rows, weights = turns.rows[part], turns.weights[part]
        tally_rivers(parents, rows, turns.boards.cards, extensions, PAIR, weights, strengths, counts)

    counts = counter.count(turns, (turns.states, MOST + 1), add)
    cuts = []
    for feature, parts in steps:
        if parts > 1:
            cuts.append(Cut(feature, cut_points(counts, parts)))
            counts = split_counts(counts, cuts[-1].thresholds)
    mass = counts.sum(axis=1)
    return tuple(cuts), mass / mass.sum()


def find_thresholds(stream: Stream, feature: str, parts: int, counter: Counter) -> Longs:
    """The cuts of each parent of `stream` into `parts` of equal mass: int64[states, parts - 1]."""
    size = stream.boards.size
    table = feature_table(feature, size, counter.threads, counter.progress)
    if size == 0:  # few hands, far apart: cut their ranks
        levels, ranks = np.unique(table, return_inverse=True)
        cuts = _thresholds(stream, ranks.reshape(table.shape), len(levels), parts, counter)
        return levels[cuts].astype(np.int64)
    return _thresholds(stream, table, feature_scale(feature, size) + 1, parts, counter)


def count_shift(values: int) -> int:
    """How many low bits of a feature below `values` wait for a second pass; 0 where one pass counts all."""
    bits = (values - 1).bit_length()
    return 0 if bits <= _NARROW else bits // 2


def _thresholds(stream: Stream, table: npt.NDArray[Any], values: int, parts: int, counter: Counter) -> Longs:
    """As `find_thresholds`, for a table of features below `values`: by high bits, then where cuts fall by low bits."""
    from kibitz.abstraction.buckets._kernels import tally, tally_inside

    shift = count_shift(values)

    def add_high(parents: Rows, part: slice, counts: Longs) -> None:
        tally(parents, stream.rows[part], stream.boards.cards, stream.weights[part], table, shift, counts)

    counts = counter.count(stream, (stream.states, ((values - 1) >> shift) + 1), add_high)
    high = cut_points(counts, parts)
    if shift == 0:
        return high
    places = np.unique(np.arange(stream.states)[:, None] * counts.shape[1] + high)
    slots = np.full(counts.shape, -1, dtype=np.int32)
    slots.reshape(-1)[places] = np.arange(len(places))

    def add_low(parents: Rows, part: slice, inside: Longs) -> None:
        weights = stream.weights[part]
        tally_inside(parents, stream.rows[part], stream.boards.cards, weights, table, shift, slots, inside)

    inside = counter.count(stream, (len(places), 1 << shift), add_low)
    thresholds = np.empty_like(high)
    for parent in range(stream.states):
        before = counts[parent].cumsum() - counts[parent]
        for cut, digit in enumerate(high[parent]):
            reached = before[digit] + inside[slots[parent, digit]].cumsum()
            wanted = (cut + 1) * counts[parent].sum()
            thresholds[parent, cut] = (digit << shift) + np.argmax(parts * reached >= wanted)
    return thresholds


def cut_points(counts: Longs, parts: int) -> Longs:
    """The least values with 1/parts, 2/parts, ... of the mass of each row up to them: int64[rows, parts - 1]."""
    below = parts * counts.cumsum(axis=1)
    total = counts.sum(axis=1)
    points: Longs = np.stack(
        [np.argmax(below >= (cut * total)[:, None], axis=1) for cut in range(1, parts)], axis=1
    ).astype(np.int64)
    return points


def split_counts(counts: Longs, thresholds: Longs) -> Longs:
    """Counts of each part, int64[rows * parts, values], of rows cut at `thresholds`."""
    parts = thresholds.shape[1] + 1
    split = np.zeros((len(counts), parts, counts.shape[1]), dtype=np.int64)
    for row, (row_counts, cuts) in enumerate(zip(counts, thresholds, strict=True)):
        part = np.searchsorted(cuts, np.arange(counts.shape[1]))
        split[row, part, np.arange(counts.shape[1])] = row_counts
    return split.reshape(-1, counts.shape[1])
