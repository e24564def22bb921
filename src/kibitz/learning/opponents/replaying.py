"""Recorded hands played again in scratch memory, with hidden cards drawn from what a model makes of the betting."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.histories import SHOWN, Hands
from kibitz.learning.model import Floats, Structure
from kibitz.learning.records import BETS, MOST_DECISIONS, SEATS, STAGES, STATES, make_work
from kibitz.random import derive_seed

PAIRS = 1326
_TIE = 7  # of the draws that a deal needs beside its cards
_NONE = np.zeros((STAGES, BETS + 1))


class Drawing(NamedTuple):
    """What it took to draw hidden hands, summed over deals.

    trials         pairs that rejection looked at, for so many `rejections` that ended with one
    enumerations   players whose pairs were all looked at
    restarts       deals drawn anew, because two hands had a card in common
    """

    trials: int = 0
    rejections: int = 0
    enumerations: int = 0
    restarts: int = 0


class Replay:
    """Some hands with the memory to play them again, one at a time; the deal is in `work` until the next."""

    def __init__(self, hands: Hands, structure: Structure) -> None:
        self.hands, self.structure = hands, structure
        self.work = make_work()
        self.told: Floats = np.zeros(4)  # see `drawing`
        self.logs: Floats = np.zeros(SEATS)  # ln of the mean likelihood of hidden hands, after an exact `fill`
        self.deal = self.work[0]
        self.tables = [each.table for each in hands.rules]
        self.forced = np.zeros(MOST_DECISIONS + 1, dtype=np.int64)
        self._opening: Floats = np.zeros((52, 52, STATES))
        self._shares: Floats = np.zeros((SEATS, PAIRS))
        seats = np.arange(SEATS)
        inside = seats < hands.players[:, None]
        self.hidden = (((hands.seen != SHOWN) & inside) << seats).sum(axis=1)
        self.shown = (((hands.seen == SHOWN) & inside) << seats).sum(axis=1)
        self._renew = True

    @property
    def drawing(self) -> Drawing:
        """What it took to draw hidden hands so far."""
        return Drawing(*map(int, self.told))

    def renew(self) -> None:
        """Say that the weights have changed."""
        self._renew = True

    def watch(self, hand: int, weights: npt.NDArray[np.void]) -> None:
        """Play the public part of a hand: bet features, beliefs, and what cards leave to be said of each decision."""
        self.deal["cards"][:] = self.hands.cards[hand]
        self.deal["hand"][:] = 1.0
        self._play(hand, weights, stop=1)

    def fill(self, hand: int, weights: npt.NDArray[np.void], key: int, exact: bool = False) -> bool:
        """Draw the cards of a hand that was watched; False where no hands without a common card were found.

        exact   enumerate the pairs of every hidden hand: `logs` are then the logarithms of their mean likelihoods
        """
        from kibitz.learning.opponents import _kernels

        done = _kernels.fill_hands(
            np.uint64(key), int(self.hidden[hand]), exact, self._renew, weights, self.structure.mode, self.work,
            self._opening, self._shares, self.logs, self.told,
        )  # fmt: skip
        self._renew = False
        return bool(done)

    def play(self, hand: int, weights: npt.NDArray[np.void]) -> int:
        """Play a hand with the cards in `work`; the number of its decisions."""
        count = self._play(hand, weights, stop=0)
        self.let_shown_win(hand)
        return count

    def let_shown_win(self, hand: int) -> None:
        """Give the showdown to one of those who showed their cards, if anybody did."""
        counts = self.deal["counts"]
        shown = int(counts[1]) & int(self.shown[hand])
        if counts[4] & ~shown and shown:
            counts[4] = counts[4] & shown or shown

    def visit(self, hand: int, weights: npt.NDArray[np.void], key: int, exact: bool = False) -> bool:
        """Watch, fill and play a hand; see `fill`."""
        self.watch(hand, weights)
        done = self.fill(hand, weights, key, exact)
        if done:
            self.play(hand, weights)
        return done

    def learn(self, key: int, weights: npt.NDArray[np.void], run: npt.NDArray[np.void], gradient: Floats) -> float:
        """Add the gradients of the hand that was played; the observer's conditional log-likelihood of it.

        That of the policy is REINFORCE's with an advantage of 1: the gradient of ln P(action | cards), summed.
        """
        from kibitz.learning import _kernels

        self.deal["net"][:] = 1.0
        return float(
            _kernels.learn_one(
                np.uint64(derive_seed(key, _TIE)),
                0,
                weights,
                run,
                self.structure.mode,
                self.work,
                _NONE,
                gradient,
                _NONE,
            )
        )

    def chances(self, count: int) -> tuple[Floats, Floats]:
        """Probabilities of the actions of `count` decisions, and of each if all legal ones were equally likely."""
        table, actions = self.deal["chance"][:count], self.deal["action"][:count]
        return table[np.arange(count), actions], 1.0 / np.count_nonzero(table, axis=1)

    def _play(self, hand: int, weights: npt.NDArray[np.void], stop: int) -> int:
        from kibitz.learning import _kernels

        hands, forced = self.hands, self.forced
        actions = hands.actions_of(hand)
        count = len(actions)
        forced[:count] = actions
        forced[count] = -1
        return _kernels.play_one(
            int(hands.players[hand]), np.uint64(0), forced, count + stop, weights, weights, 0, False,
            self.tables[hands.rule_numbers[hand]], self.structure.mode, self.work,
        )  # fmt: skip
