"""The actions of a regular PHH hand followed byte by byte: whose turn it is, the chips, the boards, the showdown.

`follow` takes the hands that `_phh_fast` takes in plain Python, and gives up whatever it is not sure of. It is written
with integers and bytes only, all in one function, for `compiled` to make machine code of it: numba is imported there
and not before.

    text : bytes, the action strings of a hand with `', '` between them, then PADDING
    out  : bytearray, filled at the places below

Everything that `follow` uses stands in this file, since numba's cache notices no change in others.
"""

from __future__ import annotations

from collections.abc import Callable

from kibitz.cards import RANKS, SUITS

Follow = Callable[[bytes, int, int, int, bytearray], int]

_BLANKS = 16
PADDING = "', '" + _BLANKS * " "  # the last action ends like the others, and no look ahead leaves the text
HIDDEN = 255  # stands for both cards of a player who has not shown them
# Two cards a player come first, then the board, how many cards that has, how many players mucked, these, ACPC's text.
BOARD, BOARD_CARDS, MUCKS, MUCKED, HISTORY = 20, 25, 26, 27, 40
_DIGITS = 15  # of a size; longer ones are given up
_LONGEST = 20  # bytes of one action in ACPC's text: r and the digits of any number of eight bytes

_BLANK, _QUOTE, _COMMA, _SLASH, _UNKNOWN, _ZERO, _NINE = map(ord, " ',/?09")
_B, _C, _D, _F, _H, _M, _P, _R, _S = map(ord, "bcdfhmprs")
# Of every byte what it adds to the number of a card; wrong ones lead out of the deck.
_RANK = bytes([len(SUITS) * RANKS.index(chr(code)) if chr(code) in RANKS else 64 for code in range(256)])
_SUIT = bytes([SUITS.index(chr(code)) if chr(code) in SUITS else 64 for code in range(256)])


def follow(text: bytes, players: int, first: int, opening_bet: int, out: bytearray) -> int:
    """Where ACPC's text ends in `out`; 0 if the hand is given up.

    first       : the player who opens the betting
    opening_bet : the largest blind
    """
    end, last = len(text) - _BLANKS, len(out) - _LONGEST
    at, write = 0, HISTORY
    dealt, board, mucks, seen = 0, 0, 0, 0  # players with cards, cards of the board, mucked hands; all cards as bits
    live, alive = (1 << players) - 1, players  # who has not folded, as bits, and how many they are
    turn, waiting = first, players  # who is next, and how many have to act before the round is over
    level, bet = 0, opening_bet  # chips of a player before this round, and after the last bet
    showdown = 0  # 1 while hands are shown, 2 once a board has come after them
    while at < end:
        if write > last:
            return 0
        cards, place = 0, 0  # how many cards stand at the end of the action, and where they go
        seat, dealer = -1, text[at] == _D
        if dealer:
            if text[at + 1] != _BLANK or text[at + 2] != _D or text[at + 4] != _BLANK:
                return 0
            if text[at + 3] != (_B if dealt == players else _H):  # all hands are dealt first
                return 0
            at += 5
        elif dealt < players:
            return 0
        if not dealer or dealt < players:  # of a player, p1 to p10
            seat = text[at + 1] - _ZERO - 1
            if text[at] != _P or seat < 0 or seat > 8:
                return 0
            at += 2
            if seat == 0 and text[at] == _ZERO:
                seat = 9
                at += 1
            if seat >= players:
                return 0

        if dealt < players:  # d dh p1 AhKs
            if seat != dealt or text[at] != _BLANK:
                return 0
            at += 1
            cards, place = 2, 2 * seat
            dealt += 1
            if text[at] == _UNKNOWN and text[at + 1] == _UNKNOWN:
                if text[at + 2] != _UNKNOWN or text[at + 3] != _UNKNOWN:
                    return 0
                out[place] = out[place + 1] = HIDDEN
                cards = 0
                at += 4
        elif seat < 0:  # d db 2c3d4h
            cards, place = 1 if board else 3, BOARD + board
            board += cards
            if board > 5:
                return 0
            out[write] = _SLASH
            write += 1
            turn, waiting, level = 0, alive, bet
            showdown = 2 if showdown else 0
        elif text[at] != _BLANK:
            return 0
        elif text[at + 1] == _S and text[at + 2] == _M:  # p1 sm AhKs, p1 sm
            if showdown == 2:
                return 0
            showdown = 1
            at += 3
            if text[at] == _BLANK:
                hole = 16 * seat + len("d dh p1 ") + (seat == 9)
                for k in range(4):
                    if text[at + 1 + k] != text[hole + k]:
                        return 0
                at += 5
            else:
                if mucks == players:
                    return 0
                out[MUCKED + mucks] = seat
                mucks += 1
        else:  # p1 f, p1 cc, p1 cbr 300
            if seat != turn or waiting == 0 or alive < 2 or showdown == 1:
                return 0
            waiting -= 1
            turn = (seat + 1) % players
            if text[at + 1] == _F:
                at += 2
                live ^= 1 << seat
                alive -= 1
                out[write] = _F
                write += 1
            elif text[at + 1] != _C:
                return 0
            elif text[at + 2] == _C:
                at += 3
                out[write] = _C
                write += 1
            else:
                if text[at + 2] != _B or text[at + 3] != _R or text[at + 4] != _BLANK or text[at + 5] == _ZERO:
                    return 0
                at += 5
                size, longest = 0, at + _DIGITS
                while at < longest and _ZERO <= text[at] <= _NINE:
                    size = 10 * size + (text[at] - _ZERO)
                    at += 1
                if size == 0:
                    return 0
                bet = level + size  # PHH counts the chips of the street, ACPC those of the hand
                waiting = alive - 1
                out[write] = _R
                write += 1
                rest = bet
                while rest:
                    write += 1
                    rest //= 10
                rest, digit = bet, write
                while rest:
                    digit -= 1
                    out[digit] = _ZERO + rest % 10
                    rest //= 10

        while not live >> turn & 1:
            turn = (turn + 1) % players
        for _ in range(cards):
            card = _RANK[text[at]] + _SUIT[text[at + 1]]
            if card >= 52 or seen >> card & 1:
                return 0
            seen |= 1 << card
            out[place] = card
            place += 1
            at += 2
        if text[at] != _QUOTE or text[at + 1] != _COMMA or text[at + 2] != _BLANK or text[at + 3] != _QUOTE:
            return 0
        at += 4
    out[BOARD_CARDS], out[MUCKS] = board, mucks
    return write if dealt == players else 0


def compiled() -> Follow:
    """`follow` as machine code, out of numba's cache where that has it."""
    from numba import njit

    kernel: Follow = njit(cache=True)(follow)
    return kernel
