"""A best response from one seat, flop by flop: exact on the flop it is asked about."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.parallel.threads import stoppable_threads
from kibitz.policy.base import Floats
from kibitz.policy.hands import HOLES, HandPolicy
from kibitz.responses.real.boards import BoardHands, Next, kept_by, next_cards
from kibitz.responses.real.compiled import LANES, player_forms
from kibitz.responses.real.preflop import rivals
from kibitz.solvers.rows import row_probabilities
from kibitz.spots.compiled import aligned_zeros

CHANCES = (1.0, 1.0, 1 / 45, 1 / (45 * 44))  # of a turn card, and of the river after it, given both hands and the flop
FLOP_HANDS = 1176
Vector = npt.NDArray[np.float32]


class Scratch(NamedTuple):
    """Memory of one thread: vectors between the third and the fourth round, and `work` of the kernels."""

    passed: Vector
    following: Vector
    work: tuple[Vector, ...]


def make_work(lanes: int, entered: int, width: int) -> tuple[Vector, ...]:
    """The tuple `work` of the kernels, for that many lanes of values and of entered rows."""
    sizes = (LANES * width, entered * width, LANES * width, 52 * LANES, LANES * width, LANES * width, lanes * width)
    return tuple(aligned_zeros(size, np.float32) for size in sizes)


class Responder:
    """One who knows what the other seat of a policy does, and answers with the best for every hand.

    threads   share the turn cards of a flop; what comes out does not depend on how many
    """

    def __init__(self, policy: HandPolicy, seat: int, threads: int = 1) -> None:
        self.policy = policy
        self.opponent = 1 - seat
        self.forms = player_forms(policy, self.opponent, CHANCES)
        self._arrays = tuple(compiled.arrays for compiled in self.forms)
        self._states = tuple(int(count) for count in policy.strategy.layout.counts[:, self.opponent])
        self._trees = [len(compiled.first) for compiled in self.forms]
        self._threads = max(threads, 1)
        self._scratch = deque(self._make_scratch() for _ in range(self._threads))

    def _make_scratch(self) -> Scratch:
        width = -(-FLOP_HANDS // LANES) * LANES
        most = int(np.max(self.forms[3].units[:, 1] - self.forms[3].units[:, 0]))
        lanes = max(most, *(compiled.chips.shape[1] for compiled in self.forms[1:3]))
        passed, following = (aligned_zeros(self._trees[3] * width, np.float32) for _ in range(2))
        return Scratch(passed, following, make_work(lanes, most, width))

    @property
    def leaves(self) -> int:
        """Ends of the betting in the last round."""
        rows = self.forms[-1].rows
        return int(np.count_nonzero(rows.fold >= 0) + np.count_nonzero(rows.end >= 0))

    def reach(self) -> Floats:
        """The opponent's probability of playing to each row of the first round: float64[rows, 1326]."""
        found = row_probabilities(self.forms[0].rows, self.policy.strategy, self._states[0])
        board = np.zeros((len(HOLES), 0), dtype=np.uint8)
        return found[:, self.policy.states(self.opponent, 0, HOLES, board)].astype(np.float64)

    def flop(self, flop: tuple[int, ...]) -> tuple[Floats, Floats]:
        """What the trees of the second round are worth on a flop, and their mass: both float64[trees, 1326].

        Sums over the opponent's hands, with the probability that he plays to the tree; see `FlopValues`.
        """
        from kibitz.responses.real import _kernels

        hands = BoardHands(flop)
        width, count = hands.width, len(hands.cards)
        entering = np.zeros((self._trees[1], width), dtype=np.float32)
        entering[:, :count] = self.reach()[self.forms[0].rows.end >= 0][:, hands.numbers]
        order = hands.order_early(self.policy, self.opponent, flop)
        passed = aligned_zeros(self._trees[2] * width, np.float32)
        _kernels.pass_on(self._arrays[1], order, self._states[1], width, entering.reshape(-1), passed)
        following = self._turns(hands, passed)
        values = np.zeros((self._trees[1], width), dtype=np.float32)
        vectors = (entering.reshape(-1), following.reshape(-1), values.reshape(-1))
        scratch = self._scratch.pop()
        _kernels.join(self._arrays[1], order, self._states[1], width, *vectors, scratch.work)
        self._scratch.append(scratch)
        worth, mass = np.zeros((2, self._trees[1], len(HOLES)))
        worth[:, hands.numbers] = values[:, :count]
        mass[:, hands.numbers] = rivals(entering[:, :count].astype(np.float64), hands.cards)
        return worth, mass

    def _turns(self, hands: BoardHands, entering: Vector) -> Vector:
        """What the trees of the third round are worth over all turn cards: float32[trees, width]."""
        turns = list(next_cards(hands.board, kept_by(hands.board)))
        total = np.zeros((self._trees[2], hands.width), dtype=np.float32)

        def work(turn: Next) -> Vector:
            return self._turn(hands, turn, entering)

        with stoppable_threads(self._threads) as (pool, _check):
            # Summed in the order of the cards, whichever thread is done first.
            for turn, values in zip(turns, pool.map(work, turns), strict=True):
                for suits in turn.copies:
                    total += values[:, hands.changed(suits)]
        return total

    def _turn(self, hands: BoardHands, turn: Next, entering: Vector) -> Vector:
        """The same for one turn card."""
        from kibitz.responses.real import _kernels

        board, width = (*hands.board, turn.card), hands.width
        rivers = hands.rivers(self.policy, self.opponent, board, turn.kept)
        order = hands.order_early(self.policy, self.opponent, board)
        values = np.zeros((self._trees[2], width), dtype=np.float32)
        scratch = self._scratch.pop()
        vectors = (entering, scratch.passed, scratch.following, values.reshape(-1))
        _kernels.branch(self._arrays[2:], order, tuple(rivers), self._states[2:], width, *vectors, scratch.work)
        self._scratch.append(scratch)
        return values
