"""Maximum coverage: k of the responses that can be listed, such that every entity has one that suits it.

The greedy algorithm of Nemhauser, Wolsey and Fisher 1978 (Bard 2016, algorithm 1) is a (1 - 1/e)-approximation where
utilities are not negative. Others are shifted, entity by entity, by the least of them, which changes no choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.clustering.oracle import Floats
from kibitz.errors import KibitzError

MOST_SUBSETS = 2_000_000  # that are tried one by one


@dataclass(frozen=True, eq=False)
class Cover:
    """Responses in the order in which they were chosen, and what the first 1, 2, ... of them cover: float64[k]."""

    chosen: tuple[int, ...]
    utilities: Floats


def cover_greedily(utilities: npt.ArrayLike, k: int) -> Cover:
    """Add, k times, the response whose marginal gain is largest; ends early where nothing is gained any more.

    utilities : float64[m, n] of every entity against every response

    Gains can only shrink as more is covered, so those of earlier steps are bounds, and few are computed again.
    """
    table = _checked(utilities, k)
    covered = table.min(axis=1)
    queue = [(-float((column - covered).sum()), response) for response, column in enumerate(table.T)]
    heapify(queue)
    chosen: list[int] = []
    found: list[float] = []
    while queue and len(chosen) < k:
        response = heappop(queue)[1]
        gain = float(np.maximum(table[:, response] - covered, 0.0).sum())
        if queue and (-gain, response) > queue[0]:
            heappush(queue, (-gain, response))
            continue
        if gain <= 0 and chosen:
            break
        covered = np.maximum(covered, table[:, response])
        chosen.append(response)
        found.append(float(covered.sum()))
    return Cover(tuple(chosen), np.array(found))


def best_cover(utilities: npt.ArrayLike, k: int) -> Cover:
    """The best k responses, by trying all sets of k; `utilities` has one entry, that of all of them."""
    table = _checked(utilities, k)
    k = min(k, table.shape[1])
    subsets = comb(table.shape[1], k)
    if subsets > MOST_SUBSETS:
        raise KibitzError(f"{subsets:,} sets of {k} of {table.shape[1]} responses: at most {MOST_SUBSETS:,} are tried")
    best: tuple[int, ...] = ()
    value = -np.inf
    for subset in combinations(range(table.shape[1]), k):
        covered = float(table[:, subset].max(axis=1).sum())
        if covered > value:
            best, value = subset, covered
    return Cover(best, np.array([value]))


def _checked(utilities: npt.ArrayLike, k: int) -> Floats:
    table = np.asarray(utilities, dtype=np.float64)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise KibitzError(f"utilities of shape {table.shape}: need finite [m, n], at least one entity and one response")
    if k < 1:
        raise KibitzError(f"{k} responses: at least 1")
    return table
