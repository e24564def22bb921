"""Card features, compiled: what a board and a hand look like at a stage, as lists of feature numbers and values.

`names` says what the numbers mean; `sets` has the numbers with which blocks begin. Ranks are 0 (deuce) to 12,
cards 4 * rank + suit. A list is filled from `n` on and the new length returned; features that are 0 are left out.

scales : float64[4]               what a rank, a count, a count of rank pairs and a place among cards are divided by
pairs : uint16[sets, rank pairs]  what each pair has on each set of board ranks, see `tables`; as a constant of every
                                  kernel it would take most of their time to compile
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.boards import flop_board, river_board, short_board, turn_board
from kibitz.learning.cards._kernels.flops import flop_hand, preflop_hand
from kibitz.learning.cards._kernels.later import river_hand, turn_hand


@njit(error_model="numpy")
def hand_features(stage, first, second, board, complete, scales, pairs, numbers, values):
    """The private features of a hand at a stage; returns their number."""
    if stage == 0:
        return preflop_hand(first, second, scales, pairs, numbers, values)
    if stage == 1:
        return flop_hand(first, second, board, complete, scales, pairs, numbers, values)
    if stage == 2:
        return turn_hand(first, second, board, complete, scales, pairs, numbers, values)
    return river_hand(first, second, board, complete, scales, pairs, numbers, values)


@njit(error_model="numpy")
def board_features(stage, board, complete, scales, pairs, numbers, values):
    """The public features of a stage from the flop (1) on; 4 for the short list of the river."""
    if stage == 1:
        return flop_board(board, scales, pairs, numbers, values)
    if stage == 2:
        return turn_board(board, scales, pairs, numbers, values)
    if stage == 3:
        return river_board(board, complete, scales, pairs, numbers, values)
    return short_board(board, scales, pairs, numbers, values)


@njit(cache=True, nogil=True, error_model="numpy")
def describe_hands(stage, holes, board, complete, scales, pairs, numbers, values, counts):
    """Fill numbers : int64[n, MOST], values : float64[n, MOST] and counts : int64[n] for holes : uint8[n, 2]."""
    for i in range(len(holes)):
        first, second = np.int64(holes[i, 0]), np.int64(holes[i, 1])
        counts[i] = hand_features(stage, first, second, board, complete, scales, pairs, numbers[i], values[i])


@njit(cache=True, nogil=True, error_model="numpy")
def describe_board(stage, board, complete, scales, pairs, numbers, values):
    """The same of a board : uint8[5]; see `board_features`."""
    return board_features(stage, board, complete, scales, pairs, numbers, values)
