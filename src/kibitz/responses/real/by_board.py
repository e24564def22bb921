"""Best responses to players who have a table for every board, instead of buckets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.deals.board import NextCard
from kibitz.lanes import aligned_zeros
from kibitz.policy.base import Floats
from kibitz.policy.boards import MOST_ACTIONS, BoardPolicy
from kibitz.policy.hands import HOLES
from kibitz.responses.real.boards import BoardHands
from kibitz.responses.real.compiled import RoundGame, compile_betting
from kibitz.responses.real.walk import CHANCES, Scratch, Vector, Walk, make_work

FIRST, EMPTY = -1, -2  # as in the kernels


class BoardResponder(Walk):
    """One who responds to a `BoardPolicy`, which is asked for its table on every board."""

    def __init__(self, policy: BoardPolicy, seat: int, threads: int = 1) -> None:
        self.policy = policy
        self._decisions = [policy.decisions(1 - seat, round_) for round_ in range(len(CHANCES))]
        super().__init__(compile_betting(policy.tree, 1 - seat, CHANCES), 1 - seat, threads)
        self._steps = [_steps(*each) for each in zip(self.rounds, self._decisions, strict=True)]

    def _make_scratch(self) -> Scratch:
        made = super()._make_scratch()
        width = len(made.passed) // self._trees[3]
        lanes = len(made.work[6]) // width
        table = aligned_zeros(max(map(len, self._decisions)) * MOST_ACTIONS * width, np.float32)
        return Scratch(made.passed, made.following, make_work(lanes, lanes, width), table)

    def reach(self) -> Floats:
        rows, nodes = self.rounds[0].rows, self._decisions[0]
        chances = np.zeros((len(nodes), MOST_ACTIONS, len(HOLES)), dtype=np.float32)
        self.policy.fill(self.opponent, (), HOLES, chances)
        found = np.ones((len(rows), len(HOLES)))
        for row in np.flatnonzero(rows.parent >= 0).tolist():  # parents come first
            decision = int(np.searchsorted(nodes, rows.node[row]))
            found[row] = found[rows.parent[row]] * chances[decision, rows.action[row]]
        return found

    def _ask(self, hands: BoardHands, board: Sequence[int], scratch: Scratch) -> Vector:
        """What the opponent does on a board: float32, flat, [decisions, actions, width]."""
        count = len(self._decisions[{3: 1, 4: 2, 5: 3}[len(board)]])
        table = scratch.table[: count * MOST_ACTIONS * hands.width]
        self.policy.fill(self.opponent, board, hands.cards, table.reshape(count, MOST_ACTIONS, hands.width))
        return table

    def _pass_on(self, hands: BoardHands, entering: Vector, passed: Vector) -> None:
        from kibitz.responses.real import _kernels

        scratch = self._scratch.pop()
        table = self._ask(hands, hands.board, scratch)
        _kernels.pass_on_rows(self._arrays[1], self._steps[1], table, hands.width, entering, passed, scratch.work)
        self._scratch.append(scratch)

    def _join(self, hands: BoardHands, entering: Vector, following: Vector) -> Vector:
        scratch = self._scratch.pop()
        values = self._joined(hands, hands.board, entering.reshape(-1), following.reshape(-1), scratch)
        self._scratch.append(scratch)
        return values

    def _joined(
        self, hands: BoardHands, board: Sequence[int], entering: Vector, following: Vector, scratch: Scratch
    ) -> Vector:
        """What the trees of the second or third round are worth from those that follow: float32[trees, width]."""
        from kibitz.responses.real import _kernels

        round_ = len(board) - 2
        values = np.zeros((self._trees[round_], hands.width), dtype=np.float32)
        _kernels.join_rows(
            self._arrays[round_], self._steps[round_], self._ask(hands, board, scratch),
            hands.order_early(self.policy, self.opponent, board), hands.width, entering, following,
            values.reshape(-1), scratch.work,
        )  # fmt: skip
        return values

    def _turn(self, hands: BoardHands, turn: NextCard, entering: Vector) -> Vector:
        from kibitz.responses.real import _kernels

        board, width = (*hands.board, turn.card), hands.width
        rivers = hands.rivers(self.policy, self.opponent, board, turn.kept)
        scratch = self._scratch.pop()
        passed, following = scratch.passed, scratch.following
        table = self._ask(hands, board, scratch)
        _kernels.pass_on_rows(self._arrays[2], self._steps[2], table, width, entering, passed, scratch.work)
        following[:] = 0
        for number, cards in enumerate(rivers.cards.tolist()):
            groups = rivers.groups[number, : rivers.counts[number]]
            changes = rivers.changes[rivers.change_of[number] : rivers.change_of[number + 1]]
            _kernels.show_rows(
                self._arrays[3], self._steps[3], self._ask(hands, cards, scratch), rivers.orders[number], groups,
                changes, width, passed, following, scratch.work,
            )  # fmt: skip
        values = self._joined(hands, board, entering, following, scratch)
        self._scratch.append(scratch)
        return values


def _steps(compiled: RoundGame, decisions: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The lane before the opponent's last action, and the row of his table that it is: int64[lanes, 2]."""
    rows, lane = compiled.rows, compiled.lane
    steps = np.full((len(compiled.tree), 2), EMPTY, dtype=np.int64)
    steps[lane, 0] = np.where(rows.parent >= 0, lane[rows.parent], FIRST)
    steps[lane, 1] = np.searchsorted(decisions, rows.node) * MOST_ACTIONS + rows.action
    return steps
