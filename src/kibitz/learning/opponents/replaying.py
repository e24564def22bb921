"""Recorded hands played again in scratch memory, with hidden cards drawn from what a model makes of the betting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.desk import Desk
from kibitz.learning.histories import SHOWN, UNKNOWN, Hands, Integers
from kibitz.learning.model import SIZE, Floats, Model
from kibitz.learning.player_types import KINDS_SIZE, READING, Match, TypedModel, views
from kibitz.learning.records import SEATS, WEIGHTS, make_record
from kibitz.random import derive_seed

_TIE = 7  # of the draws that a deal needs beside its cards
_TAKEN = ("player", "chance", "action")
FAINT = 1e-30  # no type is believed impossible
_NO_CARDS = np.zeros((0, 2), dtype=np.uint8)

# What drawing hidden cards needs beside `records.WORK`.
MEMORY = np.dtype(
    [
        ("decisions", "i8", (SEATS,)),  # of seats with hidden cards
        ("enumerated", "i8"),  # mask of those whose pairs were all looked at
        ("shares", "f8", (SEATS, 1326)),  # likelihoods of their pairs
        ("totals", "f8", (SEATS,)),  # sums of these
        ("logs", "f8", (SEATS,)),  # ln of their means
        ("told", "f8", (4,)),  # see `Replay.drawing`
    ]
)


class Replay(Desk):
    """A desk at which recorded hands are played again, one at a time, by a model whose weights may change.

    told   what it took to draw hidden hands, see `drawing`
    logs   ln of the mean likelihood of hidden hands by seat, after an exact `fill`
    """

    def __init__(self, hands: Hands, model: Model, match: Match | None = None) -> None:
        super().__init__(model, hands.rules[0].table, match=match)
        self.hands, self._memory = hands, make_record(MEMORY)
        self.told: Floats = self._memory["told"][0]
        self.logs: Floats = self._memory["logs"][0]
        places = np.where(np.arange(SEATS) < hands.players[:, None], 1 << np.arange(SEATS), 0)
        self.hidden, self.shown = ((places * seen).sum(axis=1) for seen in (hands.seen != SHOWN, hands.seen == SHOWN))

    @property
    def drawing(self) -> dict[str, int]:
        """What it took to draw hidden hands so far: pairs that rejection looked at, and how often it ended with one;
        players whose pairs were all looked at; deals drawn anew, because two hands had a card in common.
        """
        return dict(zip(("trials", "rejections", "enumerations", "restarts"), map(int, self.told), strict=True))

    def sit_down(self, hand: int) -> None:
        """The players of a hand, with the cards that are known."""
        hands = self.hands
        self.seat(int(hands.players[hand]), hands.cards[hand], hands.rules[hands.rule_numbers[hand]].table)

    def watch(self, hand: int) -> None:
        """Play the public part of a hand: bet features, beliefs, and what cards leave to be said of each decision."""
        self.sit_down(hand)
        self.work["hand"] = 1.0
        self.ask(self.hands.actions_of(hand), _NO_CARDS)

    def fill(self, hand: int, key: int, exact: bool = False) -> bool:
        """Draw the cards of a hand that was just watched, and work out all decisions and the showdown with them.

        exact   enumerate the pairs of every hidden hand: `logs` are then the logarithms of their mean likelihoods
        False where no hands without a common card were found.
        """
        from kibitz.learning.opponents import _kernels

        hidden, shown = int(self.hidden[hand]), int(self.shown[hand])
        return bool(_kernels.fill_hands(np.uint64(key), hidden, shown, exact, self.game, self._memory))

    def visit(self, hand: int, key: int, exact: bool = False) -> bool:
        """Watch and fill a hand; see `fill`."""
        self.watch(hand)
        return self.fill(hand, key, exact)

    def learn(self, key: int, run: npt.NDArray[np.void], gradient: Floats) -> Floats:
        """Add the gradients of the hand that was filled to those of a model; its `nats`.

        That of the policy is REINFORCE's with an advantage of 1: the gradient of ln P(action | cards), summed. Behind
        it is that of the weights of types, where there are any.
        """
        from kibitz.learning import _kernels

        self.work["net"] = 1.0
        weights, reading = gradient[:SIZE].view(WEIGHTS), gradient[SIZE:].view(READING) if self.match else None
        _kernels.learn_one(np.uint64(derive_seed(key, _TIE)), self.game, run, weights, self.match, reading)
        return self.nats()

    def nats(self) -> Floats:
        """Sums of -ln P(action) by seat: float64[SEATS]."""
        players, chances, actions = (self.work[name][: self.work["decisions"]] for name in _TAKEN)
        found = np.zeros(SEATS)
        np.subtract.at(found, players, np.log(chances[np.arange(len(actions)), actions]))
        return found

    def uniform(self) -> float:
        """What they would sum up to if all legal actions were equally likely."""
        can_fold, options = (self.work[name][: self.work["decisions"]] for name in ("can_fold", "options"))
        return float(np.log(can_fold + options).sum())


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
        self.typed, self.types = typed, np.zeros(SEATS, dtype=np.int64)
        self._held = self.match.memory[0]
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
        own = views(gradient[SIZE : SIZE + KINDS_SIZE]).own
        for seat in range(self.work["players"]):
            own[stages, self.types[seat]] += self.work["by_hand"][stages, seat]
        return nats

    def likelihoods(self, hand: int) -> Floats:
        """ln P(actions of a seat | type), hidden cards summed over, after `follow`: float64[SEATS, types]."""
        found = np.zeros((SEATS, self.typed.count))
        for kind in range(self.typed.count):
            self.give(np.full(SEATS, kind))
            self.fill(hand, 1, exact=True)
            found[:, kind] = np.where(self.hands.seen[hand] == SHOWN, -self.nats(), self.logs)
        return found
