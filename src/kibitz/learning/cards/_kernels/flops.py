"""Private features before and on the flop."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.sets import (
    F_ADDED,
    F_NONE,
    F_PAIR,
    F_STRAIGHTS,
    F_SUITS,
    F_TRIPS,
    PAIR_COUNT,
    PLACES,
    R_NONE,
    RANKS,
    D,
    G,
    above,
    below,
    best_suited,
    best_window,
    higher_in_suit,
    higher_windows,
    ones,
    put,
    rank_sets,
    suit_set,
    top,
)
from kibitz.learning.cards.tables import PAIRS, ROW, STATE_SHIFT, WINDOWS


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
