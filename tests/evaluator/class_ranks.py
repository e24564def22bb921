"""The scale of other evaluators: 1 is the royal flush, 7462 the worst hand."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations

from kibitz.evaluator.values import (
    CATEGORY_SHIFT,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    HIGH_CARD,
    PAIR,
    PRIMARY_SHIFT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    TWO_PAIR,
)


def class_rank(value: int) -> int:
    """The place of a standard value of five to seven cards among the 7,462 classes; 1 is the royal flush."""
    return _class_ranks()[value]


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
