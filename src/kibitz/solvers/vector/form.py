"""A betting tree and a matrix deal laid out for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.errors import KibitzError
from kibitz.strategy import Layout, Strategy
from kibitz.tree import FOLD, Tree

Arrays = tuple[npt.NDArray[np.generic], ...]


@dataclass(frozen=True, eq=False)
class Form:
    """The flat form of a two-player game: `vector._kernels` explains the arrays."""

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
        """Chips that change hands at each terminal node: what the loser has in, or both at a showdown."""
        tree = self.tree
        stake = tree.spent.min(axis=1).astype(np.float64)
        folds = np.flatnonzero(tree.kind == FOLD)
        stake[folds] = tree.spent[folds, 1 - tree.player[folds].astype(np.int64)]
        return stake + tree.game.antes_paid[0]

    def _slots(self) -> tuple[npt.NDArray[np.int64], int]:
        """Where each player's reach stands: int64[2, n], and the size of the larger buffer."""
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
        return slots, max(used)

    @cached_property
    def _tree_parts(self) -> tuple[Arrays, int, int]:
        tree, counts = self.tree, self.deal.counts
        sizes = counts[tree.round.astype(np.int64)]  # states of both players at every node
        places = np.zeros((2, len(tree)), dtype=np.int64)
        places[:, 1:] = np.cumsum(sizes, axis=0)[:-1].T
        slots, reach_size = self._slots()
        arrays = (
            tree.kind.astype(np.int64),
            tree.player.astype(np.int64),
            tree.round.astype(np.int64),
            tree.first_child.astype(np.int64),
            tree.children.astype(np.int64),
            self.layout.offset,
            self.stake,
            slots,
            places,
        )
        return arrays, reach_size, int(sizes.sum(axis=0).max())

    @cached_property
    def tree_arrays(self) -> Arrays:
        return self._tree_parts[0]

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """The nodes, parents first: the trunk before the last round, then the subtrees of the last round."""
        return np.argsort(self._subtree, kind="stable")

    @cached_property
    def units(self) -> npt.NDArray[np.int64]:
        """Where each subtree of the last round begins in `order`; the last entry is the number of nodes."""
        subtree = self._subtree[self.order]
        return np.searchsorted(subtree, np.arange(1, subtree[-1] + 2))

    @cached_property
    def _subtree(self) -> npt.NDArray[np.int64]:
        """The subtree of the last round each node belongs to, numbered from 1; 0 for the trunk."""
        tree = self.tree
        last = tree.game.rounds - 1
        subtree = np.zeros(len(tree), dtype=np.int64)
        found = 0
        for node in range(len(tree)):
            above = int(tree.parent[node])
            if above >= 0 and subtree[above]:
                subtree[node] = subtree[above]
            elif tree.round[node] == last:
                found += 1
                subtree[node] = found
        return subtree

    @cached_property
    def deal_arrays(self) -> Arrays:
        deal = self.deal
        rounds = len(deal.rounds)
        map_start = np.zeros((2, rounds), dtype=np.int64)
        longest = deal.counts.sum(axis=0).max()
        maps = np.zeros((2, longest), dtype=np.int64)
        for p in range(2):
            at = 0
            for r, each in enumerate(deal.rounds):
                map_start[p, r] = at
                maps[p, at : at + len(each.parent[p])] = each.parent[p]
                at += len(each.parent[p])
        first_block, start, rows, columns, total = [0], [], [], [], 0
        for each in deal.rounds:
            blocks = len(each.start) - 1
            first_block.append(first_block[-1] + blocks)
            start.append(each.start[:-1] + total)
            total += int(each.start[-1])
            rows.append(np.column_stack((each.edges[0][:-1], each.edges[0][1:])))
            columns.append(np.column_stack((each.edges[1][:-1], each.edges[1][1:])))
        return (
            deal.counts,
            maps,
            map_start,
            np.array(first_block, dtype=np.int64),
            np.concatenate(rows).astype(np.int64),
            np.concatenate(columns).astype(np.int64),
            np.concatenate(start).astype(np.int64),
            np.concatenate([each.weight for each in deal.rounds]),
            np.concatenate([each.sign for each in deal.rounds]),
        )

    def scratch(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Buffers for reach (ones at the root), values, and one node's children."""
        _arrays, reach_size, value_size = self._tree_parts
        actions = int(self.tree.children.max())
        return np.ones((2, reach_size)), np.zeros((2, value_size)), np.empty((actions, int(self.deal.counts.max())))

    def check(self, strategy: Strategy) -> None:
        """Refuse a strategy of another tree or deal."""
        strategy.layout.check_same(self.layout)
