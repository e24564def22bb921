"""All hands of one player against vectors of another's hands on one board.

Vectors are rows of hands: float32[rows, hands]. In `meet` LANES of them stand side by side while the hands are gone
through, weakest first, so that the running sums, one per card and one for all, are short vectors.
"""

import numpy as np
from numba import float32

from kibitz.compiling import njit
from kibitz.lanes._kernels import ONE, TWO, comparer, loader, meeter, store

LANES = 16
_load, _rivals = loader(LANES), meeter(LANES)


@njit
def _hand(order, s, source):
    return _load(source, s * LANES)


_compare = comparer(float32, LANES, _hand)


@njit(cache=True)
def meet(vectors, cards, groups, rivals, lead):
    """How many of the agent's hands each hand meets, and by how many more it beats than it loses to.

    vectors        : float32[rows, hands]   the agent's hands, weakest first
    cards          : int64[hands, 2]
    groups         : int64[g]               where hands of equal strength end; with none, nothing is compared
    rivals, lead   : float32[rows, hands]   filled; sums over the agent's hands that share no card with the hand
    """
    rows, hands = vectors.shape
    ranked = len(groups) > 0
    order = np.empty((TWO + 1, hands), np.int32)
    for s in range(hands):
        order[ONE, s], order[TWO, s] = cards[s, 0] * LANES, cards[s, 1] * LANES
    here, shown = np.empty(hands * LANES, np.float32), np.empty(hands * LANES, np.float32)
    sums = np.empty(52 * LANES, np.float32)
    for first in range(0, rows, LANES):
        wide = min(LANES, rows - first)
        here[:] = np.float32(0)
        for k in range(wide):
            for s in range(hands):
                here[s * LANES + k] = vectors[first + k, s]
        everything = _compare(order, groups, ranked, here, here, sums, shown)
        for s in range(hands):
            store(here, s * LANES, _rivals(s, order, everything, here, sums))
        for k in range(wide):
            for s in range(hands):
                rivals[first + k, s] = here[s * LANES + k]
                if ranked:
                    lead[first + k, s] = shown[s * LANES + k] - here[s * LANES + k]
