"""Starting hands of hold'em from best to worst: by their all-in equity against a random hand, counted exactly."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np

from kibitz.equity.matchups import BOARDS, class_matchups

HandClass = tuple[tuple[int, int], ...]  # the hands of one of the 169 classes, each with the higher card first


@lru_cache(maxsize=1)
def classes_by_equity() -> tuple[tuple[float, HandClass], ...]:
    """(equity against a random hand, its hands) of the 169 classes, best first.

    >>> equity, aces = classes_by_equity()[0]
    >>> round(equity, 4), len(aces)
    (0.852, 6)
    """
    from kibitz.isomorphism import IsomorphismIndex

    pairs, lead = class_matchups()
    equities = 0.5 + lead.sum(axis=1) / (2 * BOARDS * pairs.sum(axis=1))
    index = IsomorphismIndex("2")
    members: dict[int, list[tuple[int, int]]] = {}
    for low, high in combinations(range(52), 2):
        members.setdefault(index.index((high, low)), []).append((high, low))
    order = np.argsort(-equities, kind="stable")
    return tuple((float(equities[each]), tuple(members[int(each)])) for each in order)
