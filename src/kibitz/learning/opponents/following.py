"""Recorded hands of players with types: the joint filter over a match, and one hand with types and cards drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.histories import SHOWN, UNKNOWN, Hands, Integers
from kibitz.learning.model import Floats
from kibitz.learning.opponents.replaying import Replay
from kibitz.learning.player_types import TypedModel
from kibitz.learning.player_types.records import READING
from kibitz.learning.records import SEATS, make_record

FAINT = 1e-30  # no type is believed impossible


class Followed(NamedTuple):
    """What a filter believes of the types in one match."""

    starts: Floats  # [deals, SEATS, types], of every seat before a deal
    ends: Floats  # after it
    names: Integers  # numbers of the players that occur
    final: Floats  # [names, types], of each after the last deal


class TypedReplay(Replay):
    """The same of players with types: instead of being watched, a hand is followed, and types are given."""

    def __init__(self, hands: Hands, typed: TypedModel) -> None:
        super().__init__(hands, typed.base, typed.begin_match())
        self.typed, self.types, self.reading = typed, np.zeros(SEATS, dtype=np.int64), make_record(READING)
        self._held = self.match.memory[0]  # type: ignore[union-attr]
        self._held["player"] = np.arange(SEATS)

    def follow(self, hand: int, start: Floats) -> Floats:
        """Follow a hand with the joint filter; what is believed of types after it, float64[players, types].

        start : float64[players, types]   before it
        """
        players, held = len(start), self._held
        held["carried"][:players, : self.typed.count], held["shown"] = start, self.shown[hand]
        self.sit_down(hand)
        cards = self.work["cards"]
        cards[cards == UNKNOWN] = 0  # any: they are not looked at, and the showdown is worked out later
        self.play(0, self.hands.actions_of(hand))
        self.work["cards"] = self.hands.cards[hand]
        return np.array(held["carried"][:players, : self.typed.count])

    def follow_match(self, numbers: Sequence[int]) -> Followed:
        """Follow the hands of one match in their order, from the initial distribution of types on."""
        seated, count = self.hands.names[list(numbers)], self.typed.count
        names = np.unique(seated[seated >= 0])
        now = np.tile(self.typed.weights.initial[:count], (len(names), 1))
        starts, ends = np.zeros((2, len(numbers), SEATS, count))
        for place, hand in enumerate(numbers):
            players = int(self.hands.players[hand])
            seats = np.searchsorted(names, seated[place, :players])
            starts[place, :players] = now[seats]
            ends[place, :players] = after = self.follow(hand, now[seats])
            before, now[seats] = now.copy(), after
            for name in np.flatnonzero(np.bincount(seats) > 1):  # at two seats has what both have shown
                shares = before[name] * np.prod(after[seats == name] / before[name], axis=0)
                now[name] = np.maximum(shares / shares.sum(), FAINT)
        return Followed(starts, ends, names, now)

    def give(self, types: npt.ArrayLike, observing: bool = False) -> None:
        """Give the players of the hand that was followed these types; see `give_types` of the kernels."""
        from kibitz.learning.opponents import _kernels

        self.types[: np.size(types)] = types
        _kernels.give_types(self.types, observing, self.game, self.match)

    def learn(self, key: int, run: npt.NDArray[np.void], gradient: Floats) -> Floats:
        nats, stages = super().learn(key, run, gradient), slice(int(self.work["round"]) + 1)
        for seat in range(self.work["players"]):
            own = self.reading["kinds"]["own"][0, stages, self.types[seat]]  # type: ignore[index]
            own += self.work["by_hand"][stages, seat]
        return nats

    def likelihoods(self, hand: int) -> Floats:
        """ln P(actions of a seat | type), hidden cards summed over, after `follow`: float64[SEATS, types]."""
        found = np.zeros((SEATS, self.typed.count))
        for kind in range(self.typed.count):
            self.give(np.full(SEATS, kind))
            self.fill(hand, 1, exact=True)
            found[:, kind] = np.where(self.hands.seen[hand] == SHOWN, -self.nats(), self.logs)
        return found
