"""Public features of flops, turns and rivers."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.sets import (
    FB_STRAIGHTS,
    FB_SUITS,
    PAIR_COUNT,
    RB_ADDED,
    RB_STRAIGHTS,
    RB_SUITS,
    SB_STRAIGHTS,
    SB_SUITS,
    TB_STRAIGHTS,
    TB_SUITS,
    D,
    G,
    N,
    S,
    above,
    below,
    best_window,
    count_suit,
    ones,
    put,
    rank_sets,
    suit_set,
    top,
    windows_missing,
)
from kibitz.learning.cards.tables import PAIRS, ROW, STATE_SHIFT


@njit(error_model="numpy")
def flop_board(board, scales, pairs, numbers, values):
    """The public features of the flop; returns their number."""
    r, c, p = scales[0], scales[1], scales[2]
    once, twice, thrice, _ = rank_sets(board, 3)
    n = 0
    if thrice:
        n = put(n, 0, 1.0, numbers, values)
        n = put(n, 1, (top(thrice) + 1) / r, numbers, values)
    elif twice:
        pair, kicker = top(twice), top(once & ~twice)
        n = put(n, 2, 1.0, numbers, values)
        n = put(n, 3, (pair + 1) / r, numbers, values)
        n = put(n, 4, (kicker + 1) / r, numbers, values)
        n = put(n, 5, 1.0 * (pair > kicker), numbers, values)
    else:
        high = top(once)
        middle = top(once & ~(1 << high))
        n = put(n, 6, 1.0, numbers, values)
        n = put(n, 7, (high + 1) / r, numbers, values)
        n = put(n, 8, (middle + 1) / r, numbers, values)
        n = put(n, 9, (top(once & ~(1 << high) & ~(1 << middle)) + 1) / r, numbers, values)
    most = max(
        max(count_suit(board, 3, 0), count_suit(board, 3, 1)), max(count_suit(board, 3, 2), count_suit(board, 3, 3))
    )
    n = put(n, FB_SUITS + 3 - most, 1.0, numbers, values)
    n = put(n, FB_STRAIGHTS, windows_missing(once, 2) / c, numbers, values)
    row = ROW[once]
    single = double = 0
    for pair in range(PAIR_COUNT):
        single += (pairs[row, pair] >> STATE_SHIFT) == G
        double += (pairs[row, pair] >> STATE_SHIFT) == D
    n = put(n, FB_STRAIGHTS + 1, single / p, numbers, values)
    return put(n, FB_STRAIGHTS + 2, double / p, numbers, values)


@njit(error_model="numpy")
def turn_board(board, scales, pairs, numbers, values):
    """The public features of the turn."""
    r, c, p, w = scales[0], scales[1], scales[2], scales[3]
    flop, flop_twice, flop_thrice, _ = rank_sets(board, 3)
    turn = np.int64(board[3]) >> 2
    bit = 1 << turn
    n = 0
    if flop_thrice & bit:
        n = put(n, 0, 1.0, numbers, values)
    elif flop_thrice:
        n = put(n, 1, (turn + 1) / r, numbers, values)
        n = put(n, 2, 1.0 * (bit > flop_thrice), numbers, values)
    elif flop_twice & bit:
        n = put(n, 3, 1.0, numbers, values)
    elif flop_twice and flop & bit:
        n = put(n, 4, 1.0, numbers, values)
    elif flop_twice:
        n = put(n, 5, (turn + 1) / r, numbers, values)
        n = put(n, 6, 1.0 * (bit > flop_twice), numbers, values)
        n = put(n, 7, 1.0 * (bit > flop & ~flop_twice), numbers, values)
    elif flop & bit:
        n = put(n, 8, 1.0, numbers, values)
        n = put(n, 9, (above(flop, turn) + 1) / w, numbers, values)
    else:
        n = put(n, 10, (turn + 1) / r, numbers, values)
        n = put(n, 11, below(flop, turn) / c, numbers, values)
    suit = np.int64(board[3]) & 3
    matched = count_suit(board, 3, suit)
    most = max(
        max(count_suit(board, 3, 0), count_suit(board, 3, 1)), max(count_suit(board, 3, 2), count_suit(board, 3, 3))
    )
    if most == 3:
        kind = 0 if matched == 3 else 1
    elif most == 2:
        kind = 2 if matched == 2 else (3 if matched == 1 else 4)
    else:
        kind = 5 if matched == 1 else 6
    n = put(n, TB_SUITS + kind, 1.0, numbers, values)
    ranks = flop | bit
    n = put(n, TB_STRAIGHTS, windows_missing(ranks, 1) / c, numbers, values)
    before, now = ROW[flop], ROW[ranks]
    single_made = double_made = new_single = new_double = grown = 0
    for pair in range(PAIR_COUNT):
        was, is_ = (pairs[before, pair] >> STATE_SHIFT), (pairs[now, pair] >> STATE_SHIFT)
        single_made += (was == G) & (is_ == S)
        double_made += (was == D) & (is_ == S)
        new_single += (was == N) & (is_ == G)
        new_double += (was == N) & (is_ == D)
        grown += (was == G) & (is_ == D)
    n = put(n, TB_STRAIGHTS + 1, single_made / p, numbers, values)
    n = put(n, TB_STRAIGHTS + 2, double_made / p, numbers, values)
    n = put(n, TB_STRAIGHTS + 3, new_single / p, numbers, values)
    n = put(n, TB_STRAIGHTS + 4, new_double / p, numbers, values)
    return put(n, TB_STRAIGHTS + 5, grown / p, numbers, values)


@njit(error_model="numpy")
def river_board(board, complete, scales, pairs, numbers, values):
    """The public features of the river."""
    r, c, p, w = scales[0], scales[1], scales[2], scales[3]
    flop, _, _, _ = rank_sets(board, 3)
    turn_ranks, twice, thrice, quads = rank_sets(board, 4)
    river = np.int64(board[4]) >> 2
    turn = np.int64(board[3]) >> 2
    bit = 1 << river
    n = 0
    if quads:
        n = put(n, 0, (river + 1) / r, numbers, values)
    elif thrice:
        if thrice & bit:
            n = put(n, 1, 1.0, numbers, values)
        elif turn_ranks & bit:
            n = put(n, 2, 1.0, numbers, values)
        else:
            n = put(n, 5, (river + 1) / r, numbers, values)
            n = put(n, 6, 1.0 * (bit > thrice), numbers, values)
            n = put(n, 7, 1.0 * (bit > turn_ranks & ~thrice), numbers, values)
    elif ones(twice) == 2:
        if twice & bit:
            n = put(n, 3, 1.0, numbers, values)
            n = put(n, 4, 1.0 * (river == top(twice)), numbers, values)
        else:
            n = put(n, 9, (river + 1) / r, numbers, values)
    elif twice:
        if twice & bit:
            n = put(n, 8, 1.0, numbers, values)
        elif turn_ranks & bit:
            n = put(n, 11 if river == turn else 10, 1.0, numbers, values)
        else:
            n = put(n, 12, (river + 1) / r, numbers, values)
            n = put(n, 13, 1.0 * (twice > bit), numbers, values)
            n = put(n, 14, below(turn_ranks & ~twice, river) / c, numbers, values)
    elif flop & bit:
        n = put(n, 15, 1.0, numbers, values)
        n = put(n, 16, (above(flop, river) + 1) / w, numbers, values)
    elif river == turn:
        n = put(n, 17, 1.0, numbers, values)
    else:
        n = put(n, 18, (river + 1) / r, numbers, values)
        n = put(n, 19, above(turn_ranks, river) / c, numbers, values)
    n = river_suits(board, r, n, numbers, values)
    ranks = turn_ranks | bit
    n = put(n, RB_STRAIGHTS, 1.0 * (best_window(ranks) >= 0), numbers, values)
    first, second = ROW[flop], ROW[turn_ranks]
    c1 = c2 = c3 = c4 = c5 = c6 = c7 = 0
    for pair in range(PAIR_COUNT):
        was, then = (pairs[first, pair] >> STATE_SHIFT), (pairs[second, pair] >> STATE_SHIFT)
        if then == S:
            used = PAIRS[pair] & bit != 0
            c1 += used & (was == G)
            c2 += used & (was == D)
        elif then != N:
            made = pairs[second, pair] & bit != 0
            c3 += made & (then == G) & (was == G)
            c4 += made & (then == D) & (was == D)
            c5 += made & (then == G) & (was == N)
            c6 += made & (then == D) & (was == N)
            c7 += made & (then == D) & (was == G)
    n = put(n, RB_STRAIGHTS + 1, c1 / p, numbers, values)
    n = put(n, RB_STRAIGHTS + 2, c2 / p, numbers, values)
    n = put(n, RB_STRAIGHTS + 3, c3 / p, numbers, values)
    n = put(n, RB_STRAIGHTS + 4, c4 / p, numbers, values)
    n = put(n, RB_STRAIGHTS + 5, c5 / p, numbers, values)
    n = put(n, RB_STRAIGHTS + 6, c6 / p, numbers, values)
    n = put(n, RB_STRAIGHTS + 7, c7 / p, numbers, values)
    if complete:
        n = put(n, RB_ADDED, windows_missing(ranks, 1) / c, numbers, values)
        n = put(n, RB_ADDED + 1, windows_missing(ranks, 2) / c, numbers, values)
    return n


@njit(error_model="numpy")
def river_suits(board, r, n, numbers, values):
    """Public features of suits on the river."""
    suit = np.int64(board[4]) & 3
    count = count_suit(board, 5, suit)
    if count == 5:
        low = 12
        for i in range(5):
            low = min(low, np.int64(board[i]) >> 2)
        n = put(n, RB_SUITS, 1.0, numbers, values)
        n = put(n, RB_SUITS + 1, (low + 1) / r, numbers, values)
    elif count == 4:
        n = put(n, RB_SUITS + 2, 1.0, numbers, values)
    elif count == 3:
        twos = 0
        for other in range(4):
            twos += count_suit(board, 4, other) == 2
        front_door = count_suit(board, 3, suit) == 2
        n = put(n, RB_SUITS + (5 if twos < 2 else (3 if front_door else 4)), 1.0, numbers, values)
    return n


@njit(error_model="numpy")
def short_board(board, scales, pairs, numbers, values):
    """The thirty public features of the river that the action function sees."""
    r, c = scales[0], scales[1]
    once, twice, thrice, quads = rank_sets(board, 5)
    n = 0
    if quads:
        n = put(n, 0, 1.0, numbers, values)
        n = put(n, 1, (top(once & ~quads) + 1) / r, numbers, values)
    elif thrice and twice & ~thrice:
        n = put(n, 2, 1.0, numbers, values)
        n = put(n, 3, 1.0 * (thrice > twice & ~thrice), numbers, values)
    elif thrice:
        high = top(once & ~thrice)
        n = put(n, 4, 1.0, numbers, values)
        n = put(n, 5, (top(thrice) + 1) / r, numbers, values)
        n = put(n, 6, (high + 1) / r, numbers, values)
        n = put(n, 7, (top(once & ~thrice & ~(1 << high)) + 1) / r, numbers, values)
    elif ones(twice) == 2:
        high = top(twice)
        n = put(n, 8, 1.0, numbers, values)
        n = put(n, 9, (high + 1) / r, numbers, values)
        n = put(n, 10, (top(twice & ~(1 << high)) + 1) / r, numbers, values)
        n = put(n, 11, (top(once & ~twice) + 1) / r, numbers, values)
    elif twice:
        n = put(n, 12, 1.0, numbers, values)
        n = put(n, 13, (top(twice) + 1) / r, numbers, values)
        left = once & ~twice
        for place in range(3):
            high = top(left)
            left &= ~(1 << high)
            n = put(n, 14 + place, (high + 1) / r, numbers, values)
    else:
        n = put(n, 17, 1.0, numbers, values)
        left = once
        for place in range(5):
            high = top(left)
            left &= ~(1 << high)
            n = put(n, 18 + place, (high + 1) / r, numbers, values)
    for suit in range(4):
        suited = suit_set(board, 5, suit)
        count = ones(suited)
        if count == 5:
            low = 0
            while not suited >> low & 1:
                low += 1
            n = put(n, SB_SUITS, 1.0, numbers, values)
            n = put(n, SB_SUITS + 1, (low + 1) / r, numbers, values)
        elif count >= 3:
            n = put(n, SB_SUITS + 6 - count, 1.0, numbers, values)
    n = put(n, SB_STRAIGHTS, 1.0 * (best_window(once) >= 0), numbers, values)
    n = put(n, SB_STRAIGHTS + 1, windows_missing(once, 1) / c, numbers, values)
    return put(n, SB_STRAIGHTS + 2, windows_missing(once, 2) / c, numbers, values)
