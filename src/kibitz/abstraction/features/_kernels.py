"""Boards up to the names of suits, and the strength of every pair of hole cards on them.

A pair of cards a < b has the number b (b - 1) / 2 + a, 0 .. 1325. A board of k cards has its colexicographic number
among all of them, and a *code*: 32 * canonical board + the permutation of suits that takes it there.
"""

from itertools import permutations
from math import comb

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.compiling import njit

CARDS = 52
PAIRS = 1326
BLOCK = 256
SYMMETRIES = 24
CODE_SHIFT, CODE_MASK = 5, 31
BINS = 50
MOST = 1980  # twice the 990 hands an opponent can hold on the river: wins count 2, ties 1
OPPONENTS = 8

_PERMUTATIONS = list(permutations(range(4)))
INVERSE = np.array([_PERMUTATIONS.index(tuple(np.argsort(p))) for p in _PERMUTATIONS], dtype=np.int64)
CHOOSE = np.array([[comb(n, k) for k in range(6)] for n in range(CARDS + 1)], dtype=np.int64)
LOW = np.array([a for b in range(CARDS) for a in range(b)], dtype=np.int64)  # [pair] -> its lower card
HIGH = np.array([b for b in range(CARDS) for a in range(b)], dtype=np.int64)
CARD = np.array([[(c & ~3) | p[c & 3] for c in range(CARDS)] for p in _PERMUTATIONS], dtype=np.int64)
IMAGES = CARD.astype(np.uint8)
_A, _B = CARD[:, LOW], CARD[:, HIGH]
PAIR = (np.maximum(_A, _B) * (np.maximum(_A, _B) - 1) // 2 + np.minimum(_A, _B)).astype(np.int16)  # [permutation, pair]
BIN = np.minimum(np.arange(MOST + 1) * BINS // MOST, BINS - 1).astype(np.int64)


@njit(cache=True, nogil=True)
def _number(cards, count):
    """The colexicographic number of the first `count` of `cards`, which are put in increasing order."""
    for i in range(1, count):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card
    number = 0
    for i in range(count):
        number += CHOOSE[cards[i], i + 1]
    return number


@njit(cache=True, nogil=True)
def list_boards(size, codes, boards, weights, symmetries):
    """Number the boards of `size` cards up to suits, each class by its first member; returns how many there are.

    codes      : int32[C(52, size)], all -1, filled
    boards     : uint8[>= classes, size], weights : int32, members of each class
    symmetries : uint32, bit p set where permutation p keeps the board
    """
    cards = np.arange(size)
    image = np.empty(size, np.int64)
    found = 0
    for number in range(len(codes)):
        if codes[number] < 0:
            kept = 0
            for p in range(SYMMETRIES):
                for i in range(size):
                    image[i] = CARD[p, cards[i]]
                there = _number(image, size)
                if there == number:
                    kept += 1
                    symmetries[found] |= np.uint32(1) << np.uint32(p)
                if codes[there] < 0:
                    codes[there] = (found << CODE_SHIFT) | INVERSE[p]
            for i in range(size):
                boards[found, i] = cards[i]
            weights[found] = SYMMETRIES // kept
            found += 1
        place = 0
        while place + 1 < size and cards[place] + 1 == cards[place + 1]:
            cards[place] = place
            place += 1
        if size:
            cards[place] += 1
    return found


@njit(inline="always")
def _ordered(a, b):
    return min(a, b), max(a, b)


@intrinsic
def prefetch(typing_context, array, index):
    """Tell the processor that entry `index` of a contiguous array will be read soon."""

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        address = builder.bitcast(builder.gep(struct.data, [arguments[1]]), cgutils.voidptr_t)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, *(cgutils.int32_t,) * 3])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        builder.call(function, [address, cgutils.int32_t(0), cgutils.int32_t(3), cgutils.int32_t(1)])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate


@njit(cache=True, nogil=True)
def place_boards(boards, size, codes, out):
    """Write the code of the first `size` cards of each of uint8[n, >= size] `boards` to int32[n] `out`, -1 if none.

    Five cards are put in order by a sorting network, which has no branches to guess; absent ones come last. The codes
    of five cards are ten megabytes: they are sent for while the next boards are numbered, and read a block later.
    """
    for start in range(0, len(boards), BLOCK):
        stop = min(start + BLOCK, len(boards))
        for row in range(start, stop):
            a = np.int64(boards[row, 0]) if size > 0 else CARDS
            b = np.int64(boards[row, 1]) if size > 1 else CARDS
            c = np.int64(boards[row, 2]) if size > 2 else CARDS
            d = np.int64(boards[row, 3]) if size > 3 else CARDS
            e = np.int64(boards[row, 4]) if size > 4 else CARDS
            a, b = _ordered(a, b)
            d, e = _ordered(d, e)
            c, e = _ordered(c, e)
            c, d = _ordered(c, d)
            b, e = _ordered(b, e)
            a, d = _ordered(a, d)
            a, c = _ordered(a, c)
            b, d = _ordered(b, d)
            b, c = _ordered(b, c)
            last = a if size == 1 else b if size == 2 else c if size == 3 else d if size == 4 else e
            apart = ((a < b) | (size < 2)) & ((b < c) | (size < 3)) & ((c < d) | (size < 4)) & ((d < e) | (size < 5))
            if size and not (apart & (last < CARDS)):
                out[row] = -1
                continue
            number = CHOOSE[np.uint64(a), 1] if size > 0 else 0
            number += CHOOSE[np.uint64(b), 2] if size > 1 else 0
            number += CHOOSE[np.uint64(c), 3] if size > 2 else 0
            number += CHOOSE[np.uint64(d), 4] if size > 3 else 0
            number += CHOOSE[np.uint64(e), 5] if size > 4 else 0
            out[row] = number
            prefetch(codes, number)
        for row in range(start, stop):
            if out[row] >= 0:
                out[row] = codes[np.uint64(out[row])]


@njit(cache=True, nogil=True)
def extend_boards(boards, codes, out):
    """Write to int32[n, 52] `out` the code of each of uint8[n, k] `boards` with one more card, -1 where it has it."""
    size = boards.shape[1]
    cards = np.empty(size + 1, np.int64)
    for row in range(len(boards)):
        for card in range(CARDS):
            there = False
            for i in range(size):
                cards[i] = boards[row, i]
                there |= cards[i] == card
            cards[size] = card
            out[row, card] = -1 if there else codes[_number(cards, size + 1)]


@njit(cache=True, nogil=True)
def _sort_hands(values, board, keys, spare, counts):
    """Fill keys (int64[1326]) with value << 11 | pair of the hands on a board, weakest first; returns how many.

    values : int32[1326, boards], negative where hand and board share a card. Three rounds of a radix sort by 10 bits
    of the value, which has 30; counts : int64[1024].
    """
    held = 0
    for pair in range(PAIRS):
        value = np.int64(values[pair, board])
        if value >= 0:
            keys[held] = (value << 11) | pair
            held += 1
    for shift in (11, 21, 31):
        counts[:] = 0
        for i in range(held):
            counts[(keys[i] >> shift) & 1023] += 1
        total = 0
        for digit in range(1024):
            here = counts[digit]
            counts[digit] = total
            total += here
        for i in range(held):
            digit = (keys[i] >> shift) & 1023
            spare[counts[digit]] = keys[i]
            counts[digit] += 1
        keys[:held] = spare[:held]
    return held


@njit(cache=True, nogil=True)
def river_strengths(values, out):
    """Write 2 * wins + ties of every pair against the 990 hands left, uint16[boards, 1326], 0 for pairs not there.

    Hands are taken in order of value. Of the weaker ones, those that share a card are known by card, and no other
    hand has both cards: wins = weaker - weaker with the first card - weaker with the second.
    """
    keys, spare = np.empty(PAIRS, np.int64), np.empty(PAIRS, np.int64)
    counts = np.empty(1024, np.int64)
    holding = np.empty(CARDS, np.int64)
    for board in range(out.shape[0]):
        held = _sort_hands(values, board, keys, spare, counts)
        holding[:] = 0
        row = out[board]
        row[:] = 0
        begin = 0
        while begin < held:
            end = begin
            value = keys[begin] >> 11
            while end < held and keys[end] >> 11 == value:
                pair = keys[end] & 2047
                row[pair] = begin - holding[LOW[pair]] - holding[HIGH[pair]]
                end += 1
            for i in range(begin, end):
                pair = keys[i] & 2047
                holding[LOW[pair]] += 1
                holding[HIGH[pair]] += 1
            for i in range(begin, end):
                pair = keys[i] & 2047
                row[pair] += end - holding[LOW[pair]] - holding[HIGH[pair]] + 1  # it counts itself twice
            begin = end


@njit(cache=True, nogil=True)
def sum_rivers(extensions, strengths, sums, squares):
    """Add the strengths, and their squares, of every pair over the rivers of each turn board.

    extensions : int32[n, 52]    strengths : uint16[rivers, 1326]    sums, squares : uint32[n, 1326]
    """
    total, square = np.empty(PAIRS, np.uint32), np.empty(PAIRS, np.uint32)
    for board in range(extensions.shape[0]):
        total[:] = 0
        square[:] = 0
        for card in range(CARDS):
            code = extensions[board, card]
            if code < 0:
                continue
            row, image = strengths[code >> CODE_SHIFT], PAIR[code & CODE_MASK]
            for pair in range(PAIRS):
                value = np.uint32(row[np.uint16(image[pair])])
                total[pair] += value
                square[pair] += value * value
        sums[board] = total
        squares[board] = square


@njit(cache=True, nogil=True)
def sum_turns(extensions, turns, out):
    """Add turn sums, uint32[turns, 1326], over the turns of each flop; two cards come in either order, so halve."""
    total = np.empty(PAIRS, np.int64)
    for board in range(extensions.shape[0]):
        total[:] = 0
        for card in range(CARDS):
            code = extensions[board, card]
            if code < 0:
                continue
            row, image = turns[code >> CODE_SHIFT], PAIR[code & CODE_MASK]
            for pair in range(PAIRS):
                total[pair] += row[np.uint16(image[pair])]
        for pair in range(PAIRS):
            out[board, pair] = total[pair] // 2


@njit(cache=True, nogil=True)
def count_classes(boards, weights, strengths, classes, counts):
    """Count, int64[169, 1981], the rivers on which hands of each class of starting hands have each strength.

    Every member of a class and of a board's orbit is counted: divide by the members of the class.
    """
    blocked = np.empty(CARDS, np.bool_)
    for board in range(len(boards)):
        blocked[:] = False
        for card in boards[board]:
            blocked[card] = True
        row, weight = strengths[board], weights[board]
        for pair in range(PAIRS):
            if not (blocked[LOW[pair]] or blocked[HIGH[pair]]):
                counts[classes[pair], row[pair]] += weight


@njit(cache=True, nogil=True)
def list_free(board, also, free):
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
def _add_river(row, image, before, free, left, counts):
    """Count the bin of each free pair's strength on one river: `before` names the pair as the board before calls it."""
    for i in range(left):
        base = free[i] * (free[i] - 1) >> 1
        for j in range(i):
            pair = np.uint32(base + free[j])
            counts[pair, BIN[row[np.uint16(image[np.uint16(before[pair])])]]] += 1


@njit(cache=True, nogil=True)
def _cumulate(counts, total, top, out):
    """Write the distribution function, less its last value, of counts int32[1326, 50] to uint8[1326, >= 50] `out`."""
    for pair in range(PAIRS):
        below = 0
        for b in range(BINS - 1):
            below += counts[pair, b]
            out[pair, b] = (below * top + total // 2) // total


@njit(cache=True, nogil=True)
def cumulate_turns(rows, boards, extensions, strengths, top, out):
    """Fill uint8[n, 1326, >= 50] `out`: the distribution of river strength of each pair on turn boards `rows`.

    Entry b is the share of rivers in bins 0 .. b, as a number up to `top`. Pairs that are not there mean nothing.
    """
    free = np.empty(CARDS, np.int64)
    counts = np.empty((PAIRS, BINS), np.int32)
    for i in range(len(rows)):
        counts[:] = 0
        for river in range(CARDS):
            code = extensions[rows[i], river]
            if code >= 0:
                left = list_free(boards[rows[i]], river, free)
                _add_river(strengths[code >> CODE_SHIFT], PAIR[code & CODE_MASK], PAIR[0], free, left, counts)
        _cumulate(counts, 46, top, out[i])


@njit(cache=True, nogil=True)
def cumulate_flops(rows, boards, turn_codes, river_codes, strengths, top, out):
    """As `cumulate_turns` for flops: turn_codes int32[flops, 52] and river_codes int32[turns, 52] extend the boards."""
    free = np.empty(CARDS, np.int64)
    dealt = np.empty(boards.shape[1] + 1, np.int64)
    counts = np.empty((PAIRS, BINS), np.int32)
    for i in range(len(rows)):
        counts[:] = 0
        dealt[:-1] = boards[rows[i]]
        for turn in range(CARDS):
            code = turn_codes[rows[i], turn]
            if code < 0:
                continue
            dealt[-1] = turn
            suits, before = CARD[code & CODE_MASK], PAIR[code & CODE_MASK]
            for river in range(turn + 1, CARDS):  # two cards in one of their two orders
                last = river_codes[code >> CODE_SHIFT, suits[river]]
                if last >= 0:
                    left = list_free(dealt, river, free)
                    _add_river(strengths[last >> CODE_SHIFT], PAIR[last & CODE_MASK], before, free, left, counts)
        _cumulate(counts, 1081, top, out[i])


@njit(cache=True, nogil=True)
def opponent_strengths(values, clusters, top, out):
    """Fill int16[n, 1326, 8] `out`: strength of every pair against the hands of each cluster, ties half, up to `top`.

    values : int32[1326, n], of hands on boards, negative where they share a card    clusters : int64[1326]
    As in `river_strengths`, with counts by cluster.
    """
    keys, spare = np.empty(PAIRS, np.int64), np.empty(PAIRS, np.int64)
    counts = np.empty(1024, np.int64)
    holding, everybody = np.empty((CARDS, OPPONENTS), np.int32), np.empty((CARDS, OPPONENTS), np.int32)
    seen, total = np.empty(OPPONENTS, np.int32), np.empty(OPPONENTS, np.int32)
    for board in range(out.shape[0]):
        held = _sort_hands(values, board, keys, spare, counts)
        row = out[board]
        row[:] = 0
        total[:] = 0
        everybody[:] = 0
        for i in range(held):
            pair = keys[i] & 2047
            total[clusters[pair]] += 1
            everybody[LOW[pair], clusters[pair]] += 1
            everybody[HIGH[pair], clusters[pair]] += 1
        seen[:] = 0
        holding[:] = 0
        begin = 0
        while begin < held:
            end = begin
            value = keys[begin] >> 11
            while end < held and keys[end] >> 11 == value:
                pair = keys[end] & 2047
                a, b = LOW[pair], HIGH[pair]
                for k in range(OPPONENTS):
                    row[pair, k] = seen[k] - holding[a, k] - holding[b, k]
                end += 1
            for i in range(begin, end):
                pair = keys[i] & 2047
                seen[clusters[pair]] += 1
                holding[LOW[pair], clusters[pair]] += 1
                holding[HIGH[pair], clusters[pair]] += 1
            for i in range(begin, end):
                pair = keys[i] & 2047
                a, b, own = LOW[pair], HIGH[pair], clusters[pair]
                for k in range(OPPONENTS):
                    itself = k == own
                    others = total[k] - everybody[a, k] - everybody[b, k] + itself
                    wins = row[pair, k] + (seen[k] - holding[a, k] - holding[b, k] + itself)
                    row[pair, k] = (2 * wins * top + 2 * others) // (4 * others) if others > 0 else (top + 1) // 2
            begin = end
