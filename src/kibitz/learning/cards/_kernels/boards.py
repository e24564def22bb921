"""Public features of flops, turns and rivers, as rows."""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.bits import (
    ANY,
    above,
    below,
    count,
    ones,
    rank_sets,
    row,
    states,
    suit_set,
    suits_with,
    top,
    windows,
)
from kibitz.learning.cards.tables import BY_RANK, HOLDING, ROW, D, G, N, S

FLOP_SUITS, FLOP_STRAIGHTS = 10, 13  # numbers with which blocks of features begin
TURN_SUITS, TURN_STRAIGHTS = 12, 19
RIVER_SUITS, RIVER_STRAIGHTS, RIVER_ADDED = 20, 26, 34
SHORT_SUITS, SHORT_STRAIGHTS = 23, 27


@njit
def ranks_in_order(number, upper, lower):
    """A feature that is on, and after it the ranks of one set and of another, from the highest on."""
    found, shift = row(number, 1), 16
    for ranks in (upper, lower):
        while ranks:
            found += (top(ranks) + 1) << shift
            ranks ^= 1 << top(ranks)
            shift += 8
    return found


@njit
def flush_row(number, there):
    """Five, four or three board cards of one suit."""
    if ones(there) == 5:
        return row(number, 1, ones(there ^ there - 1))  # the lowest rank
    return row(number + 6 - ones(there), 1) if ones(there) > 2 else 0


@njit
def flop_board(board, mode):
    """Ranks, suits and straights of the flop."""
    once, twice, thrice, _ = rank_sets(board, 3)
    rest, here, suits = once & ~twice, states(mode.pairs, once), 4 - suits_with(board, 3, 0)
    ranks = ranks_in_order(0 if thrice else 2 if twice else 6, twice, rest) + row(0, 0, 0, 0, 0 < rest < twice)
    straights = row(FLOP_STRAIGHTS, ones(windows(once)[2]), count(here[G], ANY, ANY), count(here[D], ANY, ANY))
    return ranks, row(FLOP_SUITS + suits - 1, 1), straights, 0, 0


@njit
def turn_board(board, mode):
    """What the turn does to ranks, suits and straights."""
    flop, twice, thrice, _ = rank_sets(board, 3)
    turn = np.int64(board[3]) >> 2
    bit = 1 << turn
    if thrice:
        ranks = row(0, 1) if thrice & bit else row(1, turn + 1, bit > thrice)
    elif twice & bit:
        ranks = row(3, 1)
    elif twice:
        ranks = row(4, 1) if flop & bit else row(5, turn + 1, bit > twice, bit > flop & ~twice)
    elif flop & bit:
        ranks = row(8, 1, above(flop, turn) + 1)
    else:
        ranks = row(10, turn + 1, below(flop, turn))
    suits, matched = 4 - suits_with(board, 3, 0), ones(suit_set(board, 3, np.int64(board[3]) & 3))
    suit = (1 - matched // 3) if suits == 1 else 2 * suits - matched
    was, now = states(mode.pairs, flop), states(mode.pairs, flop | bit)
    made = count(was[G], now[S], ANY), count(was[D], now[S], ANY)
    new = count(was[N], now[G], ANY), count(was[N], now[D], ANY)
    gaps, grown = ones(windows(flop | bit)[1]), count(was[G], now[D], ANY)
    straights = row(TURN_STRAIGHTS, gaps, made[0], made[1], new[0], new[1], grown)
    return ranks, row(TURN_SUITS + suit, 1), straights, 0, 0


@njit
def river_board(board, mode):
    """What the river does to ranks, suits and straights, and the straights that the profile `complete` adds."""
    flop, _, _, _ = rank_sets(board, 3)
    before, _, _, _ = rank_sets(board, 4)
    river = np.int64(board[4]) >> 2
    bit = 1 << river
    was, now = states(mode.pairs, flop), states(mode.pairs, before)
    used = HOLDING[river, 0], HOLDING[river, 1]
    here = mode.pairs[ROW[before], BY_RANK + river]
    done = here[0], here[1]
    made, one, two = windows(before | bit)
    connected = count(was[G], now[S], used), count(was[D], now[S], used)
    single, double = count(was[G], now[G], done), count(was[D], now[D], done)
    straights = row(RIVER_STRAIGHTS, made != 0, connected[0], connected[1], single, double, count(was[N], now[G], done))
    more = row(RIVER_STRAIGHTS + 6, count(was[N], now[D], done), count(was[G], now[D], done))
    added = row(RIVER_ADDED, ones(one), ones(two)) * mode.complete
    suit = np.int64(board[4]) & 3
    suits = flush_row(RIVER_SUITS, suit_set(board, 5, suit))
    if suits == row(RIVER_SUITS + 3, 1):  # from the front door, the back door, or less than a draw
        suits += 2 if suits_with(board, 4, 2) < 2 else ones(suit_set(board, 3, suit)) != 2
    return river_ranks(board, river), suits, straights, more, added


@njit
def river_ranks(board, river):
    """Public features of ranks on the river."""
    once, twice, thrice, quads = rank_sets(board, 4)
    flop, _, _, _ = rank_sets(board, 3)
    bit, rest = 1 << river, once & ~twice
    if quads:
        return row(0, river + 1)
    if thrice:
        if once & bit:
            return row(1 if thrice & bit else 2, 1)
        return row(5, river + 1, bit > thrice, bit > rest)
    if ones(twice) == 2:
        return row(3, 1, river == top(twice)) if twice & bit else row(9, river + 1)
    if twice & bit:
        return row(8, 1)
    if twice and once & bit:
        return row(10 if flop & bit else 11, 1)
    if twice:
        return row(12, river + 1, twice > bit, below(rest, river))
    if flop & bit:
        return row(15, 1, above(flop, river) + 1)
    return row(17, 1) if once & bit else row(18, river + 1, above(once, river))


@njit
def short_board(board):
    """The thirty public features of the river that the action function sees."""
    once, twice, thrice, quads = rank_sets(board, 5)
    ranks = row(2, 1, thrice > twice & ~thrice)
    if quads or twice == thrice or not thrice:
        number = 0 if quads else 4 if thrice else (17, 12, 8)[ones(twice)]
        ranks = ranks_in_order(number, twice & ~quads, once & ~twice)
    suits = 0
    for suit in range(4):
        suits += flush_row(SHORT_SUITS, suit_set(board, 5, suit))
    made, one, two = windows(once)
    return ranks, suits, row(SHORT_STRAIGHTS, made != 0, ones(one), ones(two)), 0, 0
