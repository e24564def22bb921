"""Partitions and covers: two views of the same problem (Bard 2016, section 5.1).

A partition of m entities is one label for each, int64[m], counted from 0 without gaps. A cover is a set of responses.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.clustering.oracle import Floats, Ints, Oracle
from kibitz.errors import KibitzError


def numbered(labels: npt.ArrayLike) -> Ints:
    """The same partition with its clusters numbered in the order of their first entities.

    >>> numbered([7, 2, 7, 0]).tolist()
    [0, 1, 0, 2]
    """
    _, first, inverse = np.unique(np.asarray(labels), return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first)] = np.arange(len(first))
    return place[inverse]


def cluster_sums(statistics: Floats, labels: Ints) -> Floats:
    """The statistics of every cluster, float64[k, d]."""
    if len(labels) != len(statistics):
        raise KibitzError(f"{len(labels)} labels for {len(statistics)} entities: each needs one")
    sums = np.zeros((int(labels.max()) + 1, statistics.shape[1]))
    np.add.at(sums, labels, statistics)
    return sums


def partition_utility(oracle: Oracle, labels: Ints) -> float:
    """u(P): what is won with the best response to every cluster, summed over all entities (equation 5.1)."""
    return float(oracle.values(cluster_sums(oracle.statistics, labels)).sum())


def individual_utility(oracle: Oracle) -> float:
    """What is won with the best response to every entity of its own."""
    return float(oracle.values(oracle.statistics).sum())


def partition_of(utilities: Floats) -> Ints:
    """Each entity with the response that is best against it, of float64[m, k] utilities (lemma 2).

    Responses that nobody is assigned to have no cluster. The utility of the partition is no less than the cover's.
    """
    if utilities.ndim != 2 or not utilities.size:
        raise KibitzError(f"utilities of shape {utilities.shape}: need [m, k], at least one of each")
    return numbered(np.argmax(utilities, axis=1))
