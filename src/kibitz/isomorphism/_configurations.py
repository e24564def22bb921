"""Which shapes the suits of a hand can have, and where the hands of each such configuration begin.

A *configuration* is the multiset of the shapes of a deck's suits. Suit permutations keep it, so the canonical
hands fall into configurations, and inside one a hand is a multiset of rank sequences for every different shape.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import comb, prod
from operator import attrgetter

Shape = tuple[int, ...]
"""How many cards of one suit each street brought, such as (2, 0, 1) for two hole cards and one on the turn."""
Suit = tuple[Shape, int]
"""What a hand holds of one suit: its shape and the number of its rank sequence."""


def rank_subset(members: Iterable[int]) -> int:
    """The colexicographic number of a set of naturals, sum_j C(m_j, j) over its members m_1 < m_2 < ...

    The subsets of size n of 0..r-1 get the numbers 0..C(r, n)-1, whatever r is.
    """
    return sum(comb(member, place) for place, member in enumerate(sorted(members), start=1))


def unrank_subset(number: int, size: int) -> list[int]:
    """The set of `size` naturals that `rank_subset` numbers `number`, in increasing order."""
    members = []
    for place in range(size, 0, -1):
        member = place - 1
        while comb(member + 1, place) <= number:
            member += 1
        members.append(member)
        number -= comb(member, place)
    return members[::-1]


def count_multisets(kinds: int, size: int) -> int:
    """How many multisets of `size` elements can be drawn from `kinds` different ones."""
    return comb(kinds + size - 1, size)


def rank_multiset(values: Sequence[int]) -> int:
    """The number of a multiset of naturals written in decreasing order, sum_i C(v_i + p_i - 1, p_i), p_i = m..1.

    Multisets of size m of 0..k-1 get the numbers 0..count_multisets(k, m)-1.
    """
    return sum(comb(value + left - 1, left) for left, value in zip(range(len(values), 0, -1), values, strict=True))


def unrank_multiset(number: int, size: int) -> list[int]:
    """The multiset of `size` naturals that `rank_multiset` numbers `number`, in decreasing order."""
    values = []
    for left in range(size, 0, -1):
        low, high = 0, 1
        while comb(high + left - 1, left) <= number:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle + left - 1, left) <= number else (low, middle)
        values.append(low)
        number -= comb(low + left - 1, left)
    return values


def count_sequences(shape: Shape, ranks: int) -> int:
    """How many sequences of disjoint rank sets, one a street, have `shape` in a suit of `ranks` cards."""
    if sum(shape) > ranks:
        return 0
    return prod(comb(ranks - sum(shape[:street]), size) for street, size in enumerate(shape))


def rank_sequence(rank_sets: Sequence[Sequence[int]], ranks: int) -> int:
    """The number of a sequence of disjoint rank sets among 0..ranks-1, below `count_sequences` of its shape.

    Each set is numbered among the ranks that earlier streets left, and the earliest street is the least
    significant digit.
    """
    number, radix, used = 0, 1, list[int]()
    for members in rank_sets:
        number += radix * rank_subset(rank - sum(other < rank for other in used) for rank in members)
        radix *= comb(ranks - len(used), len(members))
        used.extend(members)
    return number


def unrank_sequence(number: int, shape: Shape, ranks: int) -> list[list[int]]:
    """The sequence of rank sets of `shape` that `rank_sequence` numbers `number`."""
    rank_sets, free = [], list(range(ranks))
    for size in shape:
        number, digit = divmod(number, comb(len(free), size))
        members = [free[place] for place in unrank_subset(digit, size)]
        rank_sets.append(members)
        free = [rank for rank in free if rank not in members]
    return rank_sets


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
