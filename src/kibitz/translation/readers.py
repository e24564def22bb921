"""Readers: all the ways in which a bet may be translated, each with its chance, where a tracker would sample one."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from typing import Self

from kibitz.games import State
from kibitz.translation.places import TreePlace
from kibitz.translation.reading import Reading, Readings
from kibitz.translation.tracker import Tracker


class Reader(Tracker):
    """A tracker that translates a bet as it is told to, where more than one translation is possible.

    pick    which one to take; `readings`, how many there were
    """

    def __init__(self, root: TreePlace, reading: Reading) -> None:
        super().__init__(root, reading, _no_dice)
        self.pick, self.readings = 0, 1

    def _draw(self, readings: Readings) -> int:
        self.readings = len(readings)
        number, self.chance = readings[self.pick]
        return number

    @property
    def key(self) -> Hashable:
        """What tells readers apart for all that follows."""
        place, opened = self.place, self._open
        assert isinstance(place, TreePlace)
        if opened is None:
            return place.node, None
        assert isinstance(opened.place, TreePlace)
        return place.node, (opened.place.node, *opened[1:])

    def tree_place(self, state: State) -> TreePlace | None:
        """The place at which the player to act in `state` acts; None if the abstract hand has none for him."""
        place = self.place_of(state)
        assert place is None or isinstance(place, TreePlace)
        return place

    def read(self, state: State, action: str) -> Iterator[Self]:
        """The ways in which the action in `state` may be translated; each has its `chance`. This reader stays."""
        pick, readings = 0, 1
        while pick < readings:
            after = copy(self)
            after.pick, after.readings = pick, 1
            after.follow(state, action)
            yield after
            readings = after.readings
            pick += 1


def _no_dice() -> float:
    raise AssertionError("a reader is told what to read")
