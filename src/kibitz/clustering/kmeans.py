"""k-means, the spatial clustering that others are compared with: Lloyd's algorithm from k-means++ centres."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.clustering.oracle import Floats, Ints
from kibitz.clustering.partitions import numbered
from kibitz.errors import KibitzError

RESTARTS = 50


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
