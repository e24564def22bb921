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
_TOLD = 5
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
        self.told: Floats = np.zeros(_TOLD)
        self._deal = self.work[0]
        self._tables = [each.table for each in hands.rules]
        self._forced = np.zeros(MOST_DECISIONS + 1, dtype=np.int64)
        self._opening: Floats = np.zeros((52, 52, STATES))
        self._shares: Floats = np.zeros((SEATS, PAIRS))
        seats = np.arange(SEATS)
        inside = seats < hands.players[:, None]
        self._hidden = (((hands.seen != SHOWN) & inside) << seats).sum(axis=1)
        self._shown = (((hands.seen == SHOWN) & inside) << seats).sum(axis=1)
        self._renew = True

    @property
    def drawing(self) -> Drawing:
        """What it took to draw hidden hands so far."""
        return Drawing(*map(int, self.told[:4]))

    def renew(self) -> None:
        """Say that the weights have changed."""
        self._renew = True

    def watch(self, hand: int, weights: npt.NDArray[np.void]) -> None:
        """Play the public part of a hand: bet features, beliefs, and what cards leave to be said of each decision."""
        self._deal["cards"][:] = self.hands.cards[hand]
        self._deal["hand"][:] = 1.0
        self._play(hand, weights, stop=1)

    def fill(self, hand: int, weights: npt.NDArray[np.void], key: int, exact: bool = False) -> float | None:
        """Draw the cards of a hand that was watched; None where no hands without a common card were found.

        exact   enumerate the pairs of every hidden hand: the result is then the sum of ln of their mean likelihoods,
                which is 0 otherwise
        """
        from kibitz.learning.opponents import _kernels

        before = self.told[_kernels.MARGINAL]
        done = _kernels.fill_hands(
            np.uint64(key), int(self._hidden[hand]), exact, self._renew, weights, self.structure.mode, self.work,
            self._opening, self._shares, self.told,
        )  # fmt: skip
        self._renew = False
        return float(self.told[_kernels.MARGINAL] - before) if done else None

    def play(self, hand: int, weights: npt.NDArray[np.void]) -> int:
        """Play a hand with the cards in `work`; the number of its decisions.

        The winner of a showdown is one of those who showed their cards, if anybody did.
        """
        count = self._play(hand, weights, stop=0)
        counts = self._deal["counts"]
        shown = int(counts[1]) & int(self._shown[hand])
        if counts[4] & ~shown and shown:
            counts[4] = counts[4] & shown or shown
        return count

    def visit(self, hand: int, weights: npt.NDArray[np.void], key: int, exact: bool = False) -> float | None:
        """Watch, fill and play a hand; see `fill`."""
        self.watch(hand, weights)
        found = self.fill(hand, weights, key, exact)
        if found is not None:
            self.play(hand, weights)
        return found

    def learn(self, key: int, weights: npt.NDArray[np.void], run: npt.NDArray[np.void], gradient: Floats) -> float:
        """Add the gradients of the hand that was played; the observer's conditional log-likelihood of it.

        That of the policy is REINFORCE's with an advantage of 1: the gradient of ln P(action | cards), summed.
        """
        from kibitz.learning import _kernels

        self._deal["net"][:] = 1.0
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
        table, actions = self._deal["chance"][:count], self._deal["action"][:count]
        return table[np.arange(count), actions], 1.0 / np.count_nonzero(table, axis=1)

    def _play(self, hand: int, weights: npt.NDArray[np.void], stop: int) -> int:
        from kibitz.learning import _kernels

        hands, forced = self.hands, self._forced
        actions = hands.actions_of(hand)
        count = len(actions)
        forced[:count] = actions
        forced[count] = -1
        return _kernels.play_one(
            int(hands.players[hand]), np.uint64(0), forced, count + stop, weights, weights, 0, False,
            self._tables[hands.rule_numbers[hand]], self.structure.mode, self.work,
        )  # fmt: skip
