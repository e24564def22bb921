"""Greedy response oracle clustering (Bard 2016, algorithm 2): merge the two clusters that cost the least, again.

What it is guaranteed (theorems 1 and 2) holds for utilities that are not negative.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from kibitz.clustering.oracle import Floats, Ints, Oracle
from kibitz.clustering.partitions import numbered
from kibitz.errors import KibitzError
from kibitz.progress import Progress, silent

ROUNDING = 1e-12  # share of two clusters' utilities below which a loss is none


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The partitions of a bottom-up clustering, from m singletons to `fewest` clusters.

    merges    : int64[m - fewest, 2]   the two clusters merged at each step, each by its first entity
    utilities : float64[m - fewest + 1]   u of the partition into m, m - 1, ... clusters
    """

    size: int
    merges: Ints
    utilities: Floats

    @property
    def fewest(self) -> int:
        """The smallest number of clusters."""
        return self.size - len(self.merges)

    def utility(self, k: int) -> float:
        """u of the partition into k clusters."""
        return float(self.utilities[self._step(k)])

    def loss(self, k: int) -> float:
        """What is lost by k clusters (equation 5.3)."""
        return float(self.utilities[0]) - self.utility(k)

    def labels(self, k: int) -> Ints:
        """The partition into k clusters, int64[m]."""
        labels = np.arange(self.size)
        for kept, gone in self.merges[: self._step(k)]:
            labels[labels == gone] = kept
        return numbered(labels)

    def _step(self, k: int) -> int:
        if not self.fewest <= k <= self.size:
            raise KibitzError(f"{k} clusters: this clustering of {self.size} has {self.fewest} to {self.size}")
        return self.size - k


def cluster_greedily(oracle: Oracle, fewest: int = 1, tell: Progress = silent) -> Hierarchy:
    """Merge, from singletons down to `fewest` clusters, the pair with the smallest loss u(A) + u(B) - u(A and B).

    Losses are kept: after a merge only those of the new cluster are new, so that all takes O(m^2) values of the oracle.
    They are not negative, so that as long as some known pair costs nothing the others need not be looked at.
    """
    size = len(oracle.statistics)
    if not 1 <= fewest <= size:
        raise KibitzError(f"{fewest} clusters of {size} entities: at least 1, at most {size}")
    state = _Losses(oracle, tell)
    merges = np.empty((size - fewest, 2), dtype=np.int64)
    utilities = np.empty(size - fewest + 1)
    utilities[0] = state.values.sum()
    for step in range(len(merges)):
        merges[step] = state.merge()
        utilities[step + 1] = state.values[state.alive].sum()
    return Hierarchy(size, merges, utilities)


class _Losses:
    """The clusters there are, by their first entity, and what is known of the losses of their pairs.

    values : float64[m]      u of every cluster        sums : float64[m, d]   its statistics
    losses : float64[m, m]   of pairs a < b that have been looked at, inf for the others and for clusters gone
    """

    def __init__(self, oracle: Oracle, tell: Progress = silent) -> None:
        self.oracle, self.tell = oracle, tell
        self.sums = np.array(oracle.statistics, dtype=np.float64)
        self.values = oracle.values(self.sums)
        self.alive = np.ones(len(self.sums), dtype=np.bool_)
        self.losses = np.full((len(self.sums),) * 2, np.inf)
        self.known = np.zeros((len(self.sums),) * 2, dtype=np.bool_)
        self.waiting = list(range(len(self.sums)))[::-1]  # clusters some of whose pairs have not been looked at

    def merge(self) -> tuple[int, int]:
        """Merge the pair that costs the least, the first of those that cost the same; returns it."""
        first, second = divmod(int(np.argmin(self.losses)), len(self.losses))
        while self.losses[first, second] > 0 and self.waiting:
            self.tell("clusters compared", int(self.alive.sum()) - len(self.waiting), int(self.alive.sum()))
            self._look_at(self.waiting.pop())
            first, second = divmod(int(np.argmin(self.losses)), len(self.losses))
        union = self.sums[first] + self.sums[second]
        self.values[first] = self.oracle.values(union[np.newaxis])[0]
        self.sums[first] = union
        self.alive[second] = False
        for gone in (first, second):
            self.losses[gone, :] = self.losses[:, gone] = np.inf
            self.known[gone, :] = self.known[:, gone] = False
        self.waiting = [each for each in self.waiting if each not in (first, second)] + [first]
        return first, second

    def _look_at(self, cluster: int) -> None:
        """The losses of all pairs of a cluster that are not known."""
        self.known[cluster, cluster] = True
        others = np.flatnonzero(self.alive & ~self.known[cluster])
        self.known[cluster, cluster] = False
        if not len(others):
            return
        apart = self.values[cluster] + self.values[others]
        losses = apart - self.oracle.values(self.sums[cluster] + self.sums[others])
        noise = ROUNDING * (np.abs(self.values[cluster]) + np.abs(self.values[others]))
        losses[losses <= noise] = 0.0
        self.losses[np.minimum(cluster, others), np.maximum(cluster, others)] = losses
        self.known[cluster, others] = self.known[others, cluster] = True


def hard_example(k: int, epsilon: float = 1e-3) -> Floats:
    """Utilities float64[k^2, k^2 + k] for which greedy clustering has about 2 / k of the best utility (theorem 2).

    Entity a of block b has 1 with response a of the first k, and 2 + epsilon with response a of block b, epsilon with
    the others of it. Greedy clustering returns the blocks, worth k (2 + k epsilon); equal a's together are worth k^2.
    """
    if k < 1 or not epsilon > 0:
        raise KibitzError(f"k = {k}, epsilon = {epsilon}: k is at least 1, epsilon above 0")
    block = 2 * np.eye(k) + epsilon
    return np.hstack([np.tile(np.eye(k), (k, 1)), np.kron(np.eye(k), block)])
