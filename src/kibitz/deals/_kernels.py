"""Dealing cards by number: deal i of a key is the same whenever and on whatever thread it is dealt."""

import numpy as np

from kibitz.compiling import njit

# SplitMix64 (Steele, Lea and Flood 2014): numbers i of a stream are mixes of key + i * GAMMA.
GAMMA = np.uint64(0x9E3779B97F4A7C15)
MIX_A, MIX_B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_A, SHIFT_B, SHIFT_C, SHIFT_UNIT = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@njit
def _mix(x):
    """A bijection of 64-bit numbers without visible pattern."""
    x = (x ^ (x >> SHIFT_A)) * MIX_A
    x = (x ^ (x >> SHIFT_B)) * MIX_B
    return x ^ (x >> SHIFT_C)


@njit(cache=True, nogil=True)
def draw(key, first, hole_cards, board_ends, deck, begin, tables, strength, cards, states, strengths):
    """Deal hands first, first + 1, ... of the stream `key` and look up what everybody knows and holds.

    board_ends : int64[rounds], cards on the board in each round; deck: number of cards
    begin      : int64[rounds, players], where the states of a player in a round begin in `tables`
    tables     : int32[...], state by the cards a player sees, read as digits of base `deck`: hole cards, then board
    strength   : int32[deck ** cards of a showdown hand], in the same way
    cards      : int64[deck], 0 .. deck - 1; shuffled and put back in order
    states     : int32[count, rounds, players], strengths : int32[count, players], filled
    """
    count, rounds, players = states.shape
    dealt = players * hole_cards + board_ends[rounds - 1]
    swapped = np.empty(dealt, np.int64)
    for i in range(count):
        stream = _mix(key + np.uint64(first + i) * GAMMA)
        for place in range(dealt):
            stream += GAMMA
            unit = (_mix(stream) >> SHIFT_UNIT) * (1.0 / 9007199254740992.0)
            other = place + int(unit * (deck - place))
            swapped[place] = other
            cards[place], cards[other] = cards[other], cards[place]
        for p in range(players):
            seen = 0
            for place in range(p * hole_cards, (p + 1) * hole_cards):
                seen = deck * seen + cards[place]
            on_board = 0
            for r in range(rounds):
                while on_board < board_ends[r]:
                    seen = deck * seen + cards[players * hole_cards + on_board]
                    on_board += 1
                states[i, r, p] = tables[begin[r, p] + seen]
            strengths[i, p] = strength[seen]
        for place in range(dealt - 1, -1, -1):
            other = swapped[place]
            cards[place], cards[other] = cards[other], cards[place]
