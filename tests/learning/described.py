"""Card features of many hands and of a board, for tests: the kernels fill lists of numbers and values."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels import board_features, hand_features
from kibitz.learning.model import Structure
from kibitz.learning.records import MOST_ON

MODES = {profile: Structure(profile=profile).mode for profile in ("complete", "listed")}


def describe_hands(stage, holes, board, mode):
    """Numbers int64[n, MOST_ON], values float64[n, MOST_ON] and how many count, int64[n], of holes uint8[n, 2]."""
    numbers, values = np.zeros((len(holes), MOST_ON), np.int64), np.zeros((len(holes), MOST_ON))
    return numbers, values, _hands(stage, np.asarray(holes, np.uint8), padded(board), mode, numbers, values)


def describe_board(kind, board, mode):
    """Numbers and values of what is on in a public list."""
    numbers, values = np.zeros(MOST_ON, np.int64), np.zeros(MOST_ON)
    count = _board(kind, padded(board), mode, numbers, values)
    return numbers[:count], values[:count]


def padded(board):
    cards = np.zeros(5, np.uint8)
    cards[: len(board)] = board
    return cards


@njit(cache=True)
def _hands(stage, holes, board, modes, numbers, values):
    counts = np.zeros(len(holes), np.int64)
    for i in range(len(holes)):
        first, second = np.int64(holes[i, 0]), np.int64(holes[i, 1])
        counts[i] = hand_features(stage, first, second, board, modes[0], numbers[i], values[i])
    return counts


@njit(cache=True)
def _board(kind, board, modes, numbers, values):
    return board_features(kind, board, modes[0], numbers, values)
