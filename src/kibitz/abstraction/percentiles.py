"""Percentile buckets: hands in order of a feature, cut into parts of equal mass.

The mass of a hand is the number of deals it stands for. A cut is a value of the feature: hands up to it fall below, so
hands that tie across a cut all go to the lower bucket, and masses are equal but for ties. With perfect recall the
hands of each parent (the sequence of buckets before) are cut on their own, counted over all ordered deals (hole cards,
flop, turn, river): nothing is sampled.

With perfect recall a hand's bucket depends on the order in which its board came, so boards are gone through flop by
flop: 1,755 flops, 63,193 boards of flop and turn card, each with the bucket that every pair of hole cards was in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import PAIRS, STREETS, Boards, get_boards, get_extensions
from kibitz.abstraction.features.strength import MOST, feature_scale, feature_table
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent

Rows = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_CHUNK = 256  # boards at a time
CutStep = tuple[str, int]
"""A feature and the number of parts it is cut into."""

_NARROW = 13  # bits of a feature that are counted at once; wider ones take two passes


class Cut(NamedTuple):
    """Parts of each parent by one feature: a hand's part is the number of thresholds below its value.

    thresholds : int64[parents, parts - 1], in the units of `feature_table`
    """

    feature: str
    thresholds: Longs

    @property
    def parts(self) -> int:
        """Parts that each parent is cut into."""
        return int(self.thresholds.shape[1]) + 1


@dataclass(frozen=True, eq=False)
class Stream:
    """The boards of one street as they come after those of earlier ones, each with the parents of all its pairs.

    rows    : int64[n], canonical boards    weights : int64[n], deals of each
    parents : the parents of boards start .. stop - 1 as int32[stop - start, 1326]; there are `states` of them
    """

    boards: Boards
    rows: Longs
    weights: Longs
    states: int
    parents: Callable[[int, int], Rows]

    def refine(self, cut: Cut) -> Stream:
        """The same boards with parents cut once more."""

        def refined(start: int, stop: int) -> Rows:
            from kibitz.abstraction._kernels import refine

            parents = self.parents(start, stop)
            table = feature_table(cut.feature, self.boards.size)
            refine(parents, self.rows[start:stop], table, cut.thresholds, parents)
            return parents

        return Stream(self.boards, self.rows, self.weights, self.states * cut.parts, refined)


class Counter:
    """Counts over a stream, on several threads; sums of integers do not depend on who added first."""

    def __init__(self, threads: int, stage: str, progress: Progress) -> None:
        self.threads, self.stage, self.progress = threads, stage, progress

    def count(self, stream: Stream, shape: tuple[int, ...], add: Callable[[Rows, slice, Longs], None]) -> Longs:
        """The sum, int64[shape], of what `add(parents, part of the stream, counts)` adds for all its parts."""
        free: SimpleQueue[Longs] = SimpleQueue()
        buffers = [np.zeros(shape, dtype=np.int64) for _ in range(max(1, self.threads))]
        for buffer in buffers:
            free.put(buffer)

        def work(start: int, stop: int) -> None:
            counts = free.get()
            add(stream.parents(start, stop), slice(start, stop), counts)
            free.put(counts)

        run_slices(work, len(stream.rows), _CHUNK, self.threads, self.stage, self.progress)
        total: Longs = np.sum(buffers, axis=0, dtype=np.int64)
        return total


def whole_street(size: int, parents: Rows | None = None, states: int = 1) -> Stream:
    """The boards of a street, parents given for each (or all 0)."""
    boards = get_boards(size)

    def of(start: int, stop: int) -> Rows:
        return np.zeros((stop - start, PAIRS), dtype=np.int32) if parents is None else parents[start:stop].copy()

    return Stream(boards, np.arange(len(boards)), boards.weights.astype(np.int64), states, of)


def next_stream(before: Stream | None, size: int) -> Stream:
    """The stream of a street after the one before: preflop, flop and turn."""
    if before is None:
        return whole_street(size)
    parents = before.parents(0, len(before.rows))
    if size == 3:
        return whole_street(3, np.repeat(parents, len(get_boards(3)), axis=0), before.states)
    flops, codes, weights = ordered_turns()

    def of(start: int, stop: int) -> Rows:
        from kibitz.abstraction._kernels import move_parents
        from kibitz.abstraction.features._kernels import PAIR

        out = np.empty((stop - start, PAIRS), dtype=np.int32)
        move_parents(flops[start:stop], codes[start:stop], PAIR, parents, out)
        return out

    return Stream(get_boards(4), (codes >> 5).astype(np.int64), weights, before.states, of)


def ordered_turns() -> tuple[Rows, Rows, Longs]:
    """The 63,193 boards of a flop and a turn card up to suits: canonical flop, code of the turn board, deals."""
    from kibitz.abstraction.features._kernels import CARD

    flops, extensions = get_boards(3), get_extensions(3)
    # A turn card stands for those that symmetries of the flop exchange it with, of which it is the lowest.
    kept = (flops.symmetries[:, None] >> np.arange(len(CARD), dtype=np.uint32) & 1).astype(bool)
    images = np.where(kept[:, :, None], CARD[None], 52)  # [flop, permutation, card]
    lowest = (images.min(axis=1) == np.arange(52)) & (extensions >= 0)
    flop, card = np.nonzero(lowest)
    orbit = np.array([len(set(images[f, :, c].tolist()) - {52}) for f, c in zip(flop, card, strict=True)])
    weights = flops.weights[flop].astype(np.int64) * orbit
    return flop.astype(np.int32), extensions[flop, card], weights


class Cutting(NamedTuple):
    """The cuts of every round, and the mass of each of its buckets (float64, of sum 1)."""

    cuts: tuple[tuple[Cut, ...], ...]
    masses: tuple[npt.NDArray[np.float64], ...]


def cut_perfect_recall(plan: Sequence[Sequence[CutStep]], threads: int = 1, progress: Progress = silent) -> Cutting:
    """The cuts of a perfect-recall abstraction: each round's steps, one inside the other, inside the round before."""
    made: tuple[Cut, ...]
    cuts: list[tuple[Cut, ...]] = []
    masses: list[npt.NDArray[np.float64]] = []
    stream: Stream | None = None
    for size, steps in zip(STREETS, plan, strict=True):
        counter = Counter(threads, f"buckets of {size} board cards", progress)
        if size == 5 and all(parts == 1 for _feature, parts in steps):
            made, mass = (), masses[-1]  # as many rivers follow every hand on the turn
        elif size == 5:
            assert stream is not None
            made, mass = _cut_rivers(stream, steps, counter)
        else:
            stream, made, mass = _cut_stream(next_stream(stream, size), steps, counter)
        cuts.append(made)
        masses.append(mass)
    return Cutting(tuple(cuts), tuple(masses))


def cut_street(
    size: int, steps: Sequence[CutStep], threads: int = 1, progress: Progress = silent
) -> tuple[tuple[Cut, ...], npt.NDArray[np.float64]]:
    """The cuts of one street whatever came before, and the masses of its buckets."""
    counter = Counter(threads, f"buckets of {size} board cards", progress)
    _stream, cuts, masses = _cut_stream(whole_street(size), steps, counter)
    return cuts, masses


def table_masses(
    size: int, table: npt.NDArray[Any], buckets: int, threads: int = 1, progress: Progress = silent
) -> npt.NDArray[np.float64]:
    """The chance of each bucket of a table [boards, 1326] of all hands on boards of `size` cards."""
    stream = whole_street(size)
    counter = Counter(threads, f"masses with {size} board cards", progress)
    counts = counter.count(stream, (1, buckets), _tallying(stream, table))[0]
    return np.asarray(counts / counts.sum())


def _cut_stream(
    stream: Stream, steps: Sequence[CutStep], counter: Counter
) -> tuple[Stream, tuple[Cut, ...], npt.NDArray[np.float64]]:
    """Cut a street step by step; the stream of its buckets, the cuts and the masses."""
    cuts = []
    for feature, parts in steps:
        if parts > 1:
            cuts.append(Cut(feature, find_thresholds(stream, feature, parts, counter)))
            stream = stream.refine(cuts[-1])
    table = np.zeros((len(stream.boards), PAIRS), dtype=np.uint8)
    mass = counter.count(stream, (stream.states, 1), _tallying(stream, table))[:, 0]
    if stream.boards.size < 4:  # small enough to keep: the next street asks for it again and again
        kept = stream.parents(0, len(stream.rows))
        stream = Stream(
            stream.boards, stream.rows, stream.weights, stream.states, lambda start, stop: kept[start:stop].copy()
        )
    return stream, tuple(cuts), mass / mass.sum()


def _cut_rivers(
    turns: Stream, steps: Sequence[CutStep], counter: Counter
) -> tuple[tuple[Cut, ...], npt.NDArray[np.float64]]:
    """Cut the rivers of each sequence on the turn: all features are HS there, so that one count serves all steps."""
    from kibitz.abstraction._kernels import tally_rivers
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
    shift = count_shift(values)
    counts = counter.count(stream, (stream.states, ((values - 1) >> shift) + 1), _tallying(stream, table, shift))
    high = cut_points(counts, parts)
    if shift == 0:
        return high
    places = np.unique(np.arange(stream.states)[:, None] * counts.shape[1] + high)
    slots = np.full(counts.shape, -1, dtype=np.int32)
    slots.reshape(-1)[places] = np.arange(len(places))
    inside = counter.count(stream, (len(places), 1 << shift), _tallying(stream, table, shift, slots))
    thresholds = np.empty_like(high)
    for parent in range(stream.states):
        before = counts[parent].cumsum() - counts[parent]
        for cut, digit in enumerate(high[parent]):
            reached = before[digit] + inside[slots[parent, digit]].cumsum()
            wanted = (cut + 1) * counts[parent].sum()
            thresholds[parent, cut] = (digit << shift) + np.argmax(parts * reached >= wanted)
    return thresholds


def _tallying(
    stream: Stream, table: npt.NDArray[Any], shift: int = 0, slots: npt.NDArray[np.int32] | None = None
) -> Callable[[Rows, slice, Longs], None]:
    """What counts a part of a street by a table of features: see the kernel `tally`."""
    from kibitz.abstraction._kernels import tally

    def add(parents: Rows, part: slice, counts: Longs) -> None:
        tally(parents, stream.rows[part], stream.boards.cards, stream.weights[part], table, shift, slots, counts)

    return add


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
