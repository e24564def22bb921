"""Features of hands by going through every completion of the board."""

from itertools import combinations

import numpy as np

from kibitz.equity.strength import hand_strength


def river_values(hole: tuple[int, ...], board: tuple[int, ...]) -> np.ndarray:
    """2 wins + ties on every completion of `board`."""
    left = [card for card in range(52) if card not in hole + board]
    values = [hand_strength(hole, board + more) * 1980 for more in combinations(left, 5 - len(board))]
    return np.rint(values).astype(np.int64)


def histogram(values: np.ndarray) -> np.ndarray:
    """Counts in 50 equal bins of HS, the last with its upper end."""
    return np.bincount(np.minimum(values * 50 // 1980, 49), minlength=50)


def place(boards, hole: tuple[int, ...], board: tuple[int, ...]) -> tuple[int, int]:
    """Row and pair of a hand, with the suits renamed card by card."""
    row, suits = boards.place(board)
    low, high = sorted(card // 4 * 4 + suits[card % 4] for card in hole)
    return row, high * (high - 1) // 2 + low
