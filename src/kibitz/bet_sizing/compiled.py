"""Transformed trees as the vector kernels take them: forms whose stakes are real numbers, and may move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.tree import BetTree
from kibitz.deals import MatrixDeal
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector import PLACE, SLOT
from kibitz.strategy import Layout
from kibitz.tree import DECISION, FOLD
from kibitz.tree.columns import node_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BetSizingGame(VectorGame):
    """The equivalent abstract game of a transformed tree (definition 1 of Hawkin 2014): a form with these stakes.

    Everything that takes a `VectorGame` takes it: CFR, best responses, the linear program.
    """

    stakes: Floats

    @cached_property
    def stake(self) -> Floats:
        """Chips that change hands at each terminal node; they may be changed."""
        return np.array(self.stakes, dtype=np.float64)


def equivalent_game(tree: BetTree, sizes: Floats, deal: MatrixDeal) -> BetSizingGame:
    """The game in which every bet-sizing player is one bet of its effective size."""
    return BetSizingGame(tree.shape, deal, tree.stakes(sizes))


class Walk:
    """The arrays of a transformed tree for `bets._kernels`, and its scratch."""

    def __init__(self, tree: BetTree, layout: Layout) -> None:
        shape = tree.shape
        self.nodes = node_table(shape, layout.offset[:-1], tree.edge, tree.sizer)
        self.fraction = tree.fraction
        self.stack = tree.stack
        self.chips = np.empty((len(shape), 2))
        self.chips[0] = tree.root_chips
        self.bets = np.array([each.node for each in tree.sizers], dtype=np.int64)

    @property
    def game(self) -> tuple[Ints, Floats, float]:
        """(nodes, fraction, stack), as the sampled kernels take them."""
        return self.nodes, self.fraction, self.stack


class Slopes:
    """d value / d size of every bet-sizing player after a vector pass, and the probability of its bet."""

    def __init__(self, tree: BetTree, compiled: BetSizingGame, walk: Walk) -> None:
        self.compiled, self.walk = compiled, walk
        shape, nodes = compiled.tree, compiled.game[0].astype(np.int64)
        leaves = np.flatnonzero(shape.kind != DECISION)
        loser = np.where(shape.kind[leaves] == FOLD, 1 - shape.player[leaves].astype(np.int64), 0)
        widths = compiled.deal.counts[shape.round[leaves].astype(np.int64), 1]
        self.ends, self._loser = leaves, loser
        self.slots, self.places = nodes[leaves, SLOT + 1], nodes[leaves, PLACE + 1]
        self.widths = widths
        self._pull = np.zeros((len(shape), 2))
        self.groups = []  # per round: sizers, where both players' reach stands, and the weights
        rounds = shape.round[walk.bets].astype(np.int64)
        for r in np.unique(rounds):
            here = np.flatnonzero(rounds == r)
            slots = [nodes[walk.bets[here], SLOT + p] for p in range(2)]
            deal = compiled.deal.rounds[r]
            self.groups.append((here, slots, deal.dense(deal.weight)))
        self.slope, self.reach = np.zeros(len(tree.sizers)), np.zeros(len(tree.sizers))

    def find(self, sizers: Floats, reach: Floats, values: Floats) -> None:
        """Fill `slope` and `reach`; `values` holds the leaves of player 1, `walk.chips` the chips."""
        from kibitz.bet_sizing import _kernels

        won = np.empty(len(self.ends))
        _kernels.won_at(self.slots, self.places, self.widths, reach, values, won)
        self.settle(sizers, won)
        for here, slots, weight in self.groups:
            rows = [
                reach[start[:, None] + np.arange(states)] for start, states in zip(slots, weight.shape, strict=True)
            ]
            self.reach[here] = np.einsum("ij,ij->i", rows[0] @ weight, rows[1])

    def settle(self, sizers: Floats, won: Floats) -> None:
        """Fill `slope` from what player 1 wins at each of `ends`: X(z) = -won / stake."""
        from kibitz.bet_sizing import _kernels

        walk, pull = self.walk, self._pull
        pull[self.ends] = 0.0
        stake = self.compiled.stake[self.ends]  # 0 where somebody folds who has put in nothing: no size moves that
        pull[self.ends, self._loser] = -np.divide(won, stake, out=np.zeros_like(won), where=stake > 0)
        _kernels.slopes(walk.nodes, walk.fraction, sizers, walk.chips, pull, self.slope)
