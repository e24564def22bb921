"""The actions of a regular PHH hand followed byte by byte: turns, chips, boards, the showdown.

`follow` takes no-limit hands, all-ins among them, and gives up whatever it is not sure of. Whose turn it is follows
`kibitz.io.turns.Turns`.

text  : bytes, the stacks as `[200.30, 197]`, what was won likewise or nothing, the action strings of a hand with `', '`
        between them and after the last, PADDED blanks
posted: int64[2, players], blinds and antes
out   : bytearray, filled at the places BOARD .. HISTORY below
state : int64[], the columns AT .. SPENT below

Every step returns whether it is sure of what it did.
"""

import numpy as np

from kibitz.compiling import njit

AT, WRITE = 0, 1  # where the next action begins, and where ACPC's text goes on
DEALT, BOARD_CARDS, MUCKS, SEEN = 2, 3, 4, 5  # players with cards, cards of the board, mucked hands; all cards as bits
LIVE, WAITING, TURN = 6, 7, 8  # who has not folded and who has to act, as bits; the turn comes to these from here on
LEVEL, BET = 9, 10  # chips of a player before this round, and after the last bet
NUMBER = 11  # the last that was read, in chips
LIMIT, SPENT = 12, 22  # ten each: the most that a player can bet, and what he has

PADDED = 16
HIDDEN = 255  # stands for both cards of a player who has not shown them
# Of `out`: two cards a player come first, then the board, how many cards that has and how many players mucked, these,
# the stacks and the net results in eight bytes each, ACPC's text.
BOARD, COUNTS, MUCKED, STACKS, NET, HISTORY = 20, 25, 27, 40, 120, 200
DIGITS = 12  # of a whole number; longer ones are given up
LONGEST = 20  # bytes of one action in ACPC's text: r and the digits of any number of eight bytes
BLANK, QUOTE, COMMA, POINT, SLASH, UNKNOWN, ZERO, NINE, OPEN, CLOSE = 32, 39, 44, 46, 47, 63, 48, 57, 91, 93
B, C, D, F, H, M, P, R, S = 98, 99, 100, 102, 104, 109, 112, 114, 115
INF = (105, 110, 102)
UNLIMITED = 2**31 - 1  # chips, as of `games.game`
# Of every byte what it adds to the number of a card; wrong ones lead out of the deck.
RANK = np.full(256, 64, np.int64)
RANK[[ord(rank) for rank in "23456789TJQKA"]] = np.arange(13) * 4
SUIT = np.full(256, 64, np.int64)
SUIT[[ord(suit) for suit in "cdhs"]] = np.arange(4)


@njit
def _is_digit(byte):
    return ZERO <= byte <= NINE


@njit
def _read_number(text, scale, state):
    """81.60 in chips of 1 / scale, which is 1 or 100."""
    at = state[AT]
    if not _is_digit(text[at]) or (text[at] == ZERO and _is_digit(text[at + 1])):
        return False
    number, longest = 0, at + DIGITS
    while at < longest and _is_digit(text[at]):
        number = 10 * number + (text[at] - ZERO)
        at += 1
    number *= scale
    if text[at] == POINT:
        if scale == 1 or not _is_digit(text[at + 1]):
            return False
        number += 10 * (text[at + 1] - ZERO)
        at += 2
        if _is_digit(text[at]):
            number += text[at] - ZERO
            at += 1
    state[AT], state[NUMBER] = at, number
    return not _is_digit(text[at])


@njit
def _read_stack(text, scale, state):
    """A number, or inf."""
    at = state[AT]
    if text[at] != INF[0] or text[at + 1] != INF[1] or text[at + 2] != INF[2]:
        return _read_number(text, scale, state)
    state[AT], state[NUMBER] = at + 3, UNLIMITED
    return True


@njit
def _write_integer(number, at, out):
    """The eight bytes of `number`, the lowest first."""
    for k in range(8):
        out[at + k] = number >> 8 * k & 255


@njit
def _read_integer(at, out):
    """What `_write_integer` has written."""
    number = 0
    for k in range(8):
        number |= out[at + k] << 8 * k
    return number


@njit
def _read_array(text, players, scale, place, state, out):
    """[200.30, 197] into `out` from `place` on, in chips."""
    if text[state[AT]] != OPEN:
        return False
    for player in range(players):
        state[AT] += 1 if player == 0 else 2
        if not _read_stack(text, scale, state):
            return False
        _write_integer(state[NUMBER], place + 8 * player, out)
        at = state[AT]
        if player < players - 1 and (text[at] != COMMA or text[at + 1] != BLANK):
            return False
    state[AT] += 1
    return text[state[AT] - 1] == CLOSE


@njit
def _sit_down(players, posted, state, out):
    """Blinds and antes are posted: nobody is all-in by a blind."""
    for player in range(players):
        state[LIMIT + player] = _read_integer(STACKS + 8 * player, out) - posted[1, player]
        state[SPENT + player] = posted[0, player]
        if state[SPENT + player] >= state[LIMIT + player]:
            return False
    return True


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
def _is_hidden(text, at):
    return text[at] == UNKNOWN and text[at + 1] == UNKNOWN and text[at + 2] == UNKNOWN and text[at + 3] == UNKNOWN


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
    if not _is_hidden(text, state[AT]):
        return _read_cards(text, 2, 2 * seat, state, out)
    out[2 * seat] = out[2 * seat + 1] = HIDDEN
    state[AT] += 4
    return True


@njit
def _able(players, state):
    """Who has not folded and has chips left, as bits."""
    able = 0
    for player in range(players):
        if state[LIVE] >> player & 1 and state[SPENT + player] < state[LIMIT + player]:
            able |= 1 << player
    return able


@njit
def _deal_board(text, players, state, out):
    """2c3d4h, or one card: the next round begins, with nobody to act where all but one are all-in."""
    place, count = BOARD + state[BOARD_CARDS], 1 if state[BOARD_CARDS] else 3
    state[BOARD_CARDS] += count
    if state[BOARD_CARDS] > 5:
        return False
    out[state[WRITE]] = SLASH
    state[WRITE] += 1
    state[TURN], state[LEVEL], state[WAITING] = 0, state[BET], _able(players, state)
    for player in range(players):
        if state[WAITING] == 1 << player and state[SPENT + player] >= state[BET]:
            state[WAITING] = 0
    return _read_cards(text, count, place, state, out)


@njit
def _deal(text, players, state, out):
    """d dh ... until all have cards, d db ... from then on."""
    at, dealing = state[AT], state[DEALT] < players
    if text[at + 1] != BLANK or text[at + 2] != D or text[at + 4] != BLANK or text[at + 3] != (H if dealing else B):
        return False
    state[AT] += 5
    return _deal_hole(text, players, state, out) if dealing else _deal_board(text, players, state, out)


@njit
def _show(text, players, seat, state, out):
    """sm AhKs, the cards that were dealt, or hidden till now; sm ????; or sm, and they stay unknown."""
    state[AT] += 3
    if text[state[AT]] != BLANK:
        if state[MUCKS] == players:
            return False
        out[MUCKED + state[MUCKS]] = seat
        state[MUCKS] += 1
        return True
    state[AT] += 1
    if _is_hidden(text, state[AT]):
        state[AT] += 4
        return True
    if out[2 * seat] == HIDDEN:
        return _read_cards(text, 2, 2 * seat, state, out)
    for k in range(2):
        if RANK[text[state[AT]]] + SUIT[text[state[AT] + 1]] != out[2 * seat + k]:
            return False
        state[AT] += 2
    return True


@njit
def _write_text(number, state, out):
    length, rest = 0, number
    while rest:
        length += 1
        rest //= 10
    for k in range(length):
        out[state[WRITE] + length - 1 - k] = ZERO + number % 10
        number //= 10
    state[WRITE] += length


@njit
def _raise(text, players, seat, scale, state, out):
    """cbr 300: PHH counts the chips of the street, ACPC those of the hand."""
    at = state[AT]
    if text[at + 2] != B or text[at + 3] != R or text[at + 4] != BLANK:
        return False
    state[AT] += 5
    if not _read_number(text, scale, state):
        return False
    raised = state[LEVEL] + state[NUMBER]
    if raised <= state[BET]:
        return False
    state[BET], state[SPENT + seat] = raised, raised
    state[WAITING] = _able(players, state) & ~(1 << seat)
    out[state[WRITE]] = R
    state[WRITE] += 1
    _write_text(raised, state, out)
    return True


@njit
def _bet(text, players, seat, scale, state, out):
    """f, cc or cbr 300 of the player whose turn it is."""
    if not state[WAITING]:
        return False
    while not state[WAITING] >> state[TURN] & 1:
        state[TURN] = (state[TURN] + 1) % players
    if seat != state[TURN]:
        return False
    state[WAITING] ^= 1 << seat
    letter = text[state[AT] + 1]
    if letter == C and text[state[AT] + 2] != C:
        return _raise(text, players, seat, scale, state, out)
    if letter == F:
        state[LIVE] ^= 1 << seat
        if state[LIVE] & state[LIVE] - 1 == 0:
            state[WAITING] = 0
    elif letter == C:
        state[SPENT + seat] = max(state[SPENT + seat], min(state[BET], state[LIMIT + seat]))
    else:
        return False
    state[AT] += 2 if letter == F else 3
    out[state[WRITE]] = letter
    state[WRITE] += 1
    return True


@njit
def _act(text, players, scale, state, out):
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
    return _bet(text, players, seat, scale, state, out)


@njit
def _settle(players, posted, state, out):
    """What was won less what was paid, where the part of the largest bet that nobody matched goes back."""
    most = second = 0
    for player in range(players):
        spent = state[SPENT + player]
        if spent > most:
            most, second = spent, most
        elif spent > second:
            second = spent
    for player in range(players):
        place = NET + 8 * player
        paid = min(state[SPENT + player], second) + posted[1, player]
        _write_integer(_read_integer(place, out) - paid, place, out)


@njit(cache=True)
def follow(text, first, scale, posted, out):
    """Where ACPC's text ends in `out`; 0 if the hand is given up.

    first : the player who opens the betting
    scale : chips to one unit of the text, 1 or 100
    """
    players, end, last = posted.shape[1], len(text) - PADDED, len(out) - LONGEST
    state = np.zeros(SPENT + 10, np.int64)
    if not _read_array(text, players, scale, STACKS, state, out) or not _sit_down(players, posted, state, out):
        return 0
    won = text[state[AT]] == OPEN
    if won and not _read_array(text, players, scale, NET, state, out):
        return 0
    state[WRITE], state[TURN], state[BET] = HISTORY, first, posted[0].max()
    state[LIVE] = state[WAITING] = (1 << players) - 1
    while state[AT] < end:
        if state[WRITE] > last or not _act(text, players, scale, state, out):
            return 0
        at = state[AT]
        if text[at] != QUOTE or text[at + 1] != COMMA or text[at + 2] != BLANK or text[at + 3] != QUOTE:
            return 0
        state[AT] += 4
    if won:
        _settle(players, posted, state, out)
    out[COUNTS], out[COUNTS + 1] = state[BOARD_CARDS], state[MUCKS]
    return state[WRITE] if state[DEALT] == players else 0
