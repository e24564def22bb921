"""All hands of one player against vectors of another's hands on one board.

Vectors are rows of hands: float32[rows, hands]. In `meet` BLOCK of them stand side by side while the hands are gone
through, weakest first, so that the running sums, one per card and one for all, are short vectors.
"""

import numpy as np

from kibitz.compiling import njit

BLOCK = 16


@njit(cache=True)
def meet(vectors, cards, groups, rivals, lead):
    """How many of the agent's hands each hand meets, and by how many more it beats than it loses to.

    vectors        : float32[rows, hands]   the agent's hands, weakest first
    cards          : int64[hands, 2]
    groups         : int64[g]               where hands of equal strength end; with none, nothing is compared
    rivals, lead   : float32[rows, hands]   filled; sums over the agent's hands that share no card with the hand
    """
    rows, hands = vectors.shape
    here = np.empty((hands, BLOCK), np.float32)
    below = np.empty((hands, BLOCK), np.float32)
    sums = np.empty((53, BLOCK), np.float32)  # by card, and of all
    for first in range(0, rows, BLOCK):
        wide = min(BLOCK, rows - first)
        here[:] = np.float32(0)
        for k in range(wide):
            for s in range(hands):
                here[s, k] = vectors[first + k, s]
        sums[:] = np.float32(0)
        start = 0
        for g in range(len(groups)):
            end = groups[g]
            for s in range(start, end):
                one, two = cards[s, 0], cards[s, 1]
                for k in range(BLOCK):
                    below[s, k] = sums[52, k] - sums[one, k] - sums[two, k]
            for s in range(start, end):
                one, two = cards[s, 0], cards[s, 1]
                for k in range(BLOCK):
                    sums[52, k] += here[s, k]
                    sums[one, k] += here[s, k]
                    sums[two, k] += here[s, k]
            for s in range(start, end):
                one, two = cards[s, 0], cards[s, 1]
                for k in range(BLOCK):
                    below[s, k] += sums[52, k] - sums[one, k] - sums[two, k] + here[s, k]
            start = end
        if len(groups) == 0:
            for s in range(hands):
                one, two = cards[s, 0], cards[s, 1]
                for k in range(BLOCK):
                    sums[52, k] += here[s, k]
                    sums[one, k] += here[s, k]
                    sums[two, k] += here[s, k]
        for s in range(hands):
            one, two = cards[s, 0], cards[s, 1]
            for k in range(BLOCK):
                here[s, k] += sums[52, k] - sums[one, k] - sums[two, k]
        for k in range(wide):
            for s in range(hands):
                rivals[first + k, s] = here[s, k]
                if len(groups):
                    lead[first + k, s] = below[s, k] - here[s, k]
