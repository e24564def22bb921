"""Partitions into several numbers of clusters at once, by name of the method."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from kibitz.clustering.greedy import cluster_greedily
from kibitz.clustering.kmeans import inner_products, k_means
from kibitz.clustering.oracle import Floats, Ints, Oracle
from kibitz.clustering.partitions import partition_of
from kibitz.coverage import greedy_cover
from kibitz.progress import Progress, silent

Partitions = dict[int, Ints]  # number of clusters -> labels; a method may need fewer clusters than it was given


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
