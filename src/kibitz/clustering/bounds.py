"""What greedy clustering is guaranteed (Bard 2016, theorems 1 and 2), for utilities that are not negative."""

from __future__ import annotations

import numpy as np

from kibitz.clustering.oracle import Floats
from kibitz.errors import KibitzError


def guaranteed_share(k: int, entities: int) -> float:
    """The share of the best k clusters' utility that greedy clustering has at least: max(1/k, k/m) (theorem 1).

    >>> guaranteed_share(3, 9)
    0.3333333333333333
    """
    if not 1 <= k <= entities:
        raise KibitzError(f"{k} clusters of {entities} entities: at least 1, at most {entities}")
    return max(1 / k, k / entities)


def hard_example(k: int, epsilon: float = 1e-3) -> Floats:
    """Utilities float64[k^2, k^2 + k] for which greedy clustering has about 2 / k of the best utility (theorem 2).

    Entity a of block b has 1 with response a of the first k, and 2 + epsilon with response a of block b, epsilon with
    the others of it. Greedy clustering returns the blocks, worth k (2 + k epsilon); equal a's together are worth k^2.
    """
    if k < 1 or not epsilon > 0:
        raise KibitzError(f"k = {k}, epsilon = {epsilon}: k is at least 1, epsilon above 0")
    block = 2 * np.eye(k) + epsilon
    return np.hstack([np.tile(np.eye(k), (k, 1)), np.kron(np.eye(k), block)])
