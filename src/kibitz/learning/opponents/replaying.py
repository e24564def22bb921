"""Recorded hands played again in scratch memory, with hidden cards drawn from what a model makes of the betting."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.learning.desk import Desk
from kibitz.learning.histories import SHOWN, Hands
from kibitz.learning.model import Floats, Model
from kibitz.learning.player_types.records import Match
from kibitz.learning.records import SEATS, STAGES, STATES, WEIGHTS, make_record
from kibitz.random import derive_seed

_TIE = 7  # of the draws that a deal needs beside its cards
_TAKEN = ("player", "chance", "action")
_NO_CARDS = np.zeros((0, 2), dtype=np.uint8)

# What drawing hidden cards needs beside `records.WORK`.
MEMORY = np.dtype(
    [
        ("renewed", "i8"),  # whether weights have changed since `opening` was filled
        ("opening", "f8", (52, 52, STATES)),  # exponentials of hands before the flop
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

    reading: npt.NDArray[np.void] | None = None  # gradient of what is made of opponents' types

    def __init__(self, hands: Hands, model: Model, match: Match | None = None) -> None:
        super().__init__(model, hands.rules[0].table, match=match)
        self.hands, self._memory = hands, make_record(MEMORY, renewed=1)
        self.told: Floats = self._memory["told"][0]
        self.logs: Floats = self._memory["logs"][0]
        seats = np.arange(SEATS)
        inside = seats < hands.players[:, None]
        self.hidden = (((hands.seen != SHOWN) & inside) << seats).sum(axis=1)
        self.shown = (((hands.seen == SHOWN) & inside) << seats).sum(axis=1)

    @property
    def drawing(self) -> dict[str, int]:
        """What it took to draw hidden hands so far: pairs that rejection looked at, and how often it ended with one;
        players whose pairs were all looked at; deals drawn anew, because two hands had a card in common.
        """
        return dict(zip(("trials", "rejections", "enumerations", "restarts"), map(int, self.told), strict=True))

    def renew(self) -> None:
        """Say that the weights have changed."""
        self._memory["renewed"] = 1

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
        """Draw the cards of a hand that was watched, and work out all decisions and the showdown with them.

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

        That of the policy is REINFORCE's with an advantage of 1: the gradient of ln P(action | cards), summed.
        """
        from kibitz.learning import _kernels

        self.work["net"] = 1.0
        key, weights = derive_seed(key, _TIE), gradient.view(WEIGHTS)
        _kernels.learn_one(np.uint64(key), self.game, run, weights, self.match, self.reading)
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
