"""Finding cluster centres on a sample: k-medians by earth mover's distance, or k-means by Euclidean distance.

Lloyd's method from several starts, of which the tightest is kept. A start is drawn as k-means++ does it (Arthur and
Vassilvitskii 2007): every next centre is a point of the sample, with probability in proportion to what it contributes
to the objective as it stands: its distance (k-medians), or the square of it (k-means).

Points of type uint8 are distribution functions (`features.histograms`): earth mover's distance is the sum of their
differences, and the centre that makes the sum of these least is the median, entry by entry. Points of type int16 are
vectors with the mean, rounded, as centre. All is done in integers, so that machines agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent

Points = npt.NDArray[Any]
_SLICE = 4096


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
    stage: str = "clusters",
    progress: Progress = silent,
) -> Centres:
    """The best `clusters` centres of several starts for the sample `points`, [n, width]."""
    best: Centres | None = None
    for start in range(training.starts):
        generator = np.random.default_rng((seed, start))
        told = f"{stage}, start {start + 1} of {training.starts}"
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

    cdfs = points.dtype == np.uint8
    approach: Callable[..., None] = _kernels.approach_cdf if cdfs else _kernels.approach_vector
    distances = np.full(len(points), 1 << 30, dtype=np.int32)
    chosen = [int(generator.integers(len(points)))]
    while len(chosen) < clusters:
        approach(points, points[chosen[-1]], distances)
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

    cdfs = points.dtype == np.uint8
    kernel: Callable[..., None] = _kernels.assign_cdfs if cdfs else _kernels.assign_vectors
    labels = np.empty(len(points), dtype=np.int32)
    distances = np.empty(len(points), dtype=np.int32)

    def work(start: int, stop: int) -> None:
        kernel(points[start:stop], centres, sums, labels[start:stop], distances[start:stop])

    run_slices(work, len(points), _SLICE, threads)
    return labels, distances
