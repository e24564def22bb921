"""Private features of suits and straights, as rows.

held : the ranks of the hole cards, as a set; pairs : sets of rank pairs on every set of board ranks, see `tables`
"""

import numpy as np

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.bits import (
    ALL,
    ANY,
    FLOP,
    RIVER,
    TURN,
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
from kibitz.learning.cards.tables import BY_RANK, HOLDING, ROW, WINDOWS, D, G, N

F_STRAIGHTS, T_STRAIGHTS, T_ADDED, R_STRAIGHTS, R_ADDED = 55, 77, 88, 68, 73  # where blocks of features begin
# The number of a flush or of a draw, by stage, cards of the suit on the board, and on hand; -1 where there is none.
SUITS = np.full((4, 6, 3), -1, dtype=np.int64)
SUITS[FLOP, 1:4] = (-1, -1, 51), (-1, 49, 47), (-1, 45, 43)
SUITS[TURN, 2:5] = (-1, -1, 71), (-1, 69, 67), (-1, 65, 65)
SUITS[RIVER, 3:6] = (-1, -1, 66), (-1, 64, 64), (-1, 62, 62)


@njit
def suit_row(stage, suit, first, second, board):
    """A flush or a flush draw in one suit."""
    mine = (first & 3 == suit) << (first >> 2) | (second & 3 == suit) << (second >> 2)
    there, best = suit_set(board, stage + 2, suit), top(mine)
    number = SUITS[stage, ones(there), ones(mine)]
    if number < 0 or (ones(there) == 5 and below(there, best) == 0):
        return 0
    if stage == FLOP and ones(there) == 1:
        number += 2 * (suits_with(board, 3, 2) == 0)
    elif stage == TURN and ones(there) == 2:
        is_front_door = ones(suit_set(board, 3, suit)) == 2
        number += 4 if suits_with(board, 4, 2) < 2 else 0 if is_front_door else 2
    return row(number, 1, above(ALL & ~there, best))


@njit
def straight_rows(stage, high, low, ranks, board, mode):
    """Straights and draws: four rows."""
    held, (_, lacking_one, lacking_two) = 1 << high | 1 << low, windows(ranks)
    mine = top(windows(ranks | held)[0])
    if mine < 0:
        return draw_rows(stage, high, low, ranks, board, mode) if stage != RIVER else (0, 0, 0, 0)
    by_one, by_two = lacking_one >> mine & 1, lacking_two >> mine & 1
    higher_one, higher_two = above(lacking_one, mine), above(lacking_two, mine)
    if stage == RIVER:
        added = row(R_ADDED, (by_one | by_two) * higher_two) * mode.complete
        return row(R_STRAIGHTS, by_one, by_two, by_two * higher_one), added, 0, 0
    one, two = threats(held, ranks, ALL)
    if stage == FLOP:
        return row(F_STRAIGHTS, 1, higher_two, 0, 0, 0, one), row(F_STRAIGHTS + 6, two), 0, 0
    added = row(T_ADDED, by_one, by_two, higher_one + higher_two) * mode.complete
    return row(T_STRAIGHTS + 2, one, two), added, 0, 0


@njit
def draw_rows(stage, high, low, ranks, board, mode):
    """Draws, those of others, and on the flop back doors and what pairing a hole card would give others."""
    held, now, pairs = 1 << high | 1 << low, states(mode.pairs, ranks), mode.pairs
    one, both = completing(held, ranks)
    if stage == TURN and not one | both:
        return 0, 0, 0, 0
    doors = back_doors(high, low, ranks, pairs) if stage == FLOP else 0
    if not one | both:
        found = sharing(pairs, ranks, held, 0, 0)
        return doors, row(F_STRAIGHTS + 15, count(now[G], ANY, found), count(now[D], ANY, found)), 0, 0
    found, alone = sharing(pairs, ranks, one | both, high, low), singles(held, ranks, one | both)
    higher_one, higher_two = threats(held, ranks, one | both)
    has_single, has_double = ones(both) == 1, ones(both) > 1
    if stage == FLOP:
        mine = row(F_STRAIGHTS + 2, one != 0, has_single, has_double, higher_one, higher_two, alone)
        return mine, row(F_STRAIGHTS + 8, count(now[G], ANY, found), count(now[D], ANY, found)), doors, 0
    was = states(pairs, rank_sets(board, 3)[0])
    single, new_single = count(was[G], now[G], found), count(was[N], now[G], found)
    double, grown, new_double = count(was[D], now[D], found), count(was[G], now[D], found), count(was[N], now[D], found)
    mine = row(T_STRAIGHTS, has_single, has_double, higher_one, higher_two, alone)
    theirs = row(T_STRAIGHTS + 5, single, new_single, double, grown, new_double)
    return mine, theirs, row(T_ADDED + 3, one != 0) * mode.complete, 0


@njit
def back_doors(high, low, ranks, pairs):
    """Straights that two more board ranks would make with both hole cards."""
    held = 1 << high | 1 << low
    doors = higher = needed = 0
    for window in range(10 if high != low else 0):
        missing = WINDOWS[window] & ~ranks
        if missing & held == held and ones(missing) == 4:
            _, one, two = windows(ranks | missing & ~held)
            doors += 1
            needed |= missing & ~held
            higher += above(one | two, window)
    if not doors:
        return 0
    here, found = states(pairs, ranks), sharing(pairs, ranks, needed, high, low)
    single, double = count(here[G], ANY, found), count(here[D], ANY, found)
    return row(F_STRAIGHTS + 10, doors, higher, singles(held, ranks, needed), single, double)


@njit
def completing(held, ranks):
    """Ranks that complete a straight: with one hole card and three board ranks, and with both; as sets."""
    one = both = 0
    for window in WINDOWS:
        missing = window & ~ranks
        rest = missing & ~held
        if ones(rest) == 1:
            one |= rest if ones(missing) == 2 else 0
            both |= rest if ones(missing) == 3 else 0
    return one, both


@njit
def threats(held, ranks, wanted):
    """Straights with four and with three board ranks above one's own, summed over the next ranks `wanted`."""
    one = two = 0
    while wanted:
        board = ranks | wanted & -wanted
        mine = top(windows(board | held)[0])
        _, lacking_one, lacking_two = windows(board)
        one += above(lacking_one, mine)
        two += above(lacking_two, mine)
        wanted &= wanted - 1
    return one, two


@njit
def singles(held, ranks, wanted):
    """How many other ranks alone, with three of the board, draw to one of `wanted`."""
    found = 0
    for window in WINDOWS:
        missing = window & ~ranks
        if ones(missing) == 2 and missing & wanted:
            found |= missing if missing & wanted == missing else missing & ~wanted
    return ones(found & ~held)


@njit
def sharing(pairs, ranks, wanted, high, low):
    """Rank pairs that draw to one of `wanted`, that of the hole cards left out; those of one rank are no such pair."""
    first, second, here = 0, 0, pairs[ROW[ranks]]
    while wanted:
        rank = top(wanted)
        wanted ^= 1 << rank
        first |= here[BY_RANK + rank, 0]
        second |= here[BY_RANK + rank, 1]
    if high != low:
        first &= ~(HOLDING[high, 0] & HOLDING[low, 0])
        second &= ~(HOLDING[high, 1] & HOLDING[low, 1])
    return first, second
