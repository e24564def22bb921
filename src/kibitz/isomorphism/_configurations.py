"""Which shapes the suits of a hand can have, and where the hands of each such configuration begin.

A *configuration* is the multiset of the shapes of a deck's suits. Suit permutations keep it, so the canonical
hands fall into configurations, and inside one a hand is a multiset of rank sequences for every different shape.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import prod

from kibitz.isomorphism._ranking import Shape, count_multisets, count_sequences


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


def configurations(pattern: tuple[int, ...], suits: int, ranks: int) -> list[list[Configuration]]:
    """The configurations of every street of `pattern`, in the order of their indices."""
    shapes_of_suits = {((),) * suits}
    streets = []
    for size in pattern:
        shapes_of_suits = {
            tuple(sorted(((*shape, count) for shape, count in zip(shapes, counts, strict=True)), reverse=True))
            for shapes in shapes_of_suits
            for counts in compositions(size, suits)
            if all(sum(shape) + count <= ranks for shape, count in zip(shapes, counts, strict=True))
        }
        streets.append(_lay_out(sorted(shapes_of_suits, reverse=True), ranks))
    return streets


def _lay_out(shapes_of_suits: list[tuple[Shape, ...]], ranks: int) -> list[Configuration]:
    """One configuration for each tuple of shapes, each beginning where the one before it ends."""
    street, offset = [], 0
    for shapes in shapes_of_suits:
        groups = tuple(
            SuitGroup(shape, len(list(same)), count_sequences(shape, ranks)) for shape, same in groupby(shapes)
        )
        configuration = Configuration(shapes, groups, offset)
        street.append(configuration)
        offset += configuration.size
    return street
