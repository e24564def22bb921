"""The 169 classes of starting hands against each other, all-in before the flop: exact counts over all boards.

>>> from kibitz.isomorphism import IsomorphismIndex
>>> from kibitz.cards import parse_cards
>>> aces, kings = (IsomorphismIndex("2").index(parse_cards(text)) for text in ("AcAd", "KcKd"))
>>> pairs, lead = class_matchups()
>>> round(float(0.5 + lead[aces, kings] / (2 * pairs[aces, kings] * BOARDS)), 6)
0.819461
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

CLASSES = 169
BOARDS = 1_712_304  # left beside two hands: 48 choose 5


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
