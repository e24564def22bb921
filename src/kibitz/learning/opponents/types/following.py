"""Recorded hands of players with types: the joint filter over a match, and one hand with types and cards drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.histories import SHOWN, Hands
from kibitz.learning.histories.hands import UNKNOWN, Integers
from kibitz.learning.model import Floats, Structure
from kibitz.learning.opponents.replaying import Replay
from kibitz.learning.player_types import KINDS, KINDS_SIZE, LAYER, LAYER_SIZE, TypedModel, make_filters, make_match
from kibitz.learning.records import SEATS

NOBODY = -1
FAINT = 1e-30  # no type is believed impossible


class Followed(NamedTuple):
    """What a filter believes of the types in one match.

    starts : float64[deals, SEATS, types]   of every seat before a deal; ends, after it
    names                                   numbers of the players that occur
    final : float64[names, types]           of each after the last deal
    """

    starts: Floats
    ends: Floats
    names: Integers
    final: Floats


class TypedReplay(Replay):
    """Some hands with the memory to follow them as deals of players with types."""

    def __init__(self, hands: Hands, structure: Structure, count: int) -> None:
        super().__init__(hands, structure)
        self.count = count
        self.match = make_match(count, np.zeros(1))
        self.types = np.zeros(SEATS, dtype=np.int64)
        self.kinds_gradient = np.zeros(KINDS_SIZE)
        self._filters, self._layer = make_filters(), np.zeros(LAYER_SIZE).view(LAYER)
        self._cards = _with_any_cards(hands)
        self.match["player"][0] = np.arange(SEATS)

    def follow(self, hand: int, model: TypedModel, start: Floats) -> Floats:
        """Follow a hand with the joint filter; what is believed of types after it, float64[players, types].

        start : float64[players, types]   before it
        """
        from kibitz.learning.player_types import _kernels

        hands, players = self.hands, int(self.hands.players[hand])
        actions, weights, kinds = hands.actions_of(hand), model.base.record, model.record
        carried = self.match["carried"][0]
        carried[:players, : self.count] = start
        self.match["shown"] = self.shown[hand]
        self.deal["cards"][:] = self._cards[hand]
        self.forced[: len(actions)] = actions
        _kernels.play_typed_one(
            players, np.uint64(0), self.forced, len(actions), False, NOBODY, weights, kinds, self._layer, weights,
            kinds, self.tables[hands.rule_numbers[hand]], self.structure.mode, self.work, self.match, self._filters,
        )  # fmt: skip
        return np.array(carried[:players, : self.count])

    def follow_match(self, numbers: Sequence[int], model: TypedModel) -> Followed:
        """Follow the hands of one match in their order, from the initial distribution of types on."""
        hands = self.hands
        seated = hands.names[list(numbers)]
        names = np.unique(seated[seated >= 0])
        now = np.tile(model.weights.initial[: self.count], (len(names), 1))
        starts, ends = np.zeros((2, len(numbers), SEATS, self.count))
        for place, hand in enumerate(numbers):
            players = int(hands.players[hand])
            seats = np.searchsorted(names, seated[place, :players])
            starts[place, :players] = now[seats]
            ends[place, :players] = self.follow(hand, model, now[seats])
            now = _carry(now, seats, ends[place, :players])
        return Followed(starts, ends, names, now)

    def give(self, types: npt.ArrayLike, model: TypedModel, observing: bool = False) -> None:
        """Give the players of the hand that was followed these types; see `give_types` of the kernels."""
        from kibitz.learning.opponents.types import _kernels

        self.types[: np.size(types)] = types
        _kernels.give_types(self.types, observing, model.base.record, self.structure.mode, self.work, self.match)

    def act_out(self, hand: int, model: TypedModel, learning: bool = False) -> None:
        """Work out all decisions of the hand with the cards and types that it has."""
        from kibitz.learning.opponents.types import _kernels

        _kernels.act_out(
            self.types, learning, model.base.record, self.structure.mode, self.work, self.match,
            self.kinds_gradient.view(KINDS),
        )  # fmt: skip
        self.let_shown_win(hand)

    def seat_nats(self, hand: int) -> Floats:
        """Sums of -ln P(action) by seat: float64[SEATS]."""
        count = len(self.hands.actions_of(hand))
        nats = -np.log(self.chances(count)[0])
        found = np.zeros(SEATS)
        np.add.at(found, self.deal["player"][:count], nats)
        return found

    def likelihoods(self, hand: int, model: TypedModel) -> Floats:
        """ln P(actions of a seat | type), hidden cards summed over, after `follow`: float64[SEATS, types]."""
        found = np.zeros((SEATS, self.count))
        shown = self.hands.seen[hand] == SHOWN
        for kind in range(self.count):
            self.give(np.full(SEATS, kind), model)
            self.fill(hand, model.base.record, 1, exact=True)
            self.act_out(hand, model)
            found[:, kind] = np.where(shown, -self.seat_nats(hand), self.logs)
        return found


def _carry(now: Floats, seats: Integers, after: Floats) -> Floats:
    """What is believed of every name after a deal; a name at two seats has what both have shown."""
    found = now.copy()
    found[seats] = after
    for name in np.flatnonzero(np.bincount(seats, minlength=len(now)) > 1):
        shares = now[name] * np.prod(after[seats == name] / now[name], axis=0)
        found[name] = np.maximum(shares / shares.sum(), FAINT)
    return found


def _with_any_cards(hands: Hands) -> npt.NDArray[np.uint8]:
    """Hole cards with any that are free in place of hidden ones, for which nothing is looked up."""
    cards = hands.cards.copy()
    for row, players in zip(cards, hands.players, strict=True):
        hole = row[: 2 * players]
        missing = hole == UNKNOWN
        hole[missing] = np.setdiff1d(np.arange(52), row)[: np.count_nonzero(missing)]
    return cards
