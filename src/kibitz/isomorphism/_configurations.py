"""Which shapes the suits of a hand can have, and where the hands of each such configuration begin.

A *configuration* is the multiset of the shapes of a deck's suits. Suit permutations keep it, so the canonical
hands fall into configurations, and inside one a hand is a multiset of rank sequences for every different shape.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import prod
from operator import attrgetter

from kibitz.isomorphism._ranking import (
    Shape,
    count_multisets,
    count_sequences,
    rank_multiset,
    unrank_multiset,
)

Suit = tuple[Shape, int]
"""What a hand holds of one suit: its shape and the number of its rank sequence."""


@dataclass(frozen=True, slots=True)
class SuitGroup:
    """The suits of a configuration that share one shape."""

    shape: Shape
    suits: int
    sequences: int
    """How many rank sequences one suit of this shape can hold."""

    @property
    def size(self) -> int:
        """How many multisets of rank sequences the group's suits can hold."""
        return count_multisets(self.sequences, self.suits)


@dataclass(frozen=True, slots=True)
class Configuration:
    """A multiset of suit shapes, greatest shape first, with the indices offset..offset+size-1."""

    shapes: tuple[Shape, ...]
    groups: tuple[SuitGroup, ...]
    offset: int

    @property
    def size(self) -> int:
        """How many canonical hands have this configuration."""
        return prod(group.size for group in self.groups)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """The ways to write `total` as an ordered sum of `parts` naturals, greatest first part first."""
    if parts == 1:
        yield (total,)
        return
    for first in range(total, -1, -1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


class Street:
    """The configurations of one street in the order of their indices, and the index of a hand given suit by suit."""

    def __init__(self, shapes_of_suits: set[tuple[Shape, ...]], ranks: int) -> None:
        self.configurations: list[Configuration] = []
        self.size = 0
        for shapes in sorted(shapes_of_suits, reverse=True):
            groups = tuple(
                SuitGroup(shape, len(list(same)), count_sequences(shape, ranks)) for shape, same in groupby(shapes)
            )
            self.configurations.append(Configuration(shapes, groups, self.size))
            self.size += self.configurations[-1].size
        self._by_shapes = {configuration.shapes: configuration for configuration in self.configurations}

    def index(self, suits: Iterable[Suit]) -> int:
        """The index of the hand with these suits, in whatever order they come."""
        suits = sorted(suits, reverse=True)
        configuration = self._by_shapes[tuple(shape for shape, _ in suits)]
        index, stride, place = configuration.offset, 1, 0
        for group in configuration.groups:
            index += stride * rank_multiset([number for _, number in suits[place : place + group.suits]])
            stride *= group.size
            place += group.suits
        return index

    def unindex(self, index: int) -> list[Suit]:
        """The suits, greatest first, of the hand that `index` numbers."""
        place = bisect_right(self.configurations, index, key=attrgetter("offset")) - 1
        configuration = self.configurations[place]
        rest, suits = index - configuration.offset, list[Suit]()
        for group in configuration.groups:
            rest, number = divmod(rest, group.size)
            suits.extend((group.shape, value) for value in unrank_multiset(number, group.suits))
        return suits


def lay_out_streets(pattern: tuple[int, ...], suits: int, ranks: int) -> list[Street]:
    """The streets of `pattern` in a deck of so many suits and ranks."""
    shapes_of_suits: set[tuple[Shape, ...]] = {((),) * suits}
    streets = []
    for size in pattern:
        dealt = {deal_suits(shapes, counts) for shapes in shapes_of_suits for counts in compositions(size, suits)}
        shapes_of_suits = {
            tuple(sorted(shapes, reverse=True)) for shapes in dealt if all(sum(shape) <= ranks for shape in shapes)
        }
        streets.append(Street(shapes_of_suits, ranks))
    return streets


def deal_suits(shapes: tuple[Shape, ...], counts: tuple[int, ...]) -> tuple[Shape, ...]:
    """The shapes of the suits after a street that brings `counts` cards of each."""
    return tuple((*shape, count) for shape, count in zip(shapes, counts, strict=True))
