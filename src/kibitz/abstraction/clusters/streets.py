"""Clusters of all hands of a street: centres found on a sample of deals, then every hand to its nearest centre."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.clusters.training import DEFAULT, Centres, Points, Training, assign, train
from kibitz.abstraction.features import histograms, opponents
from kibitz.abstraction.features.boards import PAIRS, get_boards
from kibitz.abstraction.features.histograms import HistogramRows, class_cumulative
from kibitz.abstraction.features.opponents import OPPONENTS, OpponentRows
from kibitz.abstraction.features.strength import pair_classes
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent

_CHUNK = {0: 1, 3: 8, 4: 16, 5: 512}  # boards at a time; the evaluator takes 512 rivers together
_FEWEST, _PER_CLUSTER, _MOST = 50_000, 100, 1_000_000  # deals in a sample


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
    feature: str,
    size: int,
    clusters: int,
    seed: int = 0,
    training: Training = DEFAULT,
    threads: int = 1,
    progress: Progress = silent,
) -> Clusters:
    """All hands on boards of `size` cards in `clusters` buckets: KE by histograms before the river, KO by OCHS on it.

    `made` tells the mean distance of the sample from its centres in units of hand strength: earth mover's distance, or
    the root of the mean squared Euclidean distance.
    """
    rows: FeatureRows = HistogramRows(size) if feature == "KE" else OpponentRows(opponent_clusters())
    samples = sample_size(clusters)
    points = _sample(rows, samples, seed, threads, progress)
    stage = f"clusters with {size} board cards"
    centres = train(points, clusters, seed, training, threads, stage, progress)
    table = _label_all(rows, centres, threads, progress)
    made = {
        "feature": feature,
        "samples": samples,
        "starts": training.starts,
        "iterations": centres.iterations,
        "mean_distance": _in_strength(centres.cost, size),
    }
    return Clusters(table, made)


def sample_size(clusters: int) -> int:
    """Deals on which so many centres are trained."""
    return min(max(_FEWEST, _PER_CLUSTER * clusters), _MOST)


def _in_strength(cost: float, size: int) -> float:
    return float(np.sqrt(cost)) / opponents.WHOLE if size == 5 else cost / histograms.WHOLE[size] / histograms.BINS


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

    cdfs = centres.points.dtype == np.uint8
    label: Callable[..., None] = _kernels.label_cdfs if cdfs else _kernels.label_vectors
    boards, clusters = get_boards(rows.size), len(centres.points)
    table = np.empty((rows.count, PAIRS), dtype=np.min_scalar_type(clusters - 1))

    def work(start: int, stop: int) -> None:
        points = rows.rows(np.arange(start, stop))
        labels = np.empty((stop - start, PAIRS), dtype=np.int32)
        label(
            points, boards.cards[start:stop], boards.symmetries[start:stop], PAIR, centres.points, centres.sums, labels
        )
        table[start:stop] = _weakest_first(labels, centres)

    run_slices(work, rows.count, _CHUNK[rows.size], threads, f"buckets with {rows.size} board cards", progress)
    return table
