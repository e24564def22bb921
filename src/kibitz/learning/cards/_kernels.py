"""Card features, compiled: what a board and a hand look like at a stage, as lists of feature numbers and values.

`names` says what the numbers mean; the blocks below have the numbers with which they begin. Ranks are 0 (deuce) to 12,
cards 4 * rank + suit. A list is filled from `n` on and the new length returned; features that are 0 are left out.

scales : float64[4]               what a rank, a count, a count of rank pairs and a place among cards are divided by
pairs : uint16[sets, rank pairs]  what each pair has on each set of board ranks, see `tables`; as a constant of every
                                  kernel it would take most of their time to compile
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kibitz.compiling import njit
from kibitz.learning.cards.tables import PAIRS, ROW, STATE_SHIFT, WINDOWS

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


# ---------------------------------------------------------------------------------------------------- public features


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
def count_suit(board, count, suit):
    """How many of `count` cards have a suit."""
    found = 0
    for i in range(count):
        found += np.int64(board[i]) & 3 == suit
    return found


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


# --------------------------------------------------------------------------------------------------- private features


@njit(error_model="numpy")
def preflop_hand(first, second, scales, pairs, numbers, values):
    """The private features before the flop."""
    r, c = scales[0], scales[1]
    high, low = max(first, second) >> 2, min(first, second) >> 2
    n = 0
    if high == low:
        n = put(n, 0, 1.0, numbers, values)
        return put(n, 1, (high + 1) / r, numbers, values)
    n = put(n, 2, (high + 1) / r, numbers, values)
    n = put(n, 3, (low + 1) / r, numbers, values)
    n = put(n, 4, 1.0 * (first & 3 == second & 3), numbers, values)
    both, straights = (1 << high) | (1 << low), 0
    for window in range(PLACES):
        straights += WINDOWS[window] & both == both
    return put(n, 5, straights / c, numbers, values)


@njit(error_model="numpy")
def flop_hand(first, second, board, complete, scales, pairs, numbers, values):
    """The private features on the flop."""
    r, c, w = scales[0], scales[1], scales[3]
    high, low = max(first, second) >> 2, min(first, second) >> 2
    once, twice, thrice, _ = rank_sets(board, 3)
    n = 0
    if thrice:
        n = trips_flop(high, low, top(thrice), r, n, numbers, values)
    elif twice:
        n = pair_flop(high, low, top(twice), top(once & ~twice), complete, r, c, n, numbers, values)
    else:
        n = no_pair(high, low, once, np.int64(F_NONE), r, c, w, n, numbers, values)
    n = flop_suits(first, second, board, c, n, numbers, values)
    return flop_straights(high, low, once, scales, pairs, n, numbers, values)


@njit(error_model="numpy")
def trips_flop(high, low, trips, r, n, numbers, values):
    """Ranks on a flop of three equal ones."""
    if high == trips or low == trips:
        return put(n, F_TRIPS, 1.0, numbers, values)
    if high == low:
        n = put(n, F_TRIPS + 1, 1.0, numbers, values)
        return put(n, F_TRIPS + 2, (high + 1) / r, numbers, values)
    n = put(n, F_TRIPS + 3, (high + 1) / r, numbers, values)
    return put(n, F_TRIPS + 4, (low + 1) / r, numbers, values)


@njit(error_model="numpy")
def pair_flop(high, low, pair, kicker, complete, r, c, n, numbers, values):
    """Ranks on a flop with a pair."""
    with_pair, with_kicker = (high == pair) + (low == pair), (high == kicker) + (low == kicker)
    if with_pair == 2:
        return put(n, F_PAIR, 1.0, numbers, values)
    if with_kicker == 2:
        return put(n, F_PAIR + 1, 1.0, numbers, values)
    if with_pair and with_kicker:
        return put(n, F_PAIR + 2, 1.0, numbers, values)
    if with_pair:
        side = low if high == pair else high
        n = put(n, F_PAIR + 3, 1.0, numbers, values)
        n = put(n, F_PAIR + 4, 1.0 * (side > pair), numbers, values)
        n = put(n, F_PAIR + 5, 1.0 * (side > kicker), numbers, values)
        return put(n, F_ADDED, (side + 1) / r, numbers, values) if complete else n
    if high == low:
        n = put(n, F_PAIR + 6, 1.0, numbers, values)
        n = put(n, F_PAIR + 7, (high + 1) / r, numbers, values)
        n = put(n, F_PAIR + 8, 1.0 * (high > pair), numbers, values)
        return put(n, F_PAIR + 9, 1.0 * (high > kicker), numbers, values)
    if with_kicker:
        side = low if high == kicker else high
        n = put(n, F_PAIR + 10, 1.0, numbers, values)
        n = put(n, F_PAIR + 11, (side + 1) / r, numbers, values)
        n = put(n, F_PAIR + 12, 1.0 * (side > pair), numbers, values)
        return put(n, F_PAIR + 13, 1.0 * (side > kicker), numbers, values)
    n = put(n, F_PAIR + 14, (high + 1) / r, numbers, values)
    n = put(n, F_PAIR + 15, (low + 1) / r, numbers, values)
    n = put(n, F_PAIR + 16, ((high > pair) + (low > pair)) / c, numbers, values)
    return put(n, F_PAIR + 17, ((high > kicker) + (low > kicker)) / c, numbers, values)


@njit(error_model="numpy")
def no_pair(high, low, once, base, r, c, w, n, numbers, values):
    """Ranks on a board without a pair; the flop names the card that is missing, later stages count cards below."""
    with_high, with_low = once >> high & 1, once >> low & 1
    flop = base == F_NONE
    if high == low and with_high:
        n = put(n, base, 1.0, numbers, values)
        n = put(n, base + 1, (high + 1) / r, numbers, values)
        if base == R_NONE:
            return put(n, base + 2, above(once, high) / c, numbers, values)
        return put(n, base + 2, (above(once, high) + 1) / w, numbers, values)
    base += 3
    if with_high and with_low:
        n = put(n, base, 1.0, numbers, values)
        n = put(n, base + 1, (high + 1) / r, numbers, values)
        n = put(n, base + 2, (low + 1) / r, numbers, values)
        if flop:
            missing = top(once & ~(1 << high) & ~(1 << low))
            return put(n, base + 3, (above(once, missing) + 1) / w, numbers, values)
        n = put(n, base + 3, below(once, high) / c, numbers, values)
        return put(n, base + 4, below(once, low) / c, numbers, values)
    base += 4 if flop else 5
    if high == low:
        n = put(n, base, 1.0, numbers, values)
        n = put(n, base + 1, (high + 1) / r, numbers, values)
        return put(n, base + 2, above(once, high) / c, numbers, values)
    base += 3
    if with_high or with_low:
        matched, side = (high, low) if with_high else (low, high)
        n = put(n, base, 1.0, numbers, values)
        n = put(n, base + 1, (matched + 1) / r, numbers, values)
        n = put(n, base + 2, above(once, matched) / c, numbers, values)
        n = put(n, base + 3, (side + 1) / r, numbers, values)
        return put(n, base + 4, above(once, side) / c, numbers, values)
    base += 5
    n = put(n, base, 1.0, numbers, values)
    n = put(n, base + 1, (high + 1) / r, numbers, values)
    n = put(n, base + 2, above(once, high) / c, numbers, values)
    n = put(n, base + 3, (low + 1) / r, numbers, values)
    return put(n, base + 4, above(once, low) / c, numbers, values)


@njit(error_model="numpy")
def flop_suits(first, second, board, c, n, numbers, values):
    """Flushes and flush draws on the flop."""
    for suit in range(4):
        held, best = best_suited(first, second, suit)
        if not held:
            continue
        there = suit_set(board, 3, suit)
        count = ones(there)
        higher = higher_in_suit(best, there) / c
        if count == 3:
            number = 0 if held == 2 else 2
        elif count == 2:
            number = 4 if held == 2 else 6
        elif count == 1 and held == 2:
            number = 10 if three_suits(board) else 8
        else:
            continue
        n = put(n, F_SUITS + number, 1.0, numbers, values)
        n = put(n, F_SUITS + number + 1, higher, numbers, values)
    return n


@njit(error_model="numpy")
def three_suits(board):
    """Whether the flop's cards have three suits."""
    one, two, three = np.int64(board[0]) & 3, np.int64(board[1]) & 3, np.int64(board[2]) & 3
    return one != two and two != three and one != three


@njit(error_model="numpy")
def draws(high, low, ranks):
    """Ranks that complete a straight: with one hole card and three board ranks, and with both; as sets."""
    held = (1 << high) | (1 << low)
    one = both = 0
    for window in range(PLACES):
        missing = WINDOWS[window] & ~ranks
        mine = missing & held
        lacking = missing & ~held
        if lacking and lacking & (lacking - 1) == 0:
            count = ones(mine)
            if count == 1:
                one |= lacking
            elif count == 2:
                both |= lacking
    return one, both


@njit(error_model="numpy")
def shared_with_one(ranks, held, wanted):
    """Other ranks that alone, with three of the board, draw to one of `wanted`."""
    found = 0
    for window in range(PLACES):
        missing = WINDOWS[window] & ~ranks
        if ones(missing) == 2:
            upper = np.int64(1) << top(missing)
            lower = missing ^ upper
            found |= upper if lower & wanted else 0
            found |= lower if upper & wanted else 0
    return ones(found & ~held)


@njit(error_model="numpy")
def vulnerability(ranks, held, wanted):
    """Straights with four and with three board ranks above one's own, summed over the next ranks `wanted`."""
    one = two = 0
    for rank in range(RANKS):
        if wanted >> rank & 1:
            board = ranks | (1 << rank)
            mine = best_window(board | held)
            one += higher_windows(board, mine, 1)
            two += higher_windows(board, mine, 2)
    return one, two


@njit(error_model="numpy")
def flop_straights(high, low, ranks, scales, pairs, n, numbers, values):
    """Straights and draws on the flop."""
    c, p = scales[1], scales[2]
    held = (1 << high) | (1 << low)
    made = best_window(ranks | held)
    one, both = draws(high, low, ranks)
    if made >= 0:
        n = put(n, F_STRAIGHTS, 1.0, numbers, values)
        n = put(n, F_STRAIGHTS + 1, higher_windows(ranks, made, 2) / c, numbers, values)
    else:
        n = put(n, F_STRAIGHTS + 2, 1.0 * (one != 0), numbers, values)
        count = ones(both)
        n = put(n, F_STRAIGHTS + 3, 1.0 * (count == 1), numbers, values)
        n = put(n, F_STRAIGHTS + 4, 1.0 * (count > 1), numbers, values)
    wanted = 0x1FFF if made >= 0 else one | both
    if wanted:
        higher_one, higher_two = vulnerability(ranks, held, wanted)
        n = put(n, F_STRAIGHTS + 5, higher_one / p, numbers, values)
        n = put(n, F_STRAIGHTS + 6, higher_two / p, numbers, values)
    mine = one | both
    row = ROW[ranks]
    if mine and made < 0:
        single = double = 0
        for pair in range(PAIR_COUNT):
            shares = (pairs[row, pair] & mine != 0) & (PAIRS[pair] != held)
            single += shares & ((pairs[row, pair] >> STATE_SHIFT) == G)
            double += shares & ((pairs[row, pair] >> STATE_SHIFT) == D)
        n = put(n, F_STRAIGHTS + 7, shared_with_one(ranks, held, mine) / c, numbers, values)
        n = put(n, F_STRAIGHTS + 8, single / p, numbers, values)
        n = put(n, F_STRAIGHTS + 9, double / p, numbers, values)
    if made < 0:
        n = back_doors(high, low, ranks, c, p, pairs, n, numbers, values)
    if not mine and made < 0:
        single = double = 0
        for pair in range(PAIR_COUNT):
            connects = pairs[row, pair] & held != 0
            single += connects & ((pairs[row, pair] >> STATE_SHIFT) == G)
            double += connects & ((pairs[row, pair] >> STATE_SHIFT) == D)
        n = put(n, F_STRAIGHTS + 15, single / p, numbers, values)
        n = put(n, F_STRAIGHTS + 16, double / p, numbers, values)
    return n


@njit(error_model="numpy")
def back_doors(high, low, ranks, c, p, pairs, n, numbers, values):
    """Straights that two more board ranks would make with both hole cards."""
    held = (1 << high) | (1 << low)
    if high == low:
        return n
    count = higher = needed = 0
    for window in range(PLACES):
        missing = WINDOWS[window] & ~ranks
        lacking = missing & ~held
        if missing & held == held and ones(lacking) == 2:
            count += 1
            needed |= lacking
            higher += higher_windows(ranks | lacking, window, 2) + higher_windows(ranks | lacking, window, 1)
    if not count:
        return n
    row = ROW[ranks]
    single = double = 0
    for pair in range(PAIR_COUNT):
        shares = (pairs[row, pair] & needed != 0) & (PAIRS[pair] != held)
        single += shares & ((pairs[row, pair] >> STATE_SHIFT) == G)
        double += shares & ((pairs[row, pair] >> STATE_SHIFT) == D)
    n = put(n, F_STRAIGHTS + 10, count / c, numbers, values)
    n = put(n, F_STRAIGHTS + 11, higher / p, numbers, values)
    n = put(n, F_STRAIGHTS + 12, shared_with_one(ranks, held, needed) / c, numbers, values)
    n = put(n, F_STRAIGHTS + 13, single / p, numbers, values)
    return put(n, F_STRAIGHTS + 14, double / p, numbers, values)


@njit(error_model="numpy")
def turn_hand(first, second, board, complete, scales, pairs, numbers, values):
    """The private features on the turn."""
    r, c, w = scales[0], scales[1], scales[3]
    high, low = max(first, second) >> 2, min(first, second) >> 2
    once, twice, thrice, quads = rank_sets(board, 4)
    n = 0
    if quads:
        n = put(n, T_QUADS, (high + 1) / r, numbers, values)
    elif thrice:
        n = turn_trips(high, low, top(thrice), top(once & ~thrice), r, c, n, numbers, values)
    elif ones(twice) == 2:
        n = turn_two_pair(high, low, twice, r, c, n, numbers, values)
    elif twice:
        n = pair_board(
            high,
            low,
            top(twice),
            once & ~twice,
            np.int64(T_PAIR),
            np.int64(T_ADDED),
            complete,
            r,
            c,
            n,
            numbers,
            values,
        )
    else:
        n = no_pair(high, low, once, np.int64(T_NONE), r, c, w, n, numbers, values)
    n = turn_suits(first, second, board, c, n, numbers, values)
    flop, _, _, _ = rank_sets(board, 3)
    return turn_straights(high, low, flop, once, complete, scales, pairs, n, numbers, values)


@njit(error_model="numpy")
def turn_trips(high, low, trips, kicker, r, c, n, numbers, values):
    """Ranks on a turn with three equal ones."""
    if high == trips or low == trips:
        return put(n, T_TRIPS, 1.0, numbers, values)
    if high == low:
        n = put(n, T_TRIPS + 4, 1.0, numbers, values)
        n = put(n, T_TRIPS + 5, 1.0 * (high == kicker and kicker > trips), numbers, values)
        return put(n, T_TRIPS + 6, (high + 1) / r, numbers, values)
    if high == kicker or low == kicker:
        side = low if high == kicker else high
        n = put(n, T_TRIPS + 1, 1.0, numbers, values)
        n = put(n, T_TRIPS + 2, 1.0 * (side > kicker), numbers, values)
        return put(n, T_TRIPS + 3, (side + 1) / r, numbers, values)
    n = put(n, T_TRIPS + 7, (high + 1) / r, numbers, values)
    n = put(n, T_TRIPS + 8, (low + 1) / r, numbers, values)
    return put(n, T_TRIPS + 9, ((high > kicker) + (low > kicker)) / c, numbers, values)


@njit(error_model="numpy")
def turn_two_pair(high, low, twice, r, c, n, numbers, values):
    """Ranks on a turn with two pairs."""
    upper = top(twice)
    lower = top(twice & ~(1 << upper))
    with_high, with_low = twice >> high & 1, twice >> low & 1
    if high == low and with_high:
        n = put(n, T_TWO, 1.0, numbers, values)
        return put(n, T_TWO + 1, (high == lower) / c, numbers, values)
    if with_high or with_low:
        n = put(n, T_TWO + 2, 1.0, numbers, values)
        return put(n, T_TWO + 3, (high != upper and low != upper) / c, numbers, values)
    if high == low and high > lower:
        n = put(n, T_TWO + 4, 1.0, numbers, values)
        n = put(n, T_TWO + 5, (high + 1) / r, numbers, values)
        return put(n, T_TWO + 6, below(twice, high) / c, numbers, values)
    if high == low:
        return put(n, T_TWO + 7, 1.0, numbers, values)
    n = put(n, T_TWO + 8, (high + 1) / r, numbers, values)
    n = put(n, T_TWO + 9, below(twice, high) / c, numbers, values)
    return put(n, T_TWO + 10, below(twice, low) / c, numbers, values)


@njit(error_model="numpy")
def pair_board(high, low, pair, kickers, base, added, complete, r, c, n, numbers, values):
    """Ranks on a turn or a river with one pair."""
    with_high, with_low = kickers >> high & 1, kickers >> low & 1
    with_pair = (high == pair) + (low == pair)
    if with_pair == 2:
        return put(n, base, 1.0, numbers, values)
    if (high == low and with_high) or (with_pair and (with_high or with_low)):
        pocket = high == low
        rank = high if pocket or high != pair else low  # the kicker that is matched
        mine = rank * 16 + pair if pocket else pair * 16 + rank
        by_pocket = by_pair = 0
        for kicker in range(RANKS):
            if kickers >> kicker & 1:
                by_pocket += kicker * 16 + pair > mine
                by_pair += pair * 16 + kicker > mine
        n = put(n, base + (1 if pocket else 2), 1.0, numbers, values)
        n = put(n, base + 3, by_pocket / c, numbers, values)
        return put(n, base + 4, by_pair / c, numbers, values)
    if with_pair:
        side = low if high == pair else high
        n = put(n, base + 5, 1.0, numbers, values)
        n = put(n, base + 6, 1.0 * (side > pair), numbers, values)
        n = put(n, base + 7, below(kickers, side) / c, numbers, values)
        return put(n, added, (side + 1) / r, numbers, values) if complete else n
    if high == low:
        n = put(n, base + 8, 1.0, numbers, values)
        n = put(n, base + 9, (high + 1) / r, numbers, values)
        n = put(n, base + 10, 1.0 * (high > pair), numbers, values)
        return put(n, base + 11, below(kickers, high) / c, numbers, values)
    if with_high or with_low:
        matched, side = (high, low) if with_high else (low, high)
        n = put(n, base + 12, 1.0, numbers, values)
        n = put(n, base + 13, 1.0 * (pair < matched), numbers, values)
        n = put(n, base + 14, below(kickers, matched) / c, numbers, values)
        n = put(n, base + 15, (side + 1) / r, numbers, values)
        n = put(n, base + 16, 1.0 * (side > pair), numbers, values)
        return put(n, base + 17, below(kickers, side) / c, numbers, values)
    n = put(n, base + 18, (high + 1) / r, numbers, values)
    n = put(n, base + 19, (low + 1) / r, numbers, values)
    n = put(n, base + 20, ((high > pair) + (low > pair)) / c, numbers, values)
    if base == T_PAIR:
        return put(n, base + 21, (below(kickers, high) + below(kickers, low)) / c, numbers, values)
    n = put(n, base + 21, (below(kickers, high) + (pair < high)) / c, numbers, values)
    return put(n, base + 22, (below(kickers, low) + (pair < low)) / c, numbers, values)


@njit(error_model="numpy")
def turn_suits(first, second, board, c, n, numbers, values):
    """Flushes and flush draws on the turn."""
    twos = 0
    for suit in range(4):
        twos += count_suit(board, 4, suit) == 2
    for suit in range(4):
        held, best = best_suited(first, second, suit)
        if not held:
            continue
        there = suit_set(board, 4, suit)
        count = ones(there)
        higher = higher_in_suit(best, there) / c
        if count == 4:
            number = 0
        elif count == 3:
            number = 2 if held == 2 else 4
        elif count == 2 and held == 2:
            number = 10 if twos < 2 else (6 if count_suit(board, 3, suit) == 2 else 8)
        else:
            continue
        n = put(n, T_SUITS + number, 1.0, numbers, values)
        n = put(n, T_SUITS + number + 1, higher, numbers, values)
    return n


@njit(error_model="numpy")
def turn_straights(high, low, flop, ranks, complete, scales, pairs, n, numbers, values):
    """Straights and draws on the turn."""
    c, p = scales[1], scales[2]
    held = (1 << high) | (1 << low)
    made = best_window(ranks | held)
    one, both = draws(high, low, ranks)
    count = ones(both)
    if made < 0:
        n = put(n, T_STRAIGHTS, 1.0 * (count == 1), numbers, values)
        n = put(n, T_STRAIGHTS + 1, 1.0 * (count > 1), numbers, values)
    wanted = 0x1FFF if made >= 0 else one | both
    if wanted:
        higher_one, higher_two = vulnerability(ranks, held, wanted)
        n = put(n, T_STRAIGHTS + 2, higher_one / p, numbers, values)
        n = put(n, T_STRAIGHTS + 3, higher_two / p, numbers, values)
    mine = one | both
    if mine and made < 0:
        before, now = ROW[flop], ROW[ranks]
        s1 = s2 = s3 = s4 = s5 = 0
        for pair in range(PAIR_COUNT):
            if pairs[now, pair] & mine and PAIRS[pair] != held:
                was, is_ = (pairs[before, pair] >> STATE_SHIFT), (pairs[now, pair] >> STATE_SHIFT)
                s1 += (is_ == G) & (was == G)
                s2 += (is_ == G) & (was == N)
                s3 += (is_ == D) & (was == D)
                s4 += (is_ == D) & (was == G)
                s5 += (is_ == D) & (was == N)
        n = put(n, T_STRAIGHTS + 4, shared_with_one(ranks, held, mine) / c, numbers, values)
        n = put(n, T_STRAIGHTS + 5, s1 / p, numbers, values)
        n = put(n, T_STRAIGHTS + 6, s2 / p, numbers, values)
        n = put(n, T_STRAIGHTS + 7, s3 / p, numbers, values)
        n = put(n, T_STRAIGHTS + 8, s4 / p, numbers, values)
        n = put(n, T_STRAIGHTS + 9, s5 / p, numbers, values)
    if complete and made >= 0:
        with_one = ones(WINDOWS[made] & ~ranks) == 1
        n = put(n, T_ADDED + (1 if with_one else 2), 1.0, numbers, values)
        higher = higher_windows(ranks, made, 1) + higher_windows(ranks, made, 2)
        n = put(n, T_ADDED + 3, higher / c, numbers, values)
    elif complete:
        n = put(n, T_ADDED + 4, 1.0 * (one != 0), numbers, values)
    return n


@njit(error_model="numpy")
def river_hand(first, second, board, complete, scales, pairs, numbers, values):
    """The private features on the river."""
    r, c, w = scales[0], scales[1], scales[3]
    high, low = max(first, second) >> 2, min(first, second) >> 2
    once, twice, thrice, quads = rank_sets(board, 5)
    n = 0
    if quads:
        n = put(n, R_QUADS, (max(high, top(once & ~quads)) + 1) / r, numbers, values)
    elif thrice and twice & ~thrice:
        n = river_full_house(high, low, top(thrice), top(twice & ~thrice), complete, r, c, n, numbers, values)
    elif thrice:
        n = river_trips(high, low, top(thrice), once & ~thrice, r, c, n, numbers, values)
    elif ones(twice) == 2:
        n = river_two_pair(high, low, twice, top(once & ~twice), complete, r, c, n, numbers, values)
    elif twice:
        n = pair_board(
            high,
            low,
            top(twice),
            once & ~twice,
            np.int64(R_PAIR),
            np.int64(R_ADDED),
            complete,
            r,
            c,
            n,
            numbers,
            values,
        )
    else:
        n = no_pair(high, low, once, np.int64(R_NONE), r, c, w, n, numbers, values)
    n = river_flushes(first, second, board, c, n, numbers, values)
    held = (1 << high) | (1 << low)
    made = best_window(once | held)
    if made >= 0:
        missing = ones(WINDOWS[made] & ~once)
        if missing == 1:
            n = put(n, R_STRAIGHTS, 1.0, numbers, values)
        elif missing == 2:
            n = put(n, R_STRAIGHTS + 1, 1.0, numbers, values)
            n = put(n, R_STRAIGHTS + 2, higher_windows(once, made, 1) / c, numbers, values)
        if complete and missing:
            n = put(n, R_ADDED + 2, higher_windows(once, made, 2) / c, numbers, values)
    return n


@njit(error_model="numpy")
def river_full_house(high, low, trips, pair, complete, r, c, n, numbers, values):
    """Ranks on a river with a full house."""
    with_pair = (high == pair) + (low == pair)
    if high == trips or low == trips:
        n = put(n, R_FULL, 1.0, numbers, values)
        return put(n, R_FULL + 1, (pair > trips) / c, numbers, values)
    if with_pair == 2:
        n = put(n, R_FULL, 1.0, numbers, values)
        return put(n, R_FULL + 1, (trips > pair) / c, numbers, values)
    if with_pair and pair > trips:
        n = put(n, R_FULL + 2, 1.0, numbers, values)
        return put(n, R_ADDED + 1, (pair + 1) / r, numbers, values) if complete else n
    if high == low and high > pair:
        n = put(n, R_FULL + 2, 1.0, numbers, values)
        return put(n, R_ADDED + 1, (high + 1) / r, numbers, values) if complete else n
    return n


@njit(error_model="numpy")
def river_trips(high, low, trips, kickers, r, c, n, numbers, values):
    """Ranks on a river with three equal ones; kickers above them can be full of them with a pocket pair."""
    if high == trips or low == trips:
        return put(n, R_TRIPS, 1.0, numbers, values)
    with_high, with_low = kickers >> high & 1, kickers >> low & 1
    if high == low or with_high or with_low:
        if high == low and with_high and high > trips:
            higher = above(kickers, high)
        else:
            filling = high if high == low or with_high else low
            higher = above(kickers, trips) + 12 - filling - (trips > filling)
        n = put(n, R_TRIPS + 1, 1.0, numbers, values)
        return put(n, R_TRIPS + 2, higher / c, numbers, values)
    n = put(n, R_TRIPS + 3, (high + 1) / r, numbers, values)
    return put(n, R_TRIPS + 4, (low + 1) / r, numbers, values)


@njit(error_model="numpy")
def river_two_pair(high, low, twice, kicker, complete, r, c, n, numbers, values):
    """Ranks on a river with two pairs."""
    upper = top(twice)
    lower = top(twice & ~(1 << upper))
    if high == low and twice >> high & 1:
        n = put(n, R_TWO, 1.0, numbers, values)
        return put(n, R_TWO + 1, (high == lower) / c, numbers, values)
    with_kicker = high == kicker or low == kicker
    with_upper, with_lower = high == upper or low == upper, high == lower or low == lower
    if with_upper or with_lower or (high == low and with_kicker):
        # Full houses that can be there, each by its three cards and its pair.
        plain_upper, best_upper = upper * 16 + lower, upper * 16 + max(lower, kicker)
        plain_lower, best_lower = lower * 16 + upper, lower * 16 + max(upper, kicker)
        pocket = kicker * 16 + upper
        if with_upper:
            mine = best_upper if with_kicker else plain_upper
        elif with_lower:
            mine = best_lower if with_kicker else plain_lower
        else:
            mine = pocket
        higher = (plain_upper > mine) + (plain_lower > mine) + (pocket > mine)
        higher += (best_upper > mine and best_upper != plain_upper) + (best_lower > mine and best_lower != plain_lower)
        n = put(n, R_TWO + 2, 1.0, numbers, values)
        return put(n, R_TWO + 3, higher / c, numbers, values)
    if high == low and high > lower:
        n = put(n, R_TWO + 4, 1.0, numbers, values)
        n = put(n, R_TWO + 5, (high + 1) / r, numbers, values)
        return put(n, R_TWO + 6, 1.0 * (high > kicker), numbers, values)
    if with_kicker and kicker > lower:
        n = put(n, R_TWO + 7, 1.0, numbers, values)
        rank = (low if high == kicker else high) if complete else high
        return put(n, R_TWO + 8, (rank + 1) / r, numbers, values)
    return put(n, R_TWO + 8, (high + 1) / r, numbers, values)


@njit(error_model="numpy")
def river_flushes(first, second, board, c, n, numbers, values):
    """Flushes on the river."""
    for suit in range(4):
        held, best = best_suited(first, second, suit)
        there = suit_set(board, 5, suit)
        count = ones(there)
        if not held or count < 3:
            continue
        if count == 5:
            number = 0
            if below(there, best) == 0:
                continue
        elif count == 4:
            number = 2
        elif held == 2:
            number = 4
        else:
            continue
        n = put(n, R_SUITS + number, 1.0, numbers, values)
        n = put(n, R_SUITS + number + 1, higher_in_suit(best, there) / c, numbers, values)
    return n


# ------------------------------------------------------------------------------------------------------ for many hands


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
