"""The boards of a street as deals come to them, and counting over them.

With perfect recall a hand's bucket depends on the order in which its board came, so boards are gone through flop by
flop: 1,755 flops, 63,193 boards of flop and turn card, each with the bucket that every pair of hole cards was in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import PAIRS, Boards, get_boards, get_extensions
from kibitz.abstraction.features.strength import feature_table
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress

Rows = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

_CHUNK = 256  # boards at a time


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
            from kibitz.abstraction.buckets._kernels import refine

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
        from kibitz.abstraction.buckets._kernels import move_parents
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
