"""Clusters of all hands of a street: centres found on a sample of deals, then every hand to its nearest centre.

Centres are k-medians by earth mover's distance, or k-means by Euclidean distance: Lloyd's method from several starts,
of which the tightest is kept. A start is drawn as k-means++ does it (Arthur and Vassilvitskii 2007): every next centre
is a point of the sample, with probability in proportion to what it contributes to the objective as it stands: its
distance (k-medians), or the square of it (k-means).

Points of type uint8 are distribution functions (`features.distributions`): earth mover's distance is the sum of their
differences, and the centre that makes the sum of these least is the median, entry by entry. Points of type int16 are
vectors with the mean, rounded, as centre. All is done in integers, so that machines agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import PAIRS, get_boards
from kibitz.abstraction.features.distributions import (
    BINS,
    OPPONENTS,
    SURE_WIN,
    WHOLE,
    HistogramRows,
    OpponentRows,
    class_cumulative,
)
from kibitz.abstraction.features.strength import pair_classes
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent

Points = npt.NDArray[Any]
_SLICE = 4096
_CHUNK = {0: 1, 3: 8, 4: 16, 5: 512}  # boards at a time; the evaluator takes 512 rivers together
_FEWEST, _PER_CLUSTER, _MOST = 50_000, 100, 1_000_000  # deals in a sample


@dataclass(frozen=True)
class Training:
    """How hard to try: starts, and at most so many rounds of Lloyd's method for each."""

    starts: int = 3
    iterations: int = 40


DEFAULT = Training()


@dataclass(frozen=True, eq=False)
class Centres:
    """Cluster centres, weakest hands first.

    points : uint8[k, 64] or int16[k, 8], in order of `sums`, which bound the search for the nearest
    cost   : mean distance (or squared distance) of the sample
    """

    points: Points
    sums: npt.NDArray[np.int32]
    cost: float
    iterations: int


def train(
    points: Points,
    clusters: int,
    seed: int,
    training: Training = DEFAULT,
    threads: int = 1,
    progress: Progress = silent,
) -> Centres:
    """The best `clusters` centres of several starts for the sample `points`, [n, width]."""
    best: Centres | None = None
    for start in range(training.starts):
        generator = np.random.default_rng((seed, start))
        told = f"start {start + 1} of {training.starts}"
        found = _lloyd(points, _draw_centres(points, clusters, generator), training.iterations, threads, told, progress)
        if best is None or found.cost < best.cost:
            best = found
    assert best is not None
    return best


def in_order(points: Points) -> tuple[Points, npt.NDArray[np.int32]]:
    """Centres in order of their sums, and the sums, int32[k]."""
    sums = points.sum(axis=1, dtype=np.int32)
    order = np.argsort(sums, kind="stable")
    return np.ascontiguousarray(points[order]), sums[order]


def _draw_centres(points: Points, clusters: int, generator: np.random.Generator) -> Points:
    from kibitz.abstraction.clusters import _kernels

    distances = np.full(len(points), 1 << 30, dtype=np.int32)
    chosen = [int(generator.integers(len(points)))]
    while len(chosen) < clusters:
        _kernels.approach(points, points[chosen[-1]], distances)
        cumulative = distances.cumsum(dtype=np.float64)
        target = generator.random() * cumulative[-1]
        chosen.append(min(int(np.searchsorted(cumulative, target, side="right")), len(points) - 1))
    return points[chosen]


def _lloyd(points: Points, centres: Points, most: int, threads: int, stage: str, progress: Progress) -> Centres:
    from kibitz.abstraction.clusters import _kernels

    cdfs = points.dtype == np.uint8
    take: Callable[..., None] = _kernels.take_medians if cdfs else _kernels.take_means
    labels = np.full(len(points), -1, dtype=np.int32)
    iteration = 0
    while True:
        centres, sums = in_order(centres)
        before = labels
        labels, distances = assign(points, centres, sums, threads)
        iteration += 1
        progress(stage, min(iteration, most), most)
        if iteration >= most or (labels == before).all():
            progress(stage, most, most)
            return Centres(centres, sums, float(distances.mean(dtype=np.float64)), iteration)
        order = np.argsort(labels, kind="stable")
        starts = np.searchsorted(labels[order], np.arange(len(centres) + 1))
        centres = centres.copy()
        take(points, order, starts, centres)
        empty = np.flatnonzero(np.diff(starts) == 0)
        # A centre that nobody is nearest to goes where somebody is farthest from theirs.
        centres[empty] = points[np.argsort(-distances, kind="stable")[: len(empty)]]


def assign(
    points: Points, centres: Points, sums: npt.NDArray[np.int32], threads: int = 1
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """The nearest centre of each point, int32[n], and its distance."""
    from kibitz.abstraction.clusters import _kernels

    labels = np.empty(len(points), dtype=np.int32)
    distances = np.empty(len(points), dtype=np.int32)

    def work(start: int, stop: int) -> None:
        _kernels.assign(points[start:stop], centres, sums, labels[start:stop], distances[start:stop])

    run_slices(work, len(points), _SLICE, threads)
    return labels, distances


class FeatureRows(Protocol):
    """Vectors of all pairs on chosen boards of one street."""

    @property
    def size(self) -> int:
        """Cards on the board."""

    @property
    def count(self) -> int:
        """Canonical boards."""

    def rows(self, rows: npt.NDArray[np.int64]) -> Points:
        """[n, 1326, width], of the canonical boards `rows`."""


class Clusters(NamedTuple):
    """Buckets of a street: table[board, pair], and how they came about."""

    table: npt.NDArray[Any]
    made: dict[str, Any]


@lru_cache(maxsize=1)
def opponent_clusters() -> npt.NDArray[np.int64]:
    """The kind of opponent, 0 (weakest) .. 7, who holds each pair: int64[1326], always the same."""
    points = class_cumulative()[pair_classes()]
    centres = train(points, OPPONENTS, 0, Training(starts=50))
    labels, _ = assign(points, centres.points, centres.sums)
    return _weakest_first(labels, centres).astype(np.int64)


def _weakest_first(labels: npt.NDArray[np.int32], centres: Centres) -> npt.NDArray[np.int32]:
    """Labels with weak hands first: a distribution function is larger, the weaker the hand."""
    return len(centres.points) - 1 - labels if centres.points.dtype == np.uint8 else labels


def cluster_street(
    feature: str, size: int, clusters: int, seed: int = 0, threads: int = 1, progress: Progress = silent
) -> Clusters:
    """All hands on boards of `size` cards in `clusters` buckets: KE by histograms before the river, KO by OCHS on it.

    `made` tells the mean distance of the sample from its centres in units of hand strength: earth mover's distance, or
    the root of the mean squared Euclidean distance.
    """
    rows: FeatureRows = HistogramRows(size) if feature == "KE" else OpponentRows(opponent_clusters())
    samples = sample_size(clusters)
    points = _sample(rows, samples, seed, threads, progress)

    def tell(stage: str, done: int, total: int) -> None:
        progress(f"clusters with {size} board cards, {stage}", done, total)

    centres = train(points, clusters, seed, DEFAULT, threads, tell)
    table = _label_all(rows, centres, threads, progress)
    made = {
        "feature": feature,
        "samples": samples,
        "starts": DEFAULT.starts,
        "iterations": centres.iterations,
        "mean_distance": _in_strength(centres.cost, size),
    }
    return Clusters(table, made)


def sample_size(clusters: int) -> int:
    """Deals on which so many centres are trained."""
    return min(max(_FEWEST, _PER_CLUSTER * clusters), _MOST)


def _in_strength(cost: float, size: int) -> float:
    return float(np.sqrt(cost)) / SURE_WIN if size == 5 else cost / WHOLE[size] / BINS


def _sample(rows: FeatureRows, samples: int, seed: int, threads: int, progress: Progress) -> Points:
    """Vectors of the hands of `samples` deals, each deal as likely: [samples, width]."""
    from kibitz.abstraction._kernels import deal_hands
    from kibitz.abstraction.features._kernels import PAIR

    key = np.random.SeedSequence((seed, rows.size)).generate_state(1, np.uint64)[0]
    hands = np.empty((samples, 1, 2 + rows.size), dtype=np.uint8)
    deal_hands(key, 0, hands)
    codes = get_boards(rows.size).place_batch(np.ascontiguousarray(hands[:, 0, 2:]))
    low, high = np.sort(hands[:, 0, :2].astype(np.int64), axis=1).T
    pairs = PAIR[codes & 31, high * (high - 1) // 2 + low]
    order = np.argsort(codes >> 5, kind="stable")
    boards, first = np.unique((codes >> 5)[order], return_index=True)
    ends = np.append(first, samples)
    points = np.empty(
        (samples, rows.rows(np.zeros(1, dtype=np.int64)).shape[2]), dtype=np.uint8 if rows.size < 5 else np.int16
    )

    def work(start: int, stop: int) -> None:
        found = rows.rows(boards[start:stop].astype(np.int64))
        chosen = order[ends[start] : ends[stop]]
        board = np.repeat(np.arange(stop - start), np.diff(ends[start : stop + 1]))
        points[chosen] = found[board, pairs[chosen]]

    run_slices(work, len(boards), _CHUNK[rows.size], threads, f"sample with {rows.size} board cards", progress)
    return points


def _label_all(rows: FeatureRows, centres: Centres, threads: int, progress: Progress) -> npt.NDArray[Any]:
    """The bucket of every pair on every board: [boards, 1326], in the least type that holds them."""
    from kibitz.abstraction.clusters import _kernels
    from kibitz.abstraction.features._kernels import PAIR

    boards, clusters = get_boards(rows.size), len(centres.points)
    table = np.empty((rows.count, PAIRS), dtype=np.min_scalar_type(clusters - 1))

    def work(start: int, stop: int) -> None:
        points = rows.rows(np.arange(start, stop))
        labels = np.empty((stop - start, PAIRS), dtype=np.int32)
        each = (points, boards.cards[start:stop], boards.symmetries[start:stop])
        _kernels.label(*each, PAIR, centres.points, centres.sums, labels)
        table[start:stop] = _weakest_first(labels, centres)

    run_slices(work, rows.count, _CHUNK[rows.size], threads, f"buckets with {rows.size} board cards", progress)
    return table
