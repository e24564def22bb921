"""Sets of ranks, suits, straights and rank pairs as bits, and rows of features as bytes.

Features that stand side by side are one whole number: that of the first in the lowest byte, then their values.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.compiling import njit
from kibitz.learning.cards.names import FLAG, UNITS
from kibitz.learning.cards.tables import ROW

FLOP, TURN, RIVER = 1, 2, 3
ALL = (1 << 13) - 1  # ranks
PLACES = (1 << 10) - 1  # straights
ANY = (-1, -1)  # rank pairs


@intrinsic
def row(typing_context, number, *values):
    """Features from `number` on with these values, six at most, from 0 to 255."""

    def generate(context, builder, signature, arguments):
        found = arguments[0]
        for place, value in enumerate(cgutils.unpack_tuple(builder, arguments[1]), 1):
            found = builder.or_(found, builder.shl(value, ir.Constant(value.type, 8 * place)))
        return found

    return types.int64(types.int64, types.StarArgTuple([types.int64] * len(values))), generate


@njit(error_model="numpy")
def put(rows, which, mode, numbers, values):
    """Fill list `which` with the features of all rows that are not 0; returns how many."""
    n = 0
    for each in rows:
        number, left = each & 0xFF, each >> 8
        while left:
            unit, value = UNITS[which, number], left & 0xFF
            numbers[n] = number
            values[n] = value / (mode.card_scales[unit] if unit < FLAG else 1.0)
            n += value != 0
            number += 1
            left >>= 8
    return n


@intrinsic
def ones(typing_context, bits):
    """How many are in a set, int64."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def top(typing_context, bits):
    """The highest of a set, int64; -1 if it is empty."""

    def generate(context, builder, signature, arguments):
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), generate


@njit
def below(bits, place):
    """How many of a set lie below a place."""
    return ones(bits & ((1 << place) - 1))


@njit
def above(bits, place):
    """How many of a set lie above a place."""
    return ones(bits >> (place + 1))


@njit
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


@njit
def suit_set(board, count, suit):
    """Ranks of one suit among `count` cards."""
    bits = 0
    for i in range(count):
        if np.int64(board[i]) & 3 == suit:
            bits |= 1 << (np.int64(board[i]) >> 2)
    return bits


@njit
def suits_with(board, count, cards):
    """How many suits have just so many of `count` cards."""
    found = 0
    for suit in range(4):
        found += ones(suit_set(board, count, suit)) == cards
    return found


@njit
def windows(ranks):
    """The straights that lack no rank, one rank and two ranks of a set, as sets: all ten at once, bit by bit."""
    a = ~(ranks << 1 | ranks >> 12)  # what is missing, the ace also below the deuce
    b, c, d, e = a >> 1, a >> 2, a >> 3, a >> 4
    three = a ^ b ^ c
    odd, carry, other = three ^ d ^ e, a & b | c & (a ^ b), three & d | e & (three ^ d)
    twos, fours = carry ^ other, carry & other
    return ~(odd | twos | fours) & PLACES, odd & ~(twos | fours) & PLACES, twos & ~odd & PLACES


@njit
def states(pairs, ranks):
    """The rank pairs of each state on a set of board ranks, as sets."""
    here = pairs[ROW[ranks]]
    return (here[0, 0], here[0, 1]), (here[1, 0], here[1, 1]), (here[2, 0], here[2, 1]), (here[3, 0], here[3, 1])


@njit
def count(one, other, among):
    """How many rank pairs three sets share."""
    return ones(one[0] & other[0] & among[0]) + ones(one[1] & other[1] & among[1])
