"""Values of many hands at once, without tables: the hand is four sets of ranks, one per suit.

A block of hands is laid out as four arrays of 16-bit rank sets, and every step is the same few logical
operations on all of them, with choices instead of branches, so the compiler turns the loop into vector
instructions that treat 16 or 32 hands together. Nothing depends on how random the hands are, and there are
no tables to build, to load, or to miss in the cache. `scalar.py` explains the values.

Up to seven cards bound everything that could repeat: at most one suit has five cards, a flush leaves no room
for a full house or four of a kind, and no set ever has more than two ranks too many, so the lowest is dropped
at most twice.
"""

import numpy as np
from numba import int32, types, uint16, uint32, uint64
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.compiling import njit

BLOCK = 512  # hands per block: its arrays stay in the first-level cache

_ZERO, _ONE, _FIVE = uint16(0), uint16(1), uint16(5)
_BYTE = uint64(0xFF)
_NOTHING = uint64(0)
_DECK = uint64(0x1FFF_1FFF_1FFF_1FFF)


@intrinsic
def _popcount(typing_context, number):
    """The number of bits set in an integer, in its own type."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return number(number), generate


@intrinsic
def _load_word(typing_context, array, offset):
    """Eight bytes of a contiguous uint8 array from any offset, as one uint64 (first byte lowest)."""

    def generate(context, builder, signature, arguments):
        struct = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(struct.data, [arguments[1]])
        word = builder.bitcast(pointer, cgutils.intp_t.as_pointer())
        return builder.load(word, align=1)

    return types.uint64(array, types.intp), generate


@njit(forceinline=True)
def _without_lowest(ranks):
    return uint16(ranks & uint16(ranks - _ONE))


@njit(forceinline=True)
def _fields(clubs, diamonds, hearts, spades):
    """Category, primary and kickers of one hand of one to seven cards (layout: `values.py`)."""
    ranks = uint16(clubs | diamonds | hearts | spades)

    # How often each rank is held: add the four one-bit suits rank by rank.
    sum_low, carry_low = uint16(clubs ^ diamonds), uint16(clubs & diamonds)
    sum_high, carry_high = uint16(hearts ^ spades), uint16(hearts & spades)
    odd = uint16(sum_low ^ sum_high)
    four = uint16(carry_low & carry_high)
    two_or_three = uint16(uint16(carry_low | carry_high | uint16(sum_low & sum_high)) & uint16(~four))
    trips = uint16(odd & two_or_three)
    pairs = uint16(two_or_three & uint16(~odd))

    flush = clubs if _popcount(clubs) >= _FIVE else _ZERO
    flush = diamonds if _popcount(diamonds) >= _FIVE else flush
    flush = hearts if _popcount(hearts) >= _FIVE else flush
    flush = spades if _popcount(spades) >= _FIVE else flush
    has_flush = flush != _ZERO

    # A straight counts inside the flush, or anywhere where there is none.
    suited = flush if has_flush else ranks
    low = uint16(uint16(suited << uint16(1)) | uint16(suited >> uint16(12)))  # the ace below the two
    low = uint16(low & uint16(low << uint16(1)))
    tops = uint16(suited & low & uint16(low << uint16(2)))  # at most three of them
    lower_top = _without_lowest(tops)
    tops = lower_top if lower_top else tops
    lower_top = _without_lowest(tops)
    tops = lower_top if lower_top else tops
    has_straight = tops != _ZERO

    other_trips = _without_lowest(trips)
    best_trips = other_trips if other_trips else trips
    upper_pairs = _without_lowest(pairs)
    best_pairs = upper_pairs if _without_lowest(upper_pairs) else pairs
    best_pair = upper_pairs if upper_pairs else pairs  # beside three of a kind there are at most two pairs
    worse_trips = uint16(trips ^ best_trips)
    filling = worse_trips if worse_trips else best_pair
    has_pair = pairs != _ZERO
    has_two_pair = upper_pairs != _ZERO
    has_trips = trips != _ZERO
    has_full_house = has_trips & (filling != _ZERO)
    has_four = four != _ZERO

    # From the commonest to the rarest: a later line overrules an earlier one.
    category = uint16(1) if has_pair else _ZERO
    wanted = uint16(3) if has_pair else _FIVE
    category = uint16(2) if has_two_pair else category
    wanted = uint16(1) if has_two_pair else wanted
    category = uint16(3) if has_trips else category
    wanted = uint16(2) if has_trips else wanted
    primary = best_trips if has_trips else best_pairs
    wanted = uint16(1) if has_four else wanted
    primary = four if has_four else primary
    kickers = uint16(ranks & uint16(~primary))

    wanted = _FIVE if has_flush else wanted
    kickers = flush if has_flush else kickers
    primary = _ZERO if has_flush else primary
    category = _FIVE if has_flush else category

    held = _popcount(kickers)
    fewer = _without_lowest(kickers)
    fewest = _without_lowest(fewer)
    kickers = fewer if held > wanted else kickers
    kickers = fewest if held > uint16(wanted + _ONE) else kickers

    category = (uint16(8) if has_flush else uint16(4)) if has_straight else category
    primary = tops if has_straight else primary
    kickers = _ZERO if has_straight else kickers
    category = uint16(6) if has_full_house else category
    primary = best_trips if has_full_house else primary
    kickers = filling if has_full_house else kickers
    category = uint16(7) if has_four else category
    return category, primary, kickers


@njit(forceinline=True)
def hand_value(mask):
    """The value of one hand of one to seven cards, uint64, for kernels that meet hands one at a time."""
    category, primary, kickers = _fields(
        uint16(mask), uint16(mask >> uint64(16)), uint16(mask >> uint64(32)), uint16(mask >> uint64(48))
    )
    return int32(uint32(category) << uint32(26) | uint32(primary) << uint32(13) | uint32(kickers))


@njit(cache=True, nogil=True)
def _evaluate_block(scratch, added):
    """Values of BLOCK hands: scratch[0:4] are the suits' rank sets, scratch[4:6] receive high and low halves.

    scratch : uint16[6, BLOCK]     added : uint64, cards that join every hand
    """
    more_clubs, more_diamonds = uint16(added), uint16(added >> uint64(16))
    more_hearts, more_spades = uint16(added >> uint64(32)), uint16(added >> uint64(48))
    clubs, diamonds, hearts, spades = scratch[0], scratch[1], scratch[2], scratch[3]
    high, low = scratch[4], scratch[5]
    for i in range(BLOCK):
        category, primary, kickers = _fields(
            uint16(clubs[i] | more_clubs),
            uint16(diamonds[i] | more_diamonds),
            uint16(hearts[i] | more_hearts),
            uint16(spades[i] | more_spades),
        )
        high[i] = uint16(uint16(category << uint16(10)) | uint16(primary >> uint16(3)))
        low[i] = uint16(uint16(primary << uint16(13)) | kickers)


@njit(cache=True, nogil=True)
def _split_suits(masks, scratch):
    """Fill scratch[0:4] with the rank sets of masks (uint64[n])."""
    clubs, diamonds, hearts, spades = scratch[0], scratch[1], scratch[2], scratch[3]
    for i in range(masks.shape[0]):
        mask = masks[i]
        clubs[i] = uint16(mask)
        diamonds[i] = uint16(mask >> uint64(16))
        hearts[i] = uint16(mask >> uint64(32))
        spades[i] = uint16(mask >> uint64(48))


@njit(cache=True, nogil=True)
def _join_halves(scratch, values):
    high, low = scratch[4], scratch[5]
    for i in range(values.shape[0]):
        values[i] = int32(uint32(uint32(high[i]) << uint32(16)) | uint32(low[i]))


@njit(cache=True, nogil=True)
def _are_hands(masks):
    """Whether every mask is a set of one to seven cards."""
    strange = uint64(0)
    for i in range(masks.shape[0]):
        mask = masks[i]
        strange |= mask & ~_DECK
        strange |= uint64(uint64(_popcount(mask) - uint64(1)) > uint64(6))
    return strange == uint64(0)


@njit(cache=True, nogil=True)
def masks_standard(masks, values):
    """Fill values (int32[n]) for masks (uint64[n]); False where a mask is not a set of one to seven cards."""
    scratch = np.zeros((6, BLOCK), dtype=np.uint16)
    for start in range(0, masks.shape[0], BLOCK):
        stop = min(start + BLOCK, masks.shape[0])
        block = masks[start:stop]
        if not _are_hands(block):
            return False
        _split_suits(block, scratch)
        _evaluate_block(scratch, _NOTHING)
        _join_halves(scratch, values[start:stop])
    return True


@njit(cache=True, nogil=True)
def _load_words(cards, width, start, words):
    """Fill words (uint64[n]) with the bytes of hands start, start + 1, ...; what lies above is the next hand's."""
    count = words.shape[0]
    safe = min(max((cards.shape[0] - 8) // width + 1 - start, 0), count)
    for i in range(safe):
        words[i] = _load_word(cards, (start + i) * width)
    for i in range(safe, count):  # the last hands of the array have no eight bytes left to read
        word = uint64(0)
        for k in range(width):
            word |= uint64(cards[(start + i) * width + k]) << uint64(8 * k)
        words[i] = word


@njit(cache=True, nogil=True)
def _pack_masks(words, width, masks):
    """Turn words of card bytes (uint64[n]) into masks (uint64[n]); False where a word is not `width` cards.

    Every hand is read as seven bytes, which the compiler unrolls: a shorter one repeats its first card.
    """
    used = ~uint64(0) >> uint64(64 - 8 * width)
    repeat = uint64(0x0001_0101_0101_0101) & ~used
    top_bits = uint64(0x0080_8080_8080_8080)
    size = uint64(width)
    strange = uint64(0)
    for i in range(words.shape[0]):
        word = words[i] & used
        word |= (word & _BYTE) * repeat
        # A byte of 52 or more has its top bit set, or gets it when 128 - 52 = 76 is added.
        strange |= (word | ((word & ~top_bits) + uint64(0x004C_4C4C_4C4C_4C4C))) & top_bits
        places = ((word & uint64(0x0003_0303_0303_0303)) << uint64(4)) | (
            (word >> uint64(2)) & uint64(0x000F_0F0F_0F0F_0F0F)
        )
        mask = uint64(0)
        for k in range(7):
            mask |= uint64(1) << ((places >> uint64(8 * k)) & uint64(63))
        strange |= _popcount(mask) ^ size
        masks[i] = mask
    return strange == uint64(0)


@njit(cache=True, nogil=True)
def batch_standard(cards, width, values):
    """Fill values (int32[n]) for cards (uint8[n * width], width 1-7); False where a row is not a hand."""
    scratch = np.zeros((6, BLOCK), dtype=np.uint16)
    words = np.empty(BLOCK, dtype=np.uint64)
    masks = np.empty(BLOCK, dtype=np.uint64)
    for start in range(0, values.shape[0], BLOCK):
        stop = min(start + BLOCK, values.shape[0])
        block = masks[: stop - start]
        _load_words(cards, width, start, words[: stop - start])
        if not _pack_masks(words[: stop - start], width, block):
            return False
        _split_suits(block, scratch)
        _evaluate_block(scratch, _NOTHING)
        _join_halves(scratch, values[start:stop])
    return True


@njit(cache=True, nogil=True)
def boards_standard(boards, holes, values):
    """Fill values (int32[h, n]): holes[j] (uint64[h]) on boards[i] (uint64[n]), -1 where they share a card."""
    scratch = np.zeros((6, BLOCK), dtype=np.uint16)
    for start in range(0, boards.shape[0], BLOCK):
        block = boards[start : min(start + BLOCK, boards.shape[0])]
        _split_suits(block, scratch)
        touched = _union(block)
        for j in range(holes.shape[0]):
            hole = holes[j]
            filled = values[j, start : start + block.shape[0]]
            _evaluate_block(scratch, hole)
            _join_halves(scratch, filled)
            if touched & hole:
                _strike_out(block, hole, filled)


@njit(cache=True, nogil=True)
def _union(masks):
    union = uint64(0)
    for i in range(masks.shape[0]):
        union |= masks[i]
    return union


@njit(cache=True, nogil=True)
def _strike_out(boards, hole, values):
    """Set to -1 the values on boards (uint64[n]) that have a card of `hole`."""
    for i in range(boards.shape[0]):
        values[i] = int32(-1) if boards[i] & hole else values[i]


@njit(cache=True, nogil=True)
def pack_cards(cards, width, masks):
    """Fill masks (uint64[n]) for cards (uint8[n * width], width 1-7); False where a row is not a hand."""
    _load_words(cards, width, 0, masks)
    return _pack_masks(masks, width, masks)


@njit(cache=True, nogil=True)
def masks_three_card(masks, values):
    """Fill values (int32[n]) for masks (uint64[n]); False where a mask is not a set of three cards."""
    for i in range(masks.shape[0]):
        mask = masks[i]
        if mask & ~_DECK or _popcount(mask) != uint64(3):
            return False
        clubs, diamonds = uint16(mask), uint16(mask >> uint64(16))
        hearts, spades = uint16(mask >> uint64(32)), uint16(mask >> uint64(48))
        ranks = uint16(clubs | diamonds | hearts | spades)
        odd = uint16(clubs ^ diamonds ^ hearts ^ spades)
        distinct = _popcount(ranks)
        low = uint16(uint16(ranks << uint16(1)) | uint16(ranks >> uint16(12)))
        straight = uint16(ranks & low & uint16(low << uint16(1)))
        flush = (ranks == clubs) | (ranks == diamonds) | (ranks == hearts) | (ranks == spades)
        if distinct == uint16(1):
            category, primary, kickers = 20, ranks, _ZERO
        elif distinct == uint16(2):
            category, primary, kickers = 17, uint16(ranks ^ odd), odd
        elif straight != _ZERO:
            category, primary, kickers = (21 if flush else 19), straight, _ZERO
        else:
            category, primary, kickers = (18 if flush else 16), _ZERO, ranks
        values[i] = int32((category << 26) | (int32(primary) << 13) | int32(kickers))
    return True
