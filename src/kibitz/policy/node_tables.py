"""What a strategy does at one node, with every hand or private state: probabilities, and how likely it is to get there.

The reach of a hand is the product of its owner's own action probabilities on the way to the node: in sequence form, the
realisation weight of the last of them. What the others did, and the cards, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction
from kibitz.deals import MatrixDeal
from kibitz.policy.base import Cards, Floats
from kibitz.policy.hands import HOLES
from kibitz.strategy import Strategy, StrategyError

Ints = npt.NDArray[np.int64]


class NodeTable(NamedTuple):
    """A decision: a row for every hand or state.

    rows          : int64[n]            states, or the places of hands in `HOLES`
    probabilities : float64[actions, n]
    reach         : float64[n]          from 0 to 1
    """

    rows: Ints
    probabilities: Floats
    reach: Floats


def hand_table(
    strategy: Strategy, node: int, abstractions: Sequence[CardAbstraction], board: Sequence[int]
) -> NodeTable:
    """All hands of hold'em that share no card with `board`, which has the cards of the node's round."""
    tree = strategy.layout.tree
    player, round_ = int(tree.player[node]), int(tree.round[node])
    wanted = tree.game.board_ends[round_]
    if len(board) != wanted:
        raise StrategyError(f"{len(board)} cards on the board: in round {round_ + 1} there are {wanted}")
    there = np.flatnonzero(~np.isin(HOLES, np.array(board, dtype=np.uint8)).any(axis=1))
    holes: Cards = HOLES[there]

    def states(when: int) -> Ints:
        cards = np.array(board[: tree.game.board_ends[when]], dtype=np.uint8)
        boards = np.broadcast_to(cards, (len(holes), len(cards)))
        return abstractions[player].buckets(holes, boards, when).astype(np.int64)

    return NodeTable(
        there, np.asarray(strategy.at(node)[:, states(round_)]), _reach(strategy, node, len(holes), states)
    )


def state_table(strategy: Strategy, node: int, deal: MatrixDeal | None = None) -> NodeTable:
    """All private states or buckets; without a `deal`, which knows where they come from, reach is of one round only."""
    tree = strategy.layout.tree
    player, round_ = int(tree.player[node]), int(tree.round[node])
    rows = np.arange(int(strategy.layout.states[node]))

    def states(when: int) -> Ints | None:
        index: Ints = rows
        if deal is None:
            return index if when == round_ else None
        for later in range(round_, when, -1):
            index = deal.rounds[later].parent[player][index]
        return index

    return NodeTable(rows, np.array(strategy.at(node), dtype=np.float64), _reach(strategy, node, len(rows), states))


def _reach(strategy: Strategy, node: int, count: int, states: Callable[[int], Ints | None]) -> Floats:
    """The product of the own probabilities before `node`, of `count` rows.

    states   gives their states in a round; None where they are not known, and the round is left out
    """
    tree, player = strategy.layout.tree, int(strategy.layout.tree.player[node])
    reach: Floats = np.ones(count)
    found: dict[int, Ints | None] = {}
    while node > 0:
        before = int(tree.parent[node])
        if tree.player[before] == player:
            when = int(tree.round[before])
            if when not in found:
                found[when] = states(when)
            known = found[when]
            if known is not None:
                reach *= strategy.at(before)[node - int(tree.first_child[before])][known]
        node = before
    return reach
