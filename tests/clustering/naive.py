"""Clustering written down as the definitions have it, to compare with."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import numpy as np


def plans_of(tree) -> Iterator[np.ndarray]:
    """Every pure plan of a tree of decisions, those that differ where they do not lead several times."""
    for choices in product(*(range(first, last) for first, last in zip(tree.start[:-1], tree.start[1:], strict=True))):
        plan = np.zeros(tree.size)
        plan[0] = 1
        for choice, parent in zip(choices, tree.parent, strict=True):
            plan[choice] = plan[parent]
        yield plan


def partitions_of(count: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every partition of 0 .. count - 1."""
    if not count:
        yield ()
        return
    for rest in partitions_of(count - 1):
        yield (*rest, (count - 1,))
        for place in range(len(rest)):
            yield (*rest[:place], (*rest[place], count - 1), *rest[place + 1 :])


def utility(table: np.ndarray, partition) -> float:
    """u(P) of utilities float64[m, n]."""
    return sum(table[list(cluster)].sum(axis=0).max() for cluster in partition)


def optimum(table: np.ndarray, k: int) -> float:
    """The utility of the best partition into at most k clusters."""
    return max(utility(table, each) for each in partitions_of(len(table)) if len(each) <= k)


def greedy(table: np.ndarray, k: int) -> tuple[tuple[int, ...], ...]:
    """Algorithm 2 without any memory: the best of all coarsenings, again and again."""
    partition = tuple((each,) for each in range(len(table)))
    while len(partition) > k:
        coarser = []
        for a, b in combinations(range(len(partition)), 2):
            rest = [each for place, each in enumerate(partition) if place not in (a, b)]
            coarser.append((*rest, partition[a] + partition[b]))
        partition = max(coarser, key=lambda each: utility(table, each))
    return partition


def k_means(points: np.ndarray, draws: np.ndarray) -> tuple[np.ndarray, float]:
    """Lloyd's algorithm on the points themselves; no cluster may become empty."""
    centres = [points[int(draws[0] * len(points))]]
    for draw in draws[1:]:
        nearest = np.min([((points - centre) ** 2).sum(axis=1) for centre in centres], axis=0)
        centres.append(points[np.searchsorted(np.cumsum(nearest), draw * nearest.sum(), side="right")])
    table = np.array(centres)
    labels = np.full(len(points), -1)
    while True:
        apart = ((points[:, np.newaxis] - table) ** 2).sum(axis=2)
        found = apart.argmin(axis=1)
        if (found == labels).all():
            return labels, float(apart[np.arange(len(points)), labels].sum())
        labels = found
        table = np.array([points[labels == each].mean(axis=0) for each in range(len(draws))])
