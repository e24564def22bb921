"""The value of one hand, in plain Python: what a showdown asks for, without waiting for a compiler.

Every step works on sets of ranks held in integers, one per suit, so no hand is ever sorted and no table is
built at import. The kernels compute the same values for millions of hands at once.
"""

from collections.abc import Sequence

from kibitz.errors import CardError
from kibitz.evaluator.values import (
    CATEGORY_SHIFT,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    PAIR,
    PRIMARY_SHIFT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_FLUSH,
    THREE_HIGH_CARD,
    THREE_OF_A_KIND,
    THREE_PAIR,
    THREE_STRAIGHT,
    THREE_STRAIGHT_FLUSH,
    THREE_TRIPS,
    TWO_PAIR,
    check_ranking,
)

# A dictionary refuses what is no card (a list would take -1), at the same speed.
_BIT: dict[int, int] = {card: 1 << (16 * (card & 3) + (card >> 2)) for card in range(52)}
_RANKS = 0x1FFF

_PAIR = PAIR << CATEGORY_SHIFT
_TWO_PAIR = TWO_PAIR << CATEGORY_SHIFT
_THREE_OF_A_KIND = THREE_OF_A_KIND << CATEGORY_SHIFT
_STRAIGHT = STRAIGHT << CATEGORY_SHIFT
_FLUSH = FLUSH << CATEGORY_SHIFT
_FULL_HOUSE = FULL_HOUSE << CATEGORY_SHIFT
_FOUR_OF_A_KIND = FOUR_OF_A_KIND << CATEGORY_SHIFT
_STRAIGHT_FLUSH = STRAIGHT_FLUSH << CATEGORY_SHIFT


def evaluate(cards: Sequence[int], ranking: str = "standard") -> int:
    """The value of the hand `cards`: a larger value wins, equal values split.

    `standard` takes one to seven cards and counts the best five of them. Straights and flushes need five
    cards, so one card (Kuhn) is a high card and two (Leduc) a high card or a pair; the ace also plays low in
    A2345. `three-card` (Rhode Island) takes exactly three: straight flush, three of a kind, straight, flush,
    pair, high card; the ace also plays low in A23. Values compare between hands of as many cards.

    >>> from kibitz.cards import parse_cards
    >>> evaluate(parse_cards("AsAh")) > evaluate(parse_cards("AsKs"))
    True
    """
    mask = 0
    try:
        for card in cards:
            mask |= _BIT[card]
    except (KeyError, TypeError):
        raise CardError(f"{cards!r} is not a hand: cards are integers from 0 (2c) to 51 (As)") from None
    size = len(cards)
    if mask.bit_count() != size:
        raise CardError(f"{cards!r} names a card twice")
    clubs = mask & _RANKS
    diamonds = mask >> 16 & _RANKS
    hearts = mask >> 32 & _RANKS
    spades = mask >> 48
    if ranking == "standard":
        if not 1 <= size <= 7:
            raise CardError(f"{size} cards: the standard ranking takes one to seven")
        return _standard(clubs, diamonds, hearts, spades)
    check_ranking(ranking)
    if size != 3:
        raise CardError(f"{size} cards: the three-card ranking takes exactly three")
    return _three_card(clubs, diamonds, hearts, spades)


def _standard(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    ranks = clubs | diamonds | hearts | spades
    distinct = ranks.bit_count()
    if distinct >= 5:
        for suit in (clubs, diamonds, hearts, spades):
            if suit.bit_count() >= 5:
                straight = _straight(suit)
                return _STRAIGHT_FLUSH | straight if straight else _FLUSH | _highest(suit, 5)
        straight = _straight(ranks)
        if straight:
            return _STRAIGHT | straight

    either, other = clubs | diamonds, hearts | spades
    both, others = clubs & diamonds, hearts & spades
    repeated = both | others | (either & other)
    if not repeated:
        return _highest(ranks, 5)
    several = both & other | others & either  # three or four of the rank
    if not several:
        pairs = _highest(repeated, 2)
        if pairs & (pairs - 1):
            return _TWO_PAIR | pairs << PRIMARY_SHIFT | _highest(ranks ^ pairs, 1)
        return _PAIR | pairs << PRIMARY_SHIFT | _highest(ranks ^ pairs, 3)
    four = both & others
    if four:
        return _FOUR_OF_A_KIND | four << PRIMARY_SHIFT | _highest(ranks ^ four, 1)
    three = _highest(several, 1)
    repeated ^= three
    if repeated:
        return _FULL_HOUSE | three << PRIMARY_SHIFT | _highest(repeated, 1)
    return _THREE_OF_A_KIND | three << PRIMARY_SHIFT | _highest(ranks ^ three, 2)


def _three_card(clubs: int, diamonds: int, hearts: int, spades: int) -> int:
    ranks = clubs | diamonds | hearts | spades
    distinct = ranks.bit_count()
    if distinct == 1:
        return THREE_TRIPS << CATEGORY_SHIFT | ranks << PRIMARY_SHIFT
    if distinct == 2:
        odd = clubs ^ diamonds ^ hearts ^ spades  # the rank held once; a pair cancels out
        return THREE_PAIR << CATEGORY_SHIFT | (ranks ^ odd) << PRIMARY_SHIFT | odd
    with_low_ace = ranks << 1 | ranks >> 12
    straight = ranks & with_low_ace & with_low_ace << 1
    flush = ranks in (clubs, diamonds, hearts, spades)
    if straight:
        return (THREE_STRAIGHT_FLUSH if flush else THREE_STRAIGHT) << CATEGORY_SHIFT | straight << PRIMARY_SHIFT
    return (THREE_FLUSH if flush else THREE_HIGH_CARD) << CATEGORY_SHIFT | ranks


def _straight(ranks: int) -> int:
    """The highest rank of the best straight in `ranks`, as the `primary` field; 0 where there is none."""
    low = ranks << 1 | ranks >> 12  # the ace counts below the two as well
    low &= low << 1
    tops = ranks & low & low << 2
    return 1 << (tops.bit_length() - 1 + PRIMARY_SHIFT) if tops else 0


def _highest(ranks: int, count: int) -> int:
    """The `count` highest ranks of `ranks`, or all of them where there are fewer."""
    for _ in range(ranks.bit_count() - count):
        ranks &= ranks - 1
    return ranks
