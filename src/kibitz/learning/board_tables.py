"""A learned policy on the betting tree of heads-up limit hold'em: what it does with all hands, board by board.

What the observer believes is public: it follows from the betting and the board. So on every board there is a table of
probabilities by decision and hand, and all that decisions and hands have by themselves is computed once for each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError
from kibitz.learning.records import BETS, STATES, TYPES, Game, make_work
from kibitz.learning.states import LETTERS
from kibitz.policy.base import Cards, Floats
from kibitz.policy.boards import MOST_ACTIONS, BoardPolicy
from kibitz.policy.hands import decisions
from kibitz.tree import DECISION, Tree

if TYPE_CHECKING:
    from kibitz.learning.policy import LearnedPolicy

ROUNDS = 4
MOST_HANDS = 1328  # all of them, in whole vectors
BLOCK = 256  # as in the kernel
_ANY_BOARD = (0, 5, 10, 15, 20)
_NO_HANDS: Cards = np.zeros((0, 2), dtype=np.uint8)


class RoundTables(NamedTuple):
    """The decisions of a round as `_kernels.tabulating` takes them, a table for each player who may be asked."""

    table: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    features: Floats
    trees: int  # of the next round


class LearnedTables(BoardPolicy):
    """What `policy` does on a betting tree, which must have its actions and no others."""

    def __init__(self, policy: LearnedPolicy, tree: Tree) -> None:
        self.tree, self.policy = tree, policy
        self._rounds = _lay_out(policy, tree)
        self._memories: deque[Any] = deque()
        self._beliefs = lru_cache(maxsize=256)(self._leaving)  # of the boards above the one that is asked for

    def fill(self, player: int, board: Sequence[int], hands: Cards, found: npt.NDArray[np.float32]) -> None:
        if found.shape[2] > MOST_HANDS:
            raise ValueError(f"a table {found.shape[2]} hands wide: at most {MOST_HANDS}")
        self._tabulate(player, tuple(board), hands, found)

    def _leaving(self, board: tuple[int, ...]) -> Floats:
        """The beliefs with which the trees of the next round begin: float64[trees, 2, TYPES]."""
        return self._tabulate(0, board, _NO_HANDS, np.zeros((0, MOST_ACTIONS, 0), dtype=np.float32))

    def _tabulate(self, player: int, board: tuple[int, ...], hands: Cards, found: npt.NDArray[np.float32]) -> Floats:
        from kibitz.learning._kernels import tabulating

        round_ = self.tree.game.board_ends.index(len(board))
        model, betting = self.policy.model, self._rounds[round_]
        if round_:
            entering = self._beliefs(board[: self.tree.game.board_ends[round_ - 1]])
        else:
            entering = np.broadcast_to(model.weights.initial, (1, 2, TYPES)).copy()
        leaving = np.zeros((betting.trees, 2, TYPES))
        work, scratch = memory = self._take_memory()
        weights, desk = model.record, self.policy.desk.game
        asked = tabulating.Asked(betting.table[player], betting.features, entering)
        game = Game(weights, weights, desk.table, desk.mode, work)
        tabulating.tabulate(round_, np.array(board, dtype=np.uint8), hands, asked, game, scratch, leaving, found)
        self._memories.append(memory)
        return leaving

    def _take_memory(self) -> Any:
        """Memory of one thread; another may have taken the last there is at any time."""
        try:
            return self._memories.pop()
        except IndexError:
            return self._make_memory()

    def _make_memory(self) -> Any:
        from kibitz.learning._kernels.tabulating import Scratch

        most = max(len(betting.features) for betting in self._rounds)
        shapes = ((most, 2, STATES), (most, 2, STATES), (most, 2), STATES * MOST_HANDS, MOST_HANDS, BLOCK, BLOCK)
        rest = (np.zeros(shape, dtype=np.float32) for shape in shapes)
        return make_work(), Scratch._make((np.zeros((most, 2, TYPES)), *rest))


def _lay_out(policy: LearnedPolicy, tree: Tree) -> tuple[RoundTables, ...]:
    """The decisions of every round, trees' first ones first."""
    nodes = tree.decisions
    begins = tree.round[nodes] != tree.round[np.maximum(tree.parent[nodes], 0)]
    begins[nodes == 0] = True
    order = [nodes[(tree.round[nodes] == round_) & begins] for round_ in range(ROUNDS)]
    place = np.full(len(tree), -1, dtype=np.int64)  # of decisions in their round
    for round_, roots in enumerate(order):
        here = np.concatenate((roots, nodes[(tree.round[nodes] == round_) & ~begins]))
        order[round_] = here
        place[here] = np.arange(len(here))
    tables = [np.full((len(here), 4 + MOST_ACTIONS), -1, dtype=np.int64) for here in order]
    features = [np.zeros((len(here), 2, BETS + 1)) for here in order]
    for node, state in decisions(tree):
        offered = tree.offered(node)
        if offered != tuple(action.text for action in policy.actions(state)):
            raise AgentError(f"{policy.name} has other actions after {state.history!r} than the tree: {offered}")
        round_, at = int(tree.round[node]), int(place[node])
        policy.advise(state, _NO_HANDS, _ANY_BOARD)
        features[round_][at] = policy.desk.work["features"][policy.desk.work["decisions"]]
        tables[round_][at, :3] = tree.player[node], "f" in offered, 1 + ("r" in offered)
        for number, text in enumerate(offered):
            child = int(tree.first_child[node]) + number
            if tree.kind[child] == DECISION:
                same = tree.round[child] == round_
                tables[round_][at, 4 + LETTERS.index(text)] = place[child] if same else -2 - place[child]
    found = []
    for round_, table in enumerate(tables):
        one, two = (_numbered(table, order[round_], player) for player in range(2))
        found.append(RoundTables((one, two), features[round_], int(begins[tree.round[nodes] == round_ + 1].sum())))
    return tuple(found)


def _numbered(table: npt.NDArray[np.int64], nodes: npt.NDArray[np.int64], player: int) -> npt.NDArray[np.int64]:
    """The same with the numbers of the player's decisions in the order of the tree."""
    numbered = table.copy()
    mine = table[:, 0] == player
    numbered[mine, 3] = np.argsort(np.argsort(nodes[mine]))
    return numbered
