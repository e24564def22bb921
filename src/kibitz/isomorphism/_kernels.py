"""Indexing and un-indexing by the million. Rows are hands; tables are those of `_tables`.

Ranks are counted from the deck's lowest. A set of cards is one integer with sixteen bits a suit.
"""

from math import comb

import numpy as np
from numba import types
from numba.extending import intrinsic

from kibitz.compiling import njit

SUITS = 4
RANKS = 13
CLASS_SHIFT = 58  # a suit's sort key: the class of its shape above, the number of its rank sequence below
NUMBER_MASK = (1 << CLASS_SHIFT) - 1

CHOOSE = np.array([[comb(n, k) for k in range(RANKS + 1)] for n in range(RANKS + 1)], dtype=np.int64)
# [rank, smaller ranks in the set] = C(rank, place), the term of a rank in the colexicographic number of a set.
SUBSET_TERM = np.array([[comb(rank, below + 1) for below in range(RANKS)] for rank in range(RANKS)], dtype=np.int64)
# All rank sets by size, then by number: colexicographic order is the numeric order of the bits.
_SIZES = np.array([subset.bit_count() for subset in range(1 << RANKS)])
SUBSETS = np.argsort(_SIZES, kind="stable").astype(np.int64)
SUBSET_STARTS = np.searchsorted(_SIZES[SUBSETS], np.arange(RANKS + 1))

# numba tests signed subscripts and divisors for their sign; unsigned ones save a tenth to a fifth of the time.
unsigned = np.uint64


@intrinsic
def popcount(typing_context, bits):
    """How many bits of a 64-bit integer are set, as the processor counts them."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@njit(cache=True, inline="always")
def _multisets(value, size):
    """C(value + size - 1, size) for a size of 1 to 4."""
    if size == 1:
        return value
    if size == 2:
        return value * (value + 1) >> 1
    if size == 3:
        return value * (value + 1) * (value + 2) // 6
    return value * (value + 1) * (value + 2) * (value + 3) // 24


@njit(cache=True, inline="always")
def _greatest(number, size):
    """The greatest element of multiset `number` of `size` elements: the last value with _multisets <= number."""
    if size == 1:
        return number
    if size == 2:
        value = np.int64(np.sqrt(2.0 * number))
    elif size == 3:
        value = np.int64(np.cbrt(6.0 * number))
    else:
        value = np.int64(np.sqrt(np.sqrt(24.0 * number)))
    # The root overshoots by at most size / 2 and a rounding; walk down, then up if the rounding fell short.
    while _multisets(value, size) > number:
        value -= 1
    while _multisets(value + 1, size) <= number:
        value += 1
    return value


@njit(cache=True, nogil=True, error_model="numpy")
def index_rows(cards, deal, configuration, first_suit, lowest_rank, out):
    """Write the index of each row of uint8[n, k] `cards` to int64[n] `out`, -1 for a row that is no hand."""
    (starts, suit_weights, compositions, key_starts, composition_of_key, radix_starts, radices, states) = deal
    offsets, strides, multiplicity = configuration[0], configuration[1], configuration[2]
    streets = len(starts) - 1
    numbers = np.zeros(SUITS, dtype=np.int64)
    for row in range(len(cards)):
        used = np.int64(0)
        state = np.int64(0)
        good = True
        for suit in range(SUITS):
            numbers[suit] = 0
        for street in range(streets):
            group = np.int64(0)
            key = key_starts[street]
            for place in range(starts[street], starts[street + 1]):
                card = np.int64(cards[row, place])
                suit = card & 3
                rank = (card >> 2) - lowest_rank
                if rank < 0 or card >= SUITS * RANKS or suit < first_suit:
                    good = False
                    break
                bit = 1 << (16 * suit + rank)
                if (used | group) & bit:
                    good = False
                    break
                group |= bit
                key += suit_weights[street, unsigned(suit)]
            if not good:
                break
            before = unsigned(radix_starts[street] + state)
            for place in range(starts[street], starts[street + 1]):
                card = np.int64(cards[row, place])
                suit = card & 3
                rank = (card >> 2) - lowest_rank
                below = (1 << rank) - 1
                free_rank = unsigned(rank - popcount(used >> (16 * suit) & below))
                smaller = unsigned(popcount(group >> (16 * suit) & below))
                numbers[unsigned(suit)] += radices[before, unsigned(suit)] * SUBSET_TERM[free_rank, smaller]
            used |= group
            state = state * compositions[street] + composition_of_key[unsigned(key)]
        if not good:
            out[row] = -1
            continue
        packed = np.int64(states[unsigned(state)])
        a = numbers[0] | (packed & 3) << CLASS_SHIFT
        b = numbers[1] | (packed >> 2 & 3) << CLASS_SHIFT
        c = numbers[2] | (packed >> 4 & 3) << CLASS_SHIFT
        d = numbers[3] | (packed >> 6 & 3) << CLASS_SHIFT
        # Sort the four decreasingly: shapes by class, equal shapes by number.
        a, b = max(a, b), min(a, b)
        c, d = max(c, d), min(c, d)
        a, c = max(a, c), min(a, c)
        b, d = max(b, d), min(b, d)
        b, c = max(b, c), min(b, c)
        a &= NUMBER_MASK
        b &= NUMBER_MASK
        c &= NUMBER_MASK
        d &= NUMBER_MASK
        which = unsigned(packed >> 8)
        if multiplicity[which, SUITS] <= 2:  # nearly always; written so that it compiles without a branch
            a = a * (a + 1) >> 1 if multiplicity[which, 0] == 2 else a
            b = b * (b + 1) >> 1 if multiplicity[which, 1] == 2 else b
            c = c * (c + 1) >> 1 if multiplicity[which, 2] == 2 else c
        else:
            a = _multisets(a, multiplicity[which, 0])
            b = _multisets(b, multiplicity[which, 1])
            c = _multisets(c, multiplicity[which, 2])
        out[row] = (
            offsets[which]
            + strides[which, 0] * a
            + strides[which, 1] * b
            + strides[which, 2] * c
            + strides[which, 3] * d
        )


@njit(cache=True, inline="always")
def _quotient(number, divisor):
    """number // divisor of naturals."""
    return np.int64(unsigned(number) // unsigned(divisor))


@njit(cache=True, inline="always")
def _configuration_of_index(offsets, index):
    """The last configuration whose offset does not exceed `index`."""
    low, high = 0, len(offsets)
    while high - low > 1:
        middle = (low + high) >> 1
        if offsets[middle] <= index:
            low = middle
        else:
            high = middle
    return low


@njit(cache=True, inline="always")
def _sequence_numbers(rest, which, multiplicity, group_sizes, numbers):
    """Write the number of each suit's rank sequence, for hand `rest` of configuration `which`."""
    number = np.int64(0)
    for place in range(SUITS):
        size = group_sizes[which, place]
        if size:
            number = rest
            rest = _quotient(rest, size)
            number -= rest * size
        left = np.int64(multiplicity[which, place])
        value = _greatest(number, left)
        number -= _multisets(value, left)
        numbers[place] = value


@njit(cache=True, inline="always")
def _spread(subset, used):
    """The ranks that `subset` means when it is counted among the ranks not in `used`."""
    while used:
        below = (used & -used) - 1
        subset = (subset & below) | (subset & ~below) << 1
        used &= used - 1
    return subset


@njit(cache=True, nogil=True, error_model="numpy")
def unindex_rows(indices, starts, configuration, lowest_rank, out):
    """Write the canonical hand of each index to a row of uint8[n, k] `out`, each street greatest card first."""
    offsets, _, multiplicity, group_sizes, shapes, _ = configuration
    streets = len(starts) - 1
    numbers = np.zeros(SUITS, dtype=np.int64)
    ends = np.zeros(streets, dtype=np.int64)
    for row in range(len(indices)):
        which = _configuration_of_index(offsets, indices[row])
        _sequence_numbers(indices[row] - offsets[which], which, multiplicity, group_sizes, numbers)
        ends[:] = starts[:-1]
        for place in range(SUITS):
            number = numbers[place]
            used = np.int64(0)
            free = RANKS - lowest_rank
            for street in range(streets):
                size = np.int64(shapes[which, place, street])
                if size == 0:
                    continue
                choices = CHOOSE[free, size]
                quotient = _quotient(number, choices)
                digit = number - quotient * choices
                number = quotient
                subset = _spread(SUBSETS[unsigned(SUBSET_STARTS[size] + digit)], used)
                free -= size
                used |= subset
                while subset:
                    rank = popcount((subset & -subset) - 1) + lowest_rank
                    subset &= subset - 1
                    card = np.uint8(4 * rank + SUITS - 1 - place)
                    spot = ends[street]
                    while spot > starts[street] and out[row, spot - 1] < card:
                        out[row, spot] = out[row, spot - 1]
                        spot -= 1
                    out[row, spot] = card
                    ends[street] += 1


@njit(cache=True, nogil=True, error_model="numpy")
def orbit_rows(indices, configuration, suits, out):
    """Write suits! over the permutations that keep the hand, for each index, to int64[n] `out`."""
    offsets, _, multiplicity, group_sizes, _, alike = configuration
    numbers = np.zeros(SUITS, dtype=np.int64)
    for row in range(len(indices)):
        which = _configuration_of_index(offsets, indices[row])
        _sequence_numbers(indices[row] - offsets[which], which, multiplicity, group_sizes, numbers)
        permutations, keeping, run = 1, 1, 1
        for place in range(1, suits):
            run = run + 1 if alike[which, place] and numbers[place] == numbers[place - 1] else 1
            keeping *= run
            permutations *= place + 1
        out[row] = permutations // keeping
