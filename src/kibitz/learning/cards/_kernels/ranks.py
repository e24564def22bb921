"""Private features of ranks, as rows: what the ranks of two hole cards make of those on the board."""

from kibitz.compiling import njit
from kibitz.learning.cards._kernels.bits import FLOP, RIVER, TURN, above, below, ones, row, top

# Numbers with which blocks of features begin: on the flop, the turn, the river.
F_TRIPS, T_TRIPS, R_TRIPS = 0, 1, 4
T_TWO, R_FULL, R_TWO = 11, 1, 9
PAIR = (0, 5, 22, 18)  # by stage
NONE = (0, 23, 44, 41)
ADDED = (0, 72, 87, 71)


@njit
def rank_rows(stage, high, low, board, complete):
    """Features of ranks, and what the profile `complete` adds.

    board   sets of ranks that are there at least once, twice, three and four times
    """
    once, twice, thrice, quads = board
    rest = once & ~twice
    if quads:
        return row(0, max(high, top(rest)) + 1), 0
    if thrice and twice != thrice:
        return full_house_board(high, low, top(thrice), top(twice & ~thrice))
    if thrice and stage == RIVER:
        return river_trips(high, low, top(thrice), rest), 0
    if thrice:
        return trips_board(stage, high, low, top(thrice), top(rest)), 0
    if ones(twice) == 2 and stage == TURN:
        return turn_two_pair(high, low, twice), 0
    if ones(twice) == 2:
        return river_two_pair(high, low, twice, top(rest), complete), 0
    if twice:
        pair, held = top(twice), 1 << high | 1 << low
        kicker = (high + low - pair + 1) * (held & once == twice and high != low)  # beside trips
        return pair_board(stage, high, low, pair, rest), row(ADDED[stage], kicker)
    return no_pair(stage, high, low, once), 0


@njit
def trips_board(stage, high, low, trips, kicker):
    """A flop of three equal ranks, or a turn with them and a kicker."""
    if high == trips or low == trips:
        return row(F_TRIPS if stage == FLOP else T_TRIPS, 1)
    if stage == FLOP:
        return row(F_TRIPS + 1, 1, high + 1) if high == low else row(F_TRIPS + 3, high + 1, low + 1)
    if high == low:
        return row(T_TRIPS + 4, 1, high == kicker and kicker > trips, high + 1)
    if high == kicker or low == kicker:
        side = high + low - kicker
        return row(T_TRIPS + 1, 1, side > kicker, side + 1)
    return row(T_TRIPS + 7, high + 1, low + 1, (high > kicker) + (low > kicker))


@njit
def river_trips(high, low, trips, kickers):
    """A river with three equal ranks; kickers above them can be full of them with a pocket pair."""
    if high == trips or low == trips:
        return row(R_TRIPS, 1)
    matched = kickers & (1 << high | 1 << low)
    if high == low and matched and high > trips:
        return row(R_TRIPS + 1, 1, above(kickers, high))
    if high == low or matched:
        filling = top(matched) if matched else high
        return row(R_TRIPS + 1, 1, above(kickers, trips) + 12 - filling - (trips > filling))
    return row(R_TRIPS + 3, high + 1, low + 1)


@njit
def full_house_board(high, low, trips, pair):
    """A river with a full house, and the rank of a better one."""
    if high == trips or low == trips:
        return row(R_FULL, 1, pair > trips), 0
    if high == low and high == pair:
        return row(R_FULL, 1, trips > pair), 0
    rank = high if high == low else pair
    is_better = high > pair if high == low else pair > trips and (high == pair or low == pair)
    return row(R_FULL + 2, is_better), row(ADDED[RIVER] + 1, (rank + 1) * is_better)


@njit
def turn_two_pair(high, low, twice):
    """A turn with two pairs."""
    upper, matched = top(twice), twice & (1 << high | 1 << low)
    if high == low and matched:
        return row(T_TWO, 1, high != upper)
    if matched:
        return row(T_TWO + 2, 1, high != upper and low != upper)
    if high == low:
        in_play = below(twice, high) > 0
        return row(T_TWO + 4, 1, high + 1, below(twice, high)) if in_play else row(T_TWO + 7, 1)
    return row(T_TWO + 8, high + 1, below(twice, high), below(twice, low))


@njit
def river_two_pair(high, low, twice, kicker, complete):
    """A river with two pairs."""
    upper = top(twice)
    lower = top(twice ^ 1 << upper)
    if high == low and twice >> high & 1:
        return row(R_TWO, 1, high == lower)
    with_upper, with_lower = high == upper or low == upper, high == lower or low == lower
    with_kicker = high == kicker or low == kicker
    if with_upper or with_lower or (high == low and with_kicker):
        # Full houses that can be there, each by its three cards and its pair; the same stand side by side.
        above_upper, above_lower = upper * 16 + max(lower, kicker), lower * 16 + max(upper, kicker)
        houses = upper * 16 + lower, above_upper, lower * 16 + upper, above_lower, kicker * 16 + upper
        mine = houses[with_kicker + 0 if with_upper else with_kicker + 2 if with_lower else 4]
        before = higher = 0
        for house in houses:
            higher += house > mine and house != before
            before = house
        return row(R_TWO + 2, 1, higher)
    if high == low and high > lower:
        return row(R_TWO + 4, 1, high + 1, high > kicker)
    paired = with_kicker and kicker > lower
    return row(R_TWO + 7, paired, (high + low - kicker if paired and complete else high) + 1)


@njit
def pair_board(stage, high, low, pair, kickers):
    """A board with one pair; later than on the flop more is told."""
    number, later = PAIR[stage], 2 * (stage != FLOP)
    matched, on_pair = kickers & (1 << high | 1 << low), high == pair or low == pair
    rank = top(matched)
    if on_pair and high == low:
        return row(number, 1)
    if matched and (on_pair or high == low):
        if stage == FLOP:
            return row(number + 1, high == low, on_pair)
        if high == low:
            return row(number + 1, 1, 0, above(kickers, rank), ones(kickers) * (pair > rank))
        return row(number + 1, 0, 1, above(kickers, pair), above(kickers, rank))
    number += later
    if on_pair:
        side = high + low - pair
        return row(number + 3, 1, side > pair, below(kickers, side))
    if high == low:
        return row(number + 6, 1, high + 1, high > pair, below(kickers, high))
    if matched:
        side = high + low - rank
        if stage == FLOP:
            return row(number + 10, 1, side + 1, side > pair, below(kickers, side))
        return row(number + 10, 1, pair < rank, below(kickers, rank), side + 1, side > pair, below(kickers, side))
    number, over = number + later + 14, (high > pair) + (low > pair)
    under_high, under_low = below(kickers, high), below(kickers, low)
    if stage == RIVER:
        return row(number, high + 1, low + 1, over, under_high + (pair < high), under_low + (pair < low))
    return row(number, high + 1, low + 1, over, under_high + under_low)


@njit
def no_pair(stage, high, low, ranks):
    """A board without a pair."""
    number, matched = NONE[stage], ranks & (1 << high | 1 << low)
    if high == low and matched:
        return row(number, 1, high + 1, above(ranks, high) + (stage != RIVER))
    if ones(matched) == 2:
        if stage == FLOP:
            return row(number + 3, 1, high + 1, low + 1, above(ranks, top(ranks ^ matched)) + 1)
        return row(number + 3, 1, high + 1, low + 1, below(ranks, high), below(ranks, low))
    number += 7 if stage == FLOP else 8
    if high == low:
        return row(number, 1, high + 1, above(ranks, high))
    if matched:
        rank = top(matched)
        side = high + low - rank
        return row(number + 3, 1, rank + 1, above(ranks, rank), side + 1, above(ranks, side))
    return row(number + 8, 1, high + 1, above(ranks, high), low + 1, above(ranks, low))
