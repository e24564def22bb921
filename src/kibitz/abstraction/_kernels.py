"""Finding the buckets of many hands, dealing them by number, and cutting hands into buckets by the deals behind them.

`suits` is uint8[24, 52], the card that each card becomes under each permutation of suits. Codes of boards, pairs of
hole cards and tables [boards, 1326] are those of `features`; `images` is int16[24, 1326], the pair that each pair
becomes under each permutation. When cuts are looked for, a row is a canonical board with a number for each pair: the
bucket of the round before, called parent.
"""

import numpy as np

from kibitz.abstraction.features._kernels import list_free, prefetch
from kibitz.compiling import njit
from kibitz.random._kernels import GAMMA, below, scatter, stream

CARDS = 52
BLOCK = 256
PAIRS = 1326
CODE_SHIFT, CODE_MASK = 5, 31  # a code is 32 * canonical board + permutation


@njit(inline="always")
def _pair(a, b):
    """The number of two cards among the 1,326 pairs."""
    high, low = max(a, b), min(a, b)
    return (high * (high - 1) >> 1) + low


@njit(cache=True, nogil=True)
def first_bad_hand(holes, boards, size):
    """The first row of uint8[n, 2] `holes` that is not different cards with the `size` first of `boards`, or -1."""
    for row in range(len(holes)):
        a, b = np.uint64(holes[row, 0]), np.uint64(holes[row, 1])
        seen = (np.uint64(1) << (a & np.uint64(63))) | (np.uint64(1) << (b & np.uint64(63)))
        bad = (a == b) | (a >= CARDS) | (b >= CARDS)
        for place in range(size):
            card = np.uint64(boards[row, place])
            bit = np.uint64(1) << (card & np.uint64(63))
            bad |= (card >= CARDS) | ((seen & bit) != 0)
            seen |= bit
        if bad:
            return row
    return -1


@njit(cache=True, nogil=True)
def _locate(holes, codes, suits, start, stop, entries, places):
    """Write to `places` where hands start .. stop - 1 stand in the flat table `entries`, and send for what is there.

    Hands are scattered over hundreds of megabytes: the reads that follow find what they want on its way already.
    """
    for row in range(start, stop):
        code = codes[row]
        image = np.uint32(code & CODE_MASK)
        pair = _pair(np.uint32(suits[image, holes[row, 0]]), np.uint32(suits[image, holes[row, 1]]))
        place = np.int64(code >> CODE_SHIFT) * PAIRS + pair
        places[row - start] = place
        prefetch(entries, place)


@njit(cache=True, nogil=True)
def cut_hands(holes, codes, suits, feature, thresholds, states):
    """Move int32[n] `states` on to state * parts + the number of thresholds[state] below the hand's feature.

    holes : uint8[n, 2]    codes : int32[n], of the boards    thresholds : int64[states, parts - 1]
    """
    cuts = thresholds.shape[1]
    entries = feature.reshape(-1)
    places = np.empty(BLOCK, np.int64)
    for start in range(0, len(codes), BLOCK):
        stop = min(start + BLOCK, len(codes))
        _locate(holes, codes, suits, start, stop, entries, places)
        for row in range(start, stop):
            state, value = np.uint32(states[row]), np.int64(entries[np.uint64(places[row - start])])
            part = 0
            for cut in range(cuts):
                part += thresholds[state, cut] < value
            states[row] = state * (cuts + 1) + part


@njit(cache=True, nogil=True)
def find_hands(holes, codes, suits, table, states):
    """Write the entry of `table` for each hand to int32[n] `states`; holes and codes as in `cut_hands`."""
    entries = table.reshape(-1)
    places = np.empty(BLOCK, np.int64)
    for start in range(0, len(codes), BLOCK):
        stop = min(start + BLOCK, len(codes))
        _locate(holes, codes, suits, start, stop, entries, places)
        for row in range(start, stop):
            states[row] = entries[np.uint64(places[row - start])]


@njit(cache=True, nogil=True)
def cut_boards(codes, images, feature, thresholds, states):
    """As `cut_hands` for all pairs on each board: states int32[n, 1326], images int16[24, 1326] of pairs."""
    cuts = thresholds.shape[1]
    for row in range(len(codes)):
        values, image = feature[codes[row] >> CODE_SHIFT], images[codes[row] & CODE_MASK]
        for pair in range(PAIRS):
            state, value = np.uint32(states[row, pair]), np.int64(values[np.uint16(image[pair])])
            part = 0
            for cut in range(cuts):
                part += thresholds[state, cut] < value
            states[row, pair] = state * (cuts + 1) + part


@njit(cache=True, nogil=True)
def find_boards(codes, images, table, states):
    """As `find_hands` for all pairs on each board: states int32[n, 1326], images int16[24, 1326] of pairs."""
    for row in range(len(codes)):
        values, image = table[codes[row] >> CODE_SHIFT], images[codes[row] & CODE_MASK]
        for pair in range(PAIRS):
            states[row, pair] = values[np.uint16(image[pair])]


@njit(cache=True, nogil=True)
def strike_out(boards, size, states):
    """Write -1 to int[n, 1326] `states` where a pair has one of the first `size` cards of its row's board."""
    for row in range(len(boards)):
        for place in range(size):
            taken = np.int64(boards[row, place])
            for other in range(CARDS):
                if other != taken:
                    states[row, _pair(taken, np.int64(other))] = -1


@njit(cache=True, nogil=True)
def deal_hands(key, first, hands):
    """Fill uint8[n, players, 2 + board] `hands` with deals first, first + 1, ... of the stream `key`.

    Every order of the deck is as likely, up to 1 in 2^26; each player's row ends with the board.
    """
    count, players, length = hands.shape
    dealt = 2 * players + length - 2
    cards = np.empty(CARDS, np.uint8)
    for card in range(CARDS):
        cards[card] = card
    swapped = np.empty(dealt, np.int64)
    for row in range(count):
        word = stream(key, first + row)
        for place in range(dealt):
            word += GAMMA
            other = place + np.int64(below(scatter(word), np.uint64(CARDS - place)))
            swapped[place] = other
            cards[place], cards[other] = cards[other], cards[place]
        for player in range(players):
            hands[row, player, 0] = cards[2 * player]
            hands[row, player, 1] = cards[2 * player + 1]
            for place in range(2, length):
                hands[row, player, place] = cards[2 * players + place - 2]
        for place in range(dealt - 1, -1, -1):  # back to the order from which every deal starts
            other = swapped[place]
            cards[place], cards[other] = cards[other], cards[place]


@njit(cache=True, nogil=True)
def move_parents(flops, codes, images, parents, out):
    """Write each flop's parents, int32[flops, 1326], to rows of `out` as the turn board calls its pairs.

    flops, codes : int32[n], the flop of each row and the code of the board it becomes
    """
    for row in range(len(flops)):
        image, source = images[codes[row] & CODE_MASK], parents[flops[row]]
        for pair in range(PAIRS):
            out[row, image[pair]] = source[pair]


@njit(cache=True, nogil=True)
def refine(parents, rows, feature, thresholds, out):
    """Write parent * parts + the part of each pair: the number of thresholds[parent] below its feature.

    parents, out : int32[n, 1326]    rows : int64[n], rows of `feature`    thresholds : int64[parents, parts - 1]
    """
    cuts = thresholds.shape[1]
    for row in range(len(rows)):
        values = feature[rows[row]]
        for pair in range(PAIRS):
            parent = parents[row, pair]
            value = np.int64(values[pair])
            part = 0
            for cut in range(cuts):
                part += thresholds[parent, cut] < value
            out[row, pair] = parent * (cuts + 1) + part


@njit(cache=True, nogil=True)
def tally(parents, rows, boards, weights, feature, shift, slots, counts):
    """Add weights[row] to counts[parent, feature >> shift] for every pair that the board leaves.

    With `slots`, int32[parents, high bits], to counts[slot, low bits] of the features whose slot is not negative.

    parents : int32[n, 1326]    rows : int64[n], rows of `boards` (uint8[m, k]) and `feature` ([m, 1326])
    """
    free = np.empty(CARDS, np.int64)
    low_bits = (np.int64(1) << shift) - 1
    for row in range(len(rows)):
        left = list_free(boards[rows[row]], -1, free)
        values, weight = feature[rows[row]], weights[row]
        for i in range(left):
            base = free[i] * (free[i] - 1) >> 1
            for j in range(i):
                pair = base + free[j]
                value = np.int64(values[pair])
                if slots is None:
                    counts[parents[row, pair], value >> shift] += weight
                    continue
                slot = slots[parents[row, pair], value >> shift]
                if slot >= 0:
                    counts[slot, value & low_bits] += weight


@njit(cache=True, nogil=True)
def tally_rivers(parents, rows, boards, extensions, images, weights, strengths, counts):
    """Add weights[row] to counts[parent, strength] for every river and pair that the turn board leaves.

    extensions : int32[turns, 52]    strengths : uint16[rivers, 1326]    the rest as in `tally`, of turn boards
    """
    free = np.empty(CARDS, np.int64)
    for row in range(len(rows)):
        turn, weight = rows[row], weights[row]
        for river in range(CARDS):
            code = extensions[turn, river]
            if code < 0:
                continue
            left = list_free(boards[turn], river, free)
            values, image = strengths[code >> CODE_SHIFT], images[code & CODE_MASK]
            for i in range(left):
                base = free[i] * (free[i] - 1) >> 1
                for j in range(i):
                    pair = base + free[j]
                    counts[parents[row, pair], values[image[pair]]] += weight
