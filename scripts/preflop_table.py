"""Compute the exact all-in equity of the 169 starting hands against a random hand, and print it as a table.

Every board counts, by its suit-isomorphic classes: on each, all 1,081 hands are ranked and compared at once, hands
that share a card left out by inclusion and exclusion. `kibitz.equity.preflop` holds the result. Takes a minute.
"""

from itertools import combinations

import numpy as np
from numba import njit

from kibitz.cards import RANKS, cards_to_mask
from kibitz.evaluator import evaluate_masks
from kibitz.isomorphism import IsomorphismIndex


@njit
def add_boards(values, first, second, weights, wins, pairs):
    """Add wins (ties half) and comparisons of all hands on every board; values : int32[boards, 1326], -1 if blocked."""
    boards, hands = values.shape
    for board in range(boards):
        order = np.argsort(values[board])
        total = 0.0
        blocked = 0
        while blocked < hands and values[board, order[blocked]] < 0:
            blocked += 1
        below = np.zeros(52)
        start = blocked
        while start < hands:
            stop = start
            same = np.zeros(52)
            while stop < hands and values[board, order[stop]] == values[board, order[start]]:
                same[first[order[stop]]] += 1
                same[second[order[stop]]] += 1
                stop += 1
            for place in range(start, stop):
                hand = order[place]
                a, b = first[hand], second[hand]
                worse = total - below[a] - below[b]
                equal = (stop - start) - same[a] - same[b] + 1  # the hand itself was taken out twice
                wins[hand] += weights[board] * (worse + 0.5 * equal)
                pairs[hand] += weights[board] * 990.0
            for card in range(52):
                below[card] += same[card]
            total += stop - start
            start = stop


def main() -> None:
    hands = list(combinations(range(52), 2))
    masks = np.array([cards_to_mask(hand) for hand in hands], dtype=np.uint64)
    first = np.array([a for a, _ in hands])
    second = np.array([b for _, b in hands])
    index = IsomorphismIndex("5")
    wins, pairs = np.zeros(1326), np.zeros(1326)
    for start in range(0, index.sizes[0], 4096):
        canonical = range(start, min(start + 4096, index.sizes[0]))
        boards = [index.unindex(i) for i in canonical]
        weights = np.array([index.orbit_size(i) for i in canonical], dtype=np.float64)
        board_masks = np.array([cards_to_mask(board) for board in boards], dtype=np.uint64)
        both = board_masks[:, None] | masks[None, :]
        values = evaluate_masks(np.where(board_masks[:, None] & masks, np.uint64(0x7F), both).ravel()).reshape(
            both.shape
        )
        values[(board_masks[:, None] & masks) != 0] = -1
        add_boards(values, first, second, weights, wins, pairs)
    classes: dict[tuple[int, int], list[float]] = {}
    for (a, b), won, compared in zip(hands, wins, pairs, strict=True):
        low, high = sorted((a >> 2, b >> 2))
        key = (high, low) if a & 3 == b & 3 else (low, high)
        tally = classes.setdefault(key, [0.0, 0.0])
        tally[0] += won
        tally[1] += compared
    print("     " + "       ".join(RANKS))
    for row in range(13):
        print(
            "    ("
            + ", ".join(f"{classes[row, column][0] / classes[row, column][1]:.4f}" for column in range(13))
            + "),"
        )


if __name__ == "__main__":
    main()
