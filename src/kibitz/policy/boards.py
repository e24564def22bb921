"""Policies that tell more hands apart than buckets can: on every board they have a table of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.policy.base import Cards, Floats
from kibitz.policy.hands import HOLES
from kibitz.tree import Tree

MOST_ACTIONS = 3  # at a decision


class BoardPolicy(ABC):
    """A policy on the betting tree of two-player limit hold'em, asked board by board for all hands at once.

    It must treat boards and hands alike that differ in the names of suits only: best responses deal these once.

    tree   its betting tree
    """

    tree: Tree

    @abstractmethod
    def fill(self, player: int, board: Sequence[int], hands: Cards, found: npt.NDArray[np.float32]) -> None:
        """Set found : float32[decisions, MOST_ACTIONS, width], the probabilities at `decisions(player, round)`.

        Actions are in the order of the tree; of those that a decision lacks nothing is said. Hands that share a card
        with the board never act.

        board : the cards of the round
        hands : uint8[n, 2], n <= width
        """

    def decisions(self, player: int, round_: int) -> npt.NDArray[np.int64]:
        """The decisions of a player in a round, in the order of the tree: nodes int64[n]."""
        nodes = self.tree.decisions
        return np.asarray(nodes[(self.tree.player[nodes] == player) & (self.tree.round[nodes] == round_)])

    def states(self, player: int, round_: int, holes: Cards, boards: Cards) -> npt.NDArray[np.int32]:
        """The buckets of hands, as `HandPolicy` has them: here there is one."""
        return np.zeros(len(holes), dtype=np.int32)

    def at(self, node: int, board: Sequence[int]) -> Floats:
        """The probabilities at a decision for all hands of `HOLES`: float64[actions, 1326], 0 for those of `board`.

        board : at least the cards that the round of the decision has
        """
        player, round_ = int(self.tree.player[node]), int(self.tree.round[node])
        found = self.table(player, board[: self.tree.game.board_ends[round_]], HOLES)
        return found[self.number(node), : int(self.tree.children[node])].astype(np.float64)

    def number(self, node: int) -> int:
        """The place of a decision among those of its player in its round."""
        return int(np.searchsorted(self.decisions(int(self.tree.player[node]), int(self.tree.round[node])), node))

    def table(self, player: int, board: Sequence[int], hands: Cards) -> npt.NDArray[np.float32]:
        """What `fill` fills, for these hands: float32[decisions, MOST_ACTIONS, n]."""
        count = len(self.decisions(player, self.tree.game.board_ends.index(len(board))))
        found = np.zeros((count, MOST_ACTIONS, len(hands)), dtype=np.float32)
        self.fill(player, board, hands, found)
        return found
