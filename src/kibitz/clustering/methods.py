"""Partitions into several numbers of clusters at once, by name of the method.

k-means, which the others are compared with, is Lloyd's algorithm from k-means++ centres.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.clustering.greedy import cluster_greedily
from kibitz.clustering.oracle import Floats, Ints, Oracle
from kibitz.clustering.partitions import numbered, partition_of
from kibitz.coverage import greedy_cover
from kibitz.errors import KibitzError
from kibitz.progress import Progress, silent

Partitions = dict[int, Ints]  # number of clusters -> labels; a method may need fewer clusters than it was given
RESTARTS = 50  # of k-means


def by_merging(oracle: Oracle, numbers: Iterable[int], tell: Progress = silent) -> Partitions:
    """Greedy merging, one run for all numbers."""
    wanted = list(numbers)
    found = cluster_greedily(oracle, min(wanted), tell)
    return {k: found.labels(k) for k in wanted}


def by_coverage(oracle: Oracle, numbers: Iterable[int], tell: Progress = silent) -> Partitions:
    """Maximum coverage by the entities' own best responses: one response per entity, O(m^2) utilities."""
    wanted = list(numbers)
    tell("responses and what they win", 0, 1)
    own = oracle.utilities(oracle.respond(oracle.statistics))
    chosen = greedy_cover(own, max(wanted))
    return {k: partition_of(own[:, chosen[:k]]) for k in wanted}


def by_distance(points: Floats, numbers: Iterable[int], seed: int | np.random.Generator) -> Partitions:
    """k-means on float64[m, d] `points`, with the same stream of random numbers for all."""
    gram, rng = inner_products(points), np.random.default_rng(seed)
    return {k: k_means(gram, k, rng).labels for k in numbers}


# Methods that need nothing but the oracle.
METHODS: dict[str, Callable[[Oracle, Iterable[int], Progress], Partitions]] = {
    "greedy": by_merging,
    "coverage": by_coverage,
}


@dataclass(frozen=True, eq=False)
class KMeans:
    """A partition, int64[m], and the sum of squared distances of the points from the centroids of their clusters."""

    labels: Ints
    objective: float


def inner_products(points: npt.ArrayLike) -> Floats:
    """float64[m, m] of points float64[m, d], moved so that their mean is 0, which rounds less."""
    table = np.asarray(points, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise KibitzError(f"points of shape {table.shape}: need finite [m, d], at least one of each")
    centred = table - table.mean(axis=0)
    return np.asarray(centred @ centred.T)


def k_means(gram: Floats, k: int, seed: int | np.random.Generator, restarts: int = RESTARTS) -> KMeans:
    """The best of several runs by its own measure, the sum of squared distances.

    gram   `inner_products` of the points, which many numbers of clusters share
    """
    if not 1 <= k <= len(gram):
        raise KibitzError(f"{k} clusters of {len(gram)} points: at least 1, at most {len(gram)}")
    if restarts < 1:
        raise KibitzError(f"{restarts} restarts: at least 1")
    from kibitz.clustering import _kernels

    draws = np.random.default_rng(seed).random((restarts, k))
    labels, best = np.zeros((2, len(gram)), dtype=np.int64)
    objective = np.inf
    for each in draws:
        found = _kernels.lloyd(gram, each, labels)
        if found < objective:
            objective, best[:] = found, labels
    return KMeans(numbered(best), max(float(objective), 0.0))
