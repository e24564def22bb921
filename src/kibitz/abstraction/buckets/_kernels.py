"""Counting the deals behind every value of a feature, and cutting them into buckets, board by board.

A row is a canonical board with a number for each of the 1,326 pairs: the bucket of the round before, called parent.
`images` is int16[24, 1326], the pair that each pair becomes under each permutation of suits.
"""

import numpy as np

from kibitz.compiling import njit

CARDS = 52
PAIRS = 1326
CODE_SHIFT, CODE_MASK = 5, 31  # a code is 32 * canonical board + permutation


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
def _list_free(board, also, free):
    """Fill `free` with the cards neither on the board nor `also`, in increasing order; returns how many."""
    left = 0
    for card in range(CARDS):
        taken = card == also
        for other in board:
            taken |= card == other
        if not taken:
            free[left] = card
            left += 1
    return left


@njit(cache=True, nogil=True)
def tally(parents, rows, boards, weights, feature, shift, counts):
    """Add weights[row] to counts[parent, feature >> shift] for every pair that the board leaves.

    parents : int32[n, 1326]    rows : int64[n], rows of `boards` (uint8[m, k]) and `feature` ([m, 1326])
    """
    free = np.empty(CARDS, np.int64)
    for row in range(len(rows)):
        left = _list_free(boards[rows[row]], -1, free)
        values, weight = feature[rows[row]], weights[row]
        for i in range(left):
            base = free[i] * (free[i] - 1) >> 1
            for j in range(i):
                pair = base + free[j]
                counts[parents[row, pair], np.int64(values[pair]) >> shift] += weight


@njit(cache=True, nogil=True)
def tally_inside(parents, rows, boards, weights, feature, shift, slots, counts):
    """As `tally`, by the low `shift` bits, of the values whose slot, int32[parents, high bits], is not negative."""
    free = np.empty(CARDS, np.int64)
    low_bits = (np.int64(1) << shift) - 1
    for row in range(len(rows)):
        left = _list_free(boards[rows[row]], -1, free)
        values, weight = feature[rows[row]], weights[row]
        for i in range(left):
            base = free[i] * (free[i] - 1) >> 1
            for j in range(i):
                pair = base + free[j]
                value = np.int64(values[pair])
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
            left = _list_free(boards[turn], river, free)
            values, image = strengths[code >> CODE_SHIFT], images[code & CODE_MASK]
            for i in range(left):
                base = free[i] * (free[i] - 1) >> 1
                for j in range(i):
                    pair = base + free[j]
                    counts[parents[row, pair], values[image[pair]]] += weight
