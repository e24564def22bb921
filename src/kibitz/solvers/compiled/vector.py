"""A betting tree and a matrix deal laid out for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.errors import KibitzError
from kibitz.lanes import aligned_zeros
from kibitz.solvers.compiled.leaves import DenseLeaves
from kibitz.solvers.vector import BLOCKS, ENTRIES, LANES
from kibitz.strategy import Layout, Strategy
from kibitz.tree import Tree
from kibitz.tree.columns import node_table

Arrays = tuple[npt.NDArray[np.generic], ...]
WIDE = 96  # states of a lone block from which BLAS multiplies sooner than the kernels


@dataclass(frozen=True, eq=False)
class VectorGame:
    """A two-player game in flat arrays: `vector._kernels` explains the arrays."""

    tree: Tree
    deal: MatrixDeal

    def __post_init__(self) -> None:
        if self.tree.game.players != 2:
            raise KibitzError(f"vector solvers are for two players, not {self.tree.game.players}")
        if len(set(self.tree.game.antes_paid)) > 1:
            raise KibitzError(f"antes {self.tree.game.antes}: with unequal antes a showdown is not symmetric")
        if self.deal.counts.shape[0] != self.tree.game.rounds:
            raise KibitzError("the deal and the tree have different numbers of rounds")

    @cached_property
    def layout(self) -> Layout:
        """Where the probabilities of each node stand."""
        return Layout(self.tree, self.deal.counts, self.deal.fingerprint)

    @cached_property
    def stake(self) -> npt.NDArray[np.float64]:
        """Chips that change hands at each terminal node."""
        return self.tree.stakes

    def _slots(self) -> tuple[npt.NDArray[np.int64], int]:
        """Where each player's reach stands: int64[2, n], and the size of the buffer, a half for each."""
        tree, counts = self.tree, self.deal.counts
        slots = np.zeros((2, len(tree)), dtype=np.int64)
        used = [int(counts[0, 0]), int(counts[0, 1])]
        for node in range(1, len(tree)):
            above = int(tree.parent[node])
            for p in range(2):
                if tree.player[above] == p or tree.round[above] != tree.round[node]:
                    slots[p, node] = used[p]
                    used[p] += int(counts[tree.round[node], p])
                else:
                    slots[p, node] = slots[p, above]
        slots[1] += max(used)
        return slots, 2 * max(used)

    def _places(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int]:
        """Where values stand and where the parent reads them, both int64[2, n], and the size of the buffer."""
        tree, counts = self.tree, self.deal.counts
        round_ = tree.round.astype(np.int64)
        above = np.where(tree.parent >= 0, round_[tree.parent], round_)
        folded = np.where(above == round_, 0, counts[above].T)  # a card fell: the parent needs fewer, summed up
        wide = self._room()[round_].T
        ends = np.cumsum(wide + folded, axis=1)
        places = ends - wide - folded
        size = int(ends[:, -1].max())
        places[1] += size
        return places, np.where(folded > 0, places + wide, places), 2 * size

    def _room(self) -> npt.NDArray[np.int64]:
        """What the values of a round need, int64[rounds, 2]: the kernels write every block in whole LANES."""
        room = np.zeros_like(self.deal.counts)
        for r, each in enumerate(self.deal.rounds):
            for p, edges in enumerate(each.edges):
                room[r, p] = (edges[:-1] + -(-np.diff(edges) // LANES) * LANES).max()
        return room

    @cached_property
    def _compiled(self) -> tuple[Arrays, int, int]:
        """The arrays of the game, and the sizes of the buffers for reach and values."""
        slots, reach_size = self._slots()
        places, ups, value_size = self._places()
        nodes = node_table(self.tree, self.layout.offset[:-1], *slots, *places, *ups)
        walk = (self.order, self.units)
        return (nodes, self.stake, *walk, *self._deal_arrays(), self.levels), reach_size, value_size

    @cached_property
    def is_dense(self) -> bool:
        """Whether every round is one block, and a wide one: then `leaves` values the leaves."""
        return all(len(each.start) == 2 for each in self.deal.rounds) and bool(self.deal.counts.max() >= WIDE)

    @cached_property
    def leaves(self) -> DenseLeaves:
        """The leaves of a dense game."""
        return DenseLeaves(self)

    @property
    def game(self) -> Arrays:
        """(nodes, stake, order, units, rounds, blocks, maps, entries, levels), as the kernels take them."""
        return self._compiled[0]

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """The nodes, parents first: subtree by subtree, those of the first round, of the second, and so on."""
        return np.lexsort((self._subtree, self.tree.round))

    @cached_property
    def units(self) -> npt.NDArray[np.int64]:
        """Where each subtree of a round begins in `order`; the last entry is the number of nodes."""
        subtree = self._subtree[self.order]
        return np.append(np.flatnonzero(np.diff(subtree, prepend=-1)), len(subtree))

    @cached_property
    def levels(self) -> npt.NDArray[np.int64]:
        """The first unit of each round; the last entry is the number of units."""
        round_ = self.tree.round[self.order[self.units[:-1]]]
        return np.searchsorted(round_, np.arange(self.tree.game.rounds + 1))

    @cached_property
    def _subtree(self) -> npt.NDArray[np.int64]:
        """The first node of the round in every node's past: it names the subtree of the round."""
        tree = self.tree
        subtree = np.arange(len(tree))
        for node in range(1, len(tree)):
            above = int(tree.parent[node])
            if tree.round[above] == tree.round[node]:
                subtree[node] = subtree[above]
        return subtree

    def _deal_arrays(self) -> Arrays:
        """(rounds, blocks, maps, entries)."""
        deal = self.deal
        rounds = np.zeros((len(deal.rounds), 8), dtype=np.int64)
        maps = np.zeros((2, int(deal.counts.sum(axis=0).max())), dtype=np.uint32)
        widths: list[npt.NDArray[np.int64]] = []
        entries: list[npt.NDArray[np.float64]] = []
        size = first = 0
        for r, each in enumerate(deal.rounds):
            rounds[r, :2] = deal.counts[r]
            rounds[r, 2:4] = deal.counts[:r].sum(axis=0)
            rounds[r, BLOCKS : BLOCKS + 2] = first, first + len(each.start) - 1
            first = rounds[r, BLOCKS + 1]
            widths.append(np.column_stack([np.diff(edges) for edges in each.edges]))
            for p in range(2):
                begin = rounds[r, 2 + p]
                maps[p, begin : begin + deal.counts[r, p]] = each.parent[p]
                rounds[r, ENTRIES + p] = size
                if not self.is_dense:  # whose matrices are those of `leaves`
                    entries += _matrices(each, p)
                    size = sum(matrices.shape[1] for matrices in entries)
        flat = aligned_zeros(2 * size, np.float64)
        if entries:
            np.concatenate(entries, axis=1, out=flat.reshape(2, size))
        return rounds, np.concatenate(widths), maps, flat

    def scratch(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Buffers for reach (ones at the root) and values."""
        _game, reach_size, value_size = self._compiled
        reach = np.empty(reach_size)
        for p in range(2):
            self.at_root(reach, p)[...] = 1.0
        return reach, np.empty(value_size)

    def at_root(self, buffer: npt.NDArray[np.float64], p: int) -> npt.NDArray[np.float64]:
        """Player p's numbers at the root in a buffer for reach or values, in which each player has a half; a view."""
        begin = p * (len(buffer) // 2)
        return buffer[begin : begin + self._root_states[p]]

    @cached_property
    def _root_states(self) -> list[int]:
        states: list[int] = self.deal.counts[0].tolist()
        return states

    def check(self, strategy: Strategy) -> None:
        """Refuse a strategy of another tree or deal."""
        strategy.layout.check_same(self.layout)


def _matrices(each: RoundDeal, p: int) -> list[npt.NDArray[np.float64]]:
    """Weights and signs of every block as player p reads them: float64[2, opposing states * own], own states filled up
    with zeros to whole LANES.
    """
    found, rows = [], each.edges[0]
    for b in range(len(each.start) - 1):
        both = np.stack([flat[each.start[b] : each.start[b + 1]] for flat in (each.weight, each.sign)])
        both = both.reshape(2, rows[b + 1] - rows[b], -1)
        both = both if p else both.swapaxes(1, 2)
        found.append(np.pad(both, ((0, 0), (0, 0), (0, -both.shape[2] % LANES))).reshape(2, -1))
    return found
