"""Private features on the turn and the river."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.flops import draws, no_pair, shared_with_one, vulnerability
from kibitz.learning.cards._kernels.sets import (
    PAIR_COUNT,
    R_ADDED,
    R_FULL,
    R_NONE,
    R_PAIR,
    R_QUADS,
    R_STRAIGHTS,
    R_SUITS,
    R_TRIPS,
    R_TWO,
    RANKS,
    T_ADDED,
    T_NONE,
    T_PAIR,
    T_QUADS,
    T_STRAIGHTS,
    T_SUITS,
    T_TRIPS,
    T_TWO,
    D,
    G,
    N,
    above,
    below,
    best_suited,
    best_window,
    count_suit,
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
        base, added = np.int64(T_PAIR), np.int64(T_ADDED)
        n = pair_board(high, low, top(twice), once & ~twice, base, added, complete, r, c, n, numbers, values)
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
        base, added = np.int64(R_PAIR), np.int64(R_ADDED)
        n = pair_board(high, low, top(twice), once & ~twice, base, added, complete, r, c, n, numbers, values)
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
