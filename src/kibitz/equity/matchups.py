"""The 169 classes of starting hands against each other, all-in before the flop: exact counts over all boards.

>>> from kibitz.isomorphism import IsomorphismIndex
>>> from kibitz.cards import parse_cards
>>> aces, kings = (IsomorphismIndex("2").index(parse_cards(text)) for text in ("AcAd", "KcKd"))
>>> pairs, lead = class_matchups()
>>> round(float(0.5 + lead[aces, kings] / (2 * pairs[aces, kings] * BOARDS)), 6)
0.819461
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import combinations

import numpy as np
import numpy.typing as npt

CLASSES = 169
BOARDS = 1_712_304  # left beside two hands: 48 choose 5
HandClass = tuple[tuple[int, int], ...]  # the hands of one of the 169 classes, each with the higher card first


@lru_cache(maxsize=1)
def class_matchups() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(pairs, lead), both int64[169, 169], classes as `IsomorphismIndex("2")` numbers them.

    pairs   of hands, one of each class, that share no card
    lead    pairs and boards on which the first wins, less those on which it loses; out of pairs * BOARDS
    """
    above = np.triu_indices(CLASSES)
    pairs, lead = (np.zeros((CLASSES, CLASSES), dtype=np.int64) for _ in range(2))
    with files("kibitz.equity").joinpath("matchups.npz").open("rb") as file, np.load(file) as table:
        pairs[above], lead[above] = table["pairs"], table["lead"]
    return np.maximum(pairs, pairs.T), lead - lead.T


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


def preflop_equity(hole: Sequence[int]) -> float:
    """The all-in equity of two hole cards against a random hand, to four decimals.

    >>> from kibitz.cards import parse_cards
    >>> preflop_equity(parse_cards("AsAh")), preflop_equity(parse_cards("3h2c"))
    (0.852, 0.323)
    """
    first, second = hole
    return _equity_of_hands()[max(first, second), min(first, second)]


@lru_cache(maxsize=1)
def _equity_of_hands() -> dict[tuple[int, int], float]:
    return {hand: round(equity, 4) for equity, hands in classes_by_equity() for hand in hands}
