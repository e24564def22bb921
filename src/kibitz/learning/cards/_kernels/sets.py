"""Sets of ranks and suits as bits, and where the blocks of feature lists begin."""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kibitz.compiling import njit
from kibitz.learning.cards.tables import PAIRS, WINDOWS

N, G, D, S = 0, 1, 2, 3
PAIR_COUNT = len(PAIRS)
PLACES, RANKS = 10, 13
MOST = 32  # features that are on in one list, at most
# Numbers with which the blocks of the private lists begin.
F_TRIPS, F_PAIR, F_NONE, F_SUITS, F_STRAIGHTS, F_ADDED = 0, 5, 23, 43, 55, 72
T_QUADS, T_TRIPS, T_TWO, T_PAIR, T_NONE, T_SUITS, T_STRAIGHTS, T_ADDED = 0, 1, 11, 22, 44, 65, 77, 87
R_QUADS, R_FULL, R_TRIPS, R_TWO, R_PAIR, R_NONE, R_SUITS, R_STRAIGHTS, R_ADDED = 0, 1, 4, 9, 18, 41, 62, 68, 71
# Public lists.
FB_SUITS, FB_STRAIGHTS = 10, 13
TB_SUITS, TB_STRAIGHTS = 12, 19
RB_SUITS, RB_STRAIGHTS, RB_ADDED = 20, 26, 34
SB_SUITS, SB_STRAIGHTS = 23, 27


@njit(error_model="numpy")
def put(n, number, value, numbers, values):
    """Add a feature, unless it is off."""
    numbers[n] = number
    values[n] = value
    return n + (value != 0.0)


@intrinsic
def ones(typing_context, bits):
    """The number of ranks in a set, int64."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def top(typing_context, bits):
    """The highest rank of a set, int64; 63 too low for an empty one."""

    def generate(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


@njit(error_model="numpy")
def below(bits, rank):
    """How many ranks of a set lie below a rank."""
    return ones(bits & ((1 << rank) - 1))


@njit(error_model="numpy")
def above(bits, rank):
    """How many ranks of a set lie above a rank."""
    return ones(bits >> (rank + 1))


@njit(error_model="numpy")
def rank_sets(board, count):
    """Sets of ranks that `count` cards of the board have at least once, twice, three and four times."""
    once = twice = thrice = all_four = 0
    for i in range(count):
        bit = 1 << (np.int64(board[i]) >> 2)
        all_four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    return once, twice, thrice, all_four


@njit(error_model="numpy")
def suit_set(board, count, suit):
    """Ranks of one suit among `count` cards."""
    bits = 0
    for i in range(count):
        if np.int64(board[i]) & 3 == suit:
            bits |= 1 << (np.int64(board[i]) >> 2)
    return bits


@njit(error_model="numpy")
def higher_in_suit(high_suited, on_board):
    """Ranks above one's best suited card that are not on the board."""
    return ones(~on_board & 0x1FFF & ~((1 << (high_suited + 1)) - 1))


@njit(error_model="numpy")
def best_suited(first, second, suit):
    """The number of hole cards of a suit, and the rank of the best; -1 without."""
    held, best = 0, -1
    if first & 3 == suit:
        held, best = 1, first >> 2
    if second & 3 == suit:
        held += 1
        best = max(best, second >> 2)
    return held, best


@njit(error_model="numpy")
def windows_missing(ranks, count):
    """How many straights miss exactly `count` ranks of a set."""
    found = 0
    for window in range(PLACES):
        found += ones(WINDOWS[window] & ~ranks) == count
    return found


@njit(error_model="numpy")
def best_window(ranks):
    """The highest straight in a set of ranks, -1 without."""
    found = -1
    for window in range(PLACES):
        if WINDOWS[window] & ~ranks == 0:
            found = window
    return found


@njit(error_model="numpy")
def higher_windows(ranks, mine, count):
    """How many straights above `mine` miss exactly `count` ranks of the board."""
    found = 0
    for window in range(mine + 1, PLACES):
        found += ones(WINDOWS[window] & ~ranks) == count
    return found


@njit(error_model="numpy")
def count_suit(board, count, suit):
    """How many of `count` cards have a suit."""
    found = 0
    for i in range(count):
        found += np.int64(board[i]) & 3 == suit
    return found
