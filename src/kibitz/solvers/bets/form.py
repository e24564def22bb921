"""Transformed trees as the vector kernels take them: forms whose stakes are real numbers, and may move."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.solvers.bets.tree import BetTree
from kibitz.solvers.vector.dense import DenseLeaves
from kibitz.solvers.vector.form import Form
from kibitz.strategy import Layout
from kibitz.tree import DECISION, FOLD

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BetForm(Form):
    """The equivalent abstract game of a transformed tree (definition 1 of Hawkin 2014): a form with these stakes.

    Everything that takes a `Form` takes it: CFR, best responses, the linear program.
    """

    stakes: Floats

    @cached_property
    def stake(self) -> Floats:
        """Chips that change hands at each end of the hand; call `restake` after changing them."""
        return np.array(self.stakes, dtype=np.float64)

    @cached_property
    def leaves(self) -> MovingLeaves:
        """The leaves of a dense form."""
        return MovingLeaves(self, self.game[0].astype(np.int64))

    def restake(self) -> None:
        """Take over what was written to `stake`."""
        if self.is_dense:
            self.leaves.restake(self.stake)


def equivalent_game(tree: BetTree, sizes: Floats, deal: MatrixDeal) -> BetForm:
    """The game in which every bet-sizing player is one bet of its effective size."""
    return BetForm(tree.shape, deal, tree.stakes(sizes))


class MovingLeaves(DenseLeaves):
    """Leaves whose stakes may change."""

    def __init__(self, form: BetForm, nodes: Ints) -> None:
        from kibitz.solvers.vector import _kernels

        super().__init__(form, nodes)
        ends = np.flatnonzero(form.tree.kind != DECISION)
        self._groups: list[tuple[Floats, Ints, Floats]] = []  # scale, nodes and signs of every group of leaves
        for p in range(2):
            order = np.argsort(nodes[ends, _kernels.PLACE + p])
            places = nodes[ends[order], _kernels.PLACE + p]
            for group in {id(piece[0]): piece[0] for piece in self._pieces[p]}.values():
                leaves = ends[order[np.searchsorted(places, group.places)]]
                self._groups.append((group.scale, leaves, np.sign(group.scale)))

    def restake(self, stake: Floats) -> None:
        """Scale the leaves by these stakes."""
        for scale, leaves, signs in self._groups:
            scale[...] = signs * stake[leaves]


class Walk:
    """The arrays of a transformed tree for `bets._kernels`, and its scratch."""

    def __init__(self, tree: BetTree, layout: Layout) -> None:
        shape = tree.shape
        columns = (shape.kind, shape.player, shape.round, shape.first_child, shape.children, layout.offset[:-1])
        self.nodes = np.column_stack((*columns, tree.edge, tree.sizer, shape.parent)).astype(np.int64)
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

    def __init__(self, tree: BetTree, form: BetForm, walk: Walk) -> None:
        from kibitz.solvers.vector import _kernels

        self.form, self.walk = form, walk
        shape, nodes = form.tree, form.game[0].astype(np.int64)
        leaves = np.flatnonzero(shape.kind != DECISION)
        loser = np.where(shape.kind[leaves] == FOLD, 1 - shape.player[leaves].astype(np.int64), 0)
        widths = form.deal.counts[shape.round[leaves].astype(np.int64), 1]
        self._leaves = (leaves, loser, nodes[leaves, _kernels.SLOT + 1], nodes[leaves, _kernels.PLACE + 1], widths)
        self._pull = np.zeros((len(shape), 2))
        self._groups = []  # per round: sizers, where both players' reach stands, and the weights
        rounds = shape.round[walk.bets].astype(np.int64)
        for r in np.unique(rounds):
            here = np.flatnonzero(rounds == r)
            slots = [
                nodes[walk.bets[here], _kernels.SLOT + p][:, None] + np.arange(form.deal.counts[r, p]) for p in range(2)
            ]
            deal = form.deal.rounds[r]
            self._groups.append((here, slots, deal.dense(deal.weight)))
        self.slope, self.reach = np.zeros(len(tree.sizers)), np.zeros(len(tree.sizers))

    def find(self, sizers: Floats, reach: Floats, values: Floats) -> None:
        """Fill `slope` and `reach`; `values` holds the leaves of player 1, `walk.chips` the chips."""
        from kibitz.solvers.bets import _kernels

        walk = self.walk
        _kernels.pull_leaves(*self._leaves, reach, values, self.form.stake, self._pull)
        _kernels.slopes(walk.nodes, walk.fraction, sizers, walk.chips, self._pull, self.slope)
        for here, slots, weight in self._groups:
            self.reach[here] = np.einsum("ij,ij->i", reach[0][slots[0]] @ weight, reach[1][slots[1]])
