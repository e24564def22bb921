"""What a hand's value means: its layout and its category.

A value is a 31-bit integer made of three fields, compared as one number:

    category << 26  |  primary << 13  |  kickers

`primary` and `kickers` are sets of ranks (bit r is rank r, 2 = bit 0 ... ace = bit 12): the ranks that make
the category, and those that decide between two equal ones. Two sets of the same size compare as integers
exactly as their ranks compare from the highest down, so nothing needs sorting. Straights keep only their
highest rank in `primary` (A2345 is the five); flushes and high cards have everything in `kickers`.

The three-card categories (Rhode Island hold'em) have numbers of their own, so a value says its ranking.
"""

from typing import Literal, get_args

from kibitz.errors import CardError

Ranking = Literal["standard", "three-card"]
RANKINGS: tuple[str, ...] = get_args(Ranking)

CATEGORY_SHIFT = 26
PRIMARY_SHIFT = 13

HIGH_CARD, PAIR, TWO_PAIR, THREE_OF_A_KIND, STRAIGHT = range(5)
FLUSH, FULL_HOUSE, FOUR_OF_A_KIND, STRAIGHT_FLUSH = range(5, 9)
# With three cards a flush is commoner than a straight, and a straight commoner than three of a kind.
THREE_HIGH_CARD, THREE_PAIR, THREE_FLUSH, THREE_STRAIGHT, THREE_TRIPS, THREE_STRAIGHT_FLUSH = range(16, 22)

CATEGORIES: dict[int, str] = {
    HIGH_CARD: "high card",
    PAIR: "pair",
    TWO_PAIR: "two pair",
    THREE_OF_A_KIND: "three of a kind",
    STRAIGHT: "straight",
    FLUSH: "flush",
    FULL_HOUSE: "full house",
    FOUR_OF_A_KIND: "four of a kind",
    STRAIGHT_FLUSH: "straight flush",
    THREE_HIGH_CARD: "high card",
    THREE_PAIR: "pair",
    THREE_FLUSH: "flush",
    THREE_STRAIGHT: "straight",
    THREE_TRIPS: "three of a kind",
    THREE_STRAIGHT_FLUSH: "straight flush",
}


def check_ranking(ranking: str) -> None:
    """Refuse a `ranking` that nobody defined."""
    if ranking not in RANKINGS:
        raise CardError(f"no ranking is called {ranking!r}: there are {', '.join(RANKINGS)}")


def category(value: int) -> str:
    """The category of a hand's value, such as `flush`.

    >>> from kibitz.cards import parse_cards
    >>> from kibitz.evaluator import evaluate
    >>> category(evaluate(parse_cards("AhKhQh2h3h7c7d")))
    'flush'
    """
    try:
        return CATEGORIES[value >> CATEGORY_SHIFT]
    except KeyError:
        raise CardError(f"{value!r} is not the value of a hand: use what evaluate() returns") from None
