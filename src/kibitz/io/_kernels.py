"""The actions of a regular PHH hand followed byte by byte: whose turn it is, the chips, the boards, the showdown.

`follow` takes the hands that `_phh_fast` takes in plain Python, and gives up whatever it is not sure of.

text  : bytes, the action strings of a hand with `', '` between them, then PADDING of `_phh_compiled`
out   : bytearray, filled at the places of `_phh_compiled`
state : int64[13], the columns AT .. SHOWDOWN below

Every step returns whether it is sure of what it did. The constants are those of `_phh_compiled`, which does without
numba until it is needed.
"""

import numpy as np
from numba import njit

AT, WRITE = 0, 1  # where the next action begins, and where ACPC's text goes on
DEALT, BOARD_CARDS, MUCKS, SEEN = 2, 3, 4, 5  # players with cards, cards of the board, mucked hands; all cards as bits
LIVE, ALIVE = 6, 7  # who has not folded, as bits, and how many they are
TURN, WAITING = 8, 9  # who is next, and how many have to act before the round is over
LEVEL, BET = 10, 11  # chips of a player before this round, and after the last bet
SHOWDOWN = 12  # 1 while hands are shown, 2 once a board has come after them

PADDED, HIDDEN = 16, 255
BOARD, COUNTS, MUCKED, HISTORY = 20, 25, 27, 40
DIGITS = 15  # of a size; longer ones are given up
LONGEST = 20  # bytes of one action in ACPC's text: r and the digits of any number of eight bytes
BLANK, QUOTE, COMMA, SLASH, UNKNOWN, ZERO, NINE = 32, 39, 44, 47, 63, 48, 57
B, C, D, F, H, M, P, R, S = 98, 99, 100, 102, 104, 109, 112, 114, 115
# Of every byte what it adds to the number of a card; wrong ones lead out of the deck.
RANK = np.full(256, 64, np.int64)
RANK[[ord(rank) for rank in "23456789TJQKA"]] = np.arange(13) * 4
SUIT = np.full(256, 64, np.int64)
SUIT[[ord(suit) for suit in "cdhs"]] = np.arange(4)


@njit
def _seat(text, at, players):
    """The player named by p1 to p10 at `at`, -1 if none is; the name has a third letter for player 9."""
    seat = text[at + 1] - ZERO - 1
    if text[at] != P or seat < 0 or seat > 8:
        return -1
    if seat == 0 and text[at + 2] == ZERO:
        seat = 9
    return seat if seat < players else -1


@njit
def _read_cards(text, count, place, state, out):
    """`count` cards, none of them seen before, into `out` from `place` on."""
    for k in range(count):
        card = RANK[text[state[AT]]] + SUIT[text[state[AT] + 1]]
        if card >= 52 or state[SEEN] >> card & 1:
            return False
        state[SEEN] |= 1 << card
        out[place + k] = card
        state[AT] += 2
    return True


@njit
def _deal_hole(text, players, state, out):
    """p1 AhKs, or p1 ????: the players in order."""
    seat = _seat(text, state[AT], players)
    if seat != state[DEALT]:
        return False
    state[AT] += 2 + (seat == 9)
    if text[state[AT]] != BLANK:
        return False
    state[AT] += 1
    state[DEALT] += 1
    at = state[AT]
    if text[at] != UNKNOWN or text[at + 1] != UNKNOWN:
        return _read_cards(text, 2, 2 * seat, state, out)
    out[2 * seat] = out[2 * seat + 1] = HIDDEN
    state[AT] += 4
    return text[at + 2] == UNKNOWN and text[at + 3] == UNKNOWN


@njit
def _deal_board(text, state, out):
    """2c3d4h, or one card: the next round begins."""
    place, count = BOARD + state[BOARD_CARDS], 1 if state[BOARD_CARDS] else 3
    state[BOARD_CARDS] += count
    if state[BOARD_CARDS] > 5:
        return False
    out[state[WRITE]] = SLASH
    state[WRITE] += 1
    state[TURN], state[WAITING], state[LEVEL] = 0, state[ALIVE], state[BET]
    state[SHOWDOWN] = 2 if state[SHOWDOWN] else 0
    return _read_cards(text, count, place, state, out)


@njit
def _deal(text, players, state, out):
    """d dh ... until all have cards, d db ... from then on."""
    at, dealing = state[AT], state[DEALT] < players
    if text[at + 1] != BLANK or text[at + 2] != D or text[at + 4] != BLANK or text[at + 3] != (H if dealing else B):
        return False
    state[AT] += 5
    return _deal_hole(text, players, state, out) if dealing else _deal_board(text, state, out)


@njit
def _show(text, players, seat, state, out):
    """sm AhKs, the cards that were dealt; or sm, and they stay unknown."""
    if state[SHOWDOWN] == 2:
        return False
    state[SHOWDOWN] = 1
    state[AT] += 3
    if text[state[AT]] != BLANK:
        if state[MUCKS] == players:
            return False
        out[MUCKED + state[MUCKS]] = seat
        state[MUCKS] += 1
        return True
    hole = 16 * seat + 8 + (seat == 9)  # after d dh p1, in actions of 16 bytes each
    for k in range(4):
        if text[state[AT] + 1 + k] != text[hole + k]:
            return False
    state[AT] += 5
    return True


@njit
def _write_number(number, state, out):
    length, rest = 0, number
    while rest:
        length += 1
        rest //= 10
    for k in range(length):
        out[state[WRITE] + length - 1 - k] = ZERO + number % 10
        number //= 10
    state[WRITE] += length


@njit
def _raise(text, state, out):
    """cbr 300: PHH counts the chips of the street, ACPC those of the hand."""
    at = state[AT]
    if text[at + 2] != B or text[at + 3] != R or text[at + 4] != BLANK or text[at + 5] == ZERO:
        return False
    at += 5
    size, longest = 0, at + DIGITS
    while at < longest and ZERO <= text[at] <= NINE:
        size = 10 * size + (text[at] - ZERO)
        at += 1
    state[AT], state[BET], state[WAITING] = at, state[LEVEL] + size, state[ALIVE] - 1
    out[state[WRITE]] = R
    state[WRITE] += 1
    _write_number(state[BET], state, out)
    return size > 0


@njit
def _bet(text, players, seat, state, out):
    """f, cc or cbr 300 of the player whose turn it is."""
    if seat != state[TURN] or state[WAITING] == 0 or state[ALIVE] < 2 or state[SHOWDOWN] == 1:
        return False
    state[WAITING] -= 1
    state[TURN] = (seat + 1) % players
    letter = text[state[AT] + 1]
    if letter == C and text[state[AT] + 2] != C:
        return _raise(text, state, out)
    if letter == F:
        state[LIVE] ^= 1 << seat
        state[ALIVE] -= 1
    elif letter != C:
        return False
    state[AT] += 2 if letter == F else 3
    out[state[WRITE]] = letter
    state[WRITE] += 1
    return True


@njit
def _act(text, players, state, out):
    """One action of the dealer or of a player."""
    if text[state[AT]] == D:
        return _deal(text, players, state, out)
    seat = _seat(text, state[AT], players)
    if seat < 0 or state[DEALT] < players:
        return False
    state[AT] += 2 + (seat == 9)
    at = state[AT]
    if text[at] != BLANK:
        return False
    if text[at + 1] == S and text[at + 2] == M:
        return _show(text, players, seat, state, out)
    return _bet(text, players, seat, state, out)


@njit(cache=True)
def follow(text, players, first, opening_bet, out):
    """Where ACPC's text ends in `out`; 0 if the hand is given up.

    first       : the player who opens the betting
    opening_bet : the largest blind
    """
    end, last = len(text) - PADDED, len(out) - LONGEST
    state = np.zeros(13, np.int64)
    state[WRITE], state[TURN], state[BET] = HISTORY, first, opening_bet
    state[LIVE], state[ALIVE], state[WAITING] = (1 << players) - 1, players, players
    while state[AT] < end:
        if state[WRITE] > last or not _act(text, players, state, out):
            return 0
        while not state[LIVE] >> state[TURN] & 1:
            state[TURN] = (state[TURN] + 1) % players
        at = state[AT]
        if text[at] != QUOTE or text[at + 1] != COMMA or text[at + 2] != BLANK or text[at + 3] != QUOTE:
            return 0
        state[AT] += 4
    out[COUNTS], out[COUNTS + 1] = state[BOARD_CARDS], state[MUCKS]
    return state[WRITE] if state[DEALT] == players else 0
