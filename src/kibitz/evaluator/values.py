"""What a hand's value means: its layout, its category, and its place on the 1..7462 scale.

A value is a 31-bit integer made of three fields, compared as one number:

    category << 26  |  primary << 13  |  kickers

`primary` and `kickers` are sets of ranks (bit r is rank r, 2 = bit 0 ... ace = bit 12): the ranks that make
the category, and those that decide between two equal ones. Two sets of the same size compare as integers
exactly as their ranks compare from the highest down, so nothing needs sorting. Straights keep only their
highest rank in `primary` (A2345 is the five); flushes and high cards have everything in `kickers`.

The three-card categories (Rhode Island hold'em) have numbers of their own, so a value says its ranking.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
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


def class_rank(value: int) -> int:
    """The place of a standard value of five to seven cards among the 7,462 classes; 1 is the royal flush.

    >>> from kibitz.cards import parse_cards
    >>> from kibitz.evaluator import evaluate
    >>> class_rank(evaluate(parse_cards("9c4c4s9d4hQc6c")))
    292
    """
    try:
        return _class_ranks()[value]
    except KeyError:
        raise CardError(f"{value!r} is not the standard value of a hand of five to seven cards") from None


@cache
def _class_ranks() -> dict[int, int]:
    return {value: place for place, value in enumerate(sorted(_classes(), reverse=True), start=1)}


def _classes() -> Iterator[int]:
    """Every value that five cards can have, once each."""
    ranks = [1 << rank for rank in range(13)]
    straights = {0b1_0000_0000_1111: 1 << 3} | {0b1_1111 << low: 1 << (low + 4) for low in range(9)}
    for high in straights.values():
        yield _value(STRAIGHT, high)
        yield _value(STRAIGHT_FLUSH, high)
    for five in map(sum, combinations(ranks, 5)):
        if five not in straights:
            yield _value(HIGH_CARD, 0, five)
            yield _value(FLUSH, 0, five)
    for many, kicker in permutations(ranks, 2):
        yield _value(FOUR_OF_A_KIND, many, kicker)
        yield _value(FULL_HOUSE, many, kicker)
    for category_, kickers, groups in ((PAIR, 3, 1), (THREE_OF_A_KIND, 2, 1), (TWO_PAIR, 1, 2)):
        for group in map(sum, combinations(ranks, groups)):
            rest = [rank for rank in ranks if not rank & group]
            for kicker in map(sum, combinations(rest, kickers)):
                yield _value(category_, group, kicker)


def _value(category_: int, primary: int, kickers: int = 0) -> int:
    return category_ << CATEGORY_SHIFT | primary << PRIMARY_SHIFT | kickers
