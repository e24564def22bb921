"""Dealing cards by number: deal i of a key is the same whenever and on whatever thread it is dealt."""

import numpy as np

from kibitz.compiling import njit
from kibitz.random._kernels import stream, uniform


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
        dice = stream(key, first + i)
        for place in range(dealt):
            other = place + int(uniform(dice, place) * (deck - place))
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
