"""The betting of two-player hold'em from the flop on, walked once by one who responds, with vectors of all hands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.deals.board import NextCard, next_cards
from kibitz.lanes import aligned_zeros
from kibitz.parallel.threads import stoppable_threads
from kibitz.policy.base import Floats
from kibitz.policy.hands import HOLES
from kibitz.responses.real.boards import BoardHands, kept_by
from kibitz.responses.real.compiled import LANES, RoundGame
from kibitz.responses.real.preflop import rivals

CHANCES = (1.0, 1.0, 1 / 45, 1 / (45 * 44))  # of a turn card, and of the river after it, given both hands and the flop
FLOP_HANDS = 1176
Vector = npt.NDArray[np.float32]


class Scratch(NamedTuple):
    """Memory of one thread: vectors between the third and the fourth round, `work` of the kernels, and a table.

    table   of what the opponent does on a board, where he has one for each
    """

    passed: Vector
    following: Vector
    work: tuple[Vector, ...]
    table: Vector = np.zeros(0, dtype=np.float32)


def make_work(lanes: int, entered: int, width: int) -> tuple[Vector, ...]:
    """The tuple `work` of the kernels, for that many lanes of values and of entered rows."""
    sizes = (LANES * width, entered * width, LANES * width, 52 * LANES, LANES * width, LANES * width, lanes * width)
    return tuple(aligned_zeros(size, np.float32) for size in sizes)


class Walk(ABC):
    """One who knows what the other seat does, and answers with the best for every hand.

    rounds    as he who responds to `opponent` sees them
    threads   share the turn cards of a flop; what comes out does not depend on how many
    """

    def __init__(self, rounds: tuple[RoundGame, ...], opponent: int, threads: int = 1) -> None:
        self.rounds, self.opponent = rounds, opponent
        self._arrays = tuple(compiled.arrays for compiled in rounds)
        self._trees = [len(compiled.first) for compiled in rounds]
        self._threads = max(threads, 1)
        self._scratch = deque(self._make_scratch() for _ in range(self._threads))

    def _make_scratch(self) -> Scratch:
        """Memory of one thread."""
        width = -(-FLOP_HANDS // LANES) * LANES
        most = int(np.max(self.rounds[3].units[:, 1] - self.rounds[3].units[:, 0]))
        lanes = max(most, *(compiled.chips.shape[1] for compiled in self.rounds[1:3]))
        passed, following = (aligned_zeros(self._trees[3] * width, np.float32) for _ in range(2))
        return Scratch(passed, following, make_work(lanes, most, width))

    @property
    def leaves(self) -> int:
        """Ends of the betting in the last round."""
        rows = self.rounds[-1].rows
        return int(np.count_nonzero(rows.fold >= 0) + np.count_nonzero(rows.end >= 0))

    @abstractmethod
    def reach(self) -> Floats:
        """The opponent's probability of playing to each row of the first round: float64[rows, 1326]."""

    def flop(self, flop: tuple[int, ...]) -> tuple[Floats, Floats]:
        """What the trees of the second round are worth on a flop, and their mass: both float64[trees, 1326].

        Sums over the opponent's hands, with the probability that he plays to the tree; see `FlopValues`.
        """
        hands = BoardHands(flop)
        count = len(hands.cards)
        entering, passed = self._enter(hands)
        values = self._join(hands, entering, self._turns(hands, passed))
        worth, mass = np.zeros((2, self._trees[1], len(HOLES)))
        worth[:, hands.numbers] = values[:, :count]
        mass[:, hands.numbers] = rivals(entering[:, :count].astype(np.float64), hands.cards)
        return worth, mass

    def _enter(self, hands: BoardHands) -> tuple[Vector, Vector]:
        """How likely the opponent plays to the trees of the second and of the third round on a flop.

        float32[trees, width], and the second flat.
        """
        entering = np.zeros((self._trees[1], hands.width), dtype=np.float32)
        entering[:, : len(hands.cards)] = self.reach()[self.rounds[0].rows.end >= 0][:, hands.numbers]
        passed = aligned_zeros(self._trees[2] * hands.width, np.float32)
        self._pass_on(hands, entering.reshape(-1), passed)
        return entering, passed

    @abstractmethod
    def _pass_on(self, hands: BoardHands, entering: Vector, passed: Vector) -> None:
        """Fill `passed` with the probabilities of the third round from those of the second, both flat."""

    @abstractmethod
    def _join(self, hands: BoardHands, entering: Vector, following: Vector) -> Vector:
        """What the trees of the second round are worth on a flop: float32[trees, width]."""

    def _turns(self, hands: BoardHands, entering: Vector) -> Vector:
        """What the trees of the third round are worth over all turn cards: float32[trees, width]."""
        turns = list(next_cards(hands.board, kept_by(hands.board)))
        total = np.zeros((self._trees[2], hands.width), dtype=np.float32)

        def work(turn: NextCard) -> Vector:
            return self._turn(hands, turn, entering)

        with stoppable_threads(self._threads) as (pool, _check):
            # Summed in the order of the cards, whichever thread is done first.
            for turn, values in zip(turns, pool.map(work, turns), strict=True):
                for suits in turn.copies:
                    total += values[:, hands.changed(suits)]
        return total

    @abstractmethod
    def _turn(self, hands: BoardHands, turn: NextCard, entering: Vector) -> Vector:
        """The same for one turn card."""
