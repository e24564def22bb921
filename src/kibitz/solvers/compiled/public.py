"""A betting tree and a matrix deal laid out for walks on one board at a time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.tree.columns import node_table

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


class PublicGame(NamedTuple):
    """What `public._kernels` works on. A *block* is a public state; blocks of all rounds are numbered end to end.

    nodes      : int64[n, 7]    see `kibitz.tree.columns`
    stake      : float64[n]     chips that change hands at a terminal node
    counts     : int64[r, 2]    private states of each player, all blocks together
    blocks     : int64[b, 5]    player 0's states from, to, player 1's from, to, and where the entries begin
    parents    : int64[r, 2, m] the place, in its own block, of the state of the round before that a state refines
    entries    : float64[2, 2, e]  weight and sign given the block, as matrices of each player: [his opponent's state,
                                   his own]
    chains     : int64[boards, r]  for every block of the last round, the blocks of all rounds that lead to it
    cumulative : float64[boards]   the probability of a board up to this one
    """

    nodes: Ints
    stake: Floats
    counts: Ints
    blocks: Ints
    parents: Ints
    entries: Floats
    chains: Ints
    cumulative: Floats

    @property
    def width(self) -> int:
        """The most private states of a player in a block."""
        return int(max((self.blocks[:, 1] - self.blocks[:, 0]).max(), (self.blocks[:, 3] - self.blocks[:, 2]).max()))

    def scratch(self) -> tuple[Floats, Floats]:
        """Buffers for reach (ones at the root), [n, 2, width], and values, [n + 1, width]."""
        return np.ones((len(self.nodes), 2, self.width)), np.empty((len(self.nodes) + 1, self.width))


def public_form(compiled: VectorGame) -> PublicGame:
    """The game of the vector solvers, laid out anew."""
    deal = compiled.deal
    blocks, entries, mass = _blocks(deal)
    chains = _chains(deal)
    return PublicGame(
        node_table(compiled.tree, compiled.layout.offset[:-1]),
        compiled.stake,
        deal.counts,
        blocks,
        _parents(deal),
        entries,
        chains,
        np.cumsum(mass[chains[:, -1]]),
    )


def _blocks(deal: MatrixDeal) -> tuple[Ints, Floats, Floats]:
    """(blocks, entries, probability of each block)."""
    blocks: list[tuple[int, ...]] = []
    entries: list[list[Floats]] = [[], [], [], []]
    mass: list[float] = []
    size = 0
    for each in deal.rounds:
        rows, columns = each.edges
        for b in range(len(rows) - 1):
            begin, end = each.start[b], each.start[b + 1]
            blocks.append((rows[b], rows[b + 1], columns[b], columns[b + 1], size))
            mass.append(float(each.weight[begin:end].sum()))
            for kind, flat in enumerate((each.weight, each.sign)):
                matrix = flat[begin:end].reshape(rows[b + 1] - rows[b], -1) / mass[-1]
                entries[2 * kind].append(matrix.T.ravel())
                entries[2 * kind + 1].append((-matrix if kind else matrix).ravel())
            size += int(end - begin)
    stacked = np.array([np.concatenate(matrices) for matrices in entries]).reshape(2, 2, -1)
    return np.array(blocks, dtype=np.int64), stacked, np.array(mass)


def _holder(deal: MatrixDeal, round_: int, player: int) -> Ints:
    """The block, within its round, of each of a player's states."""
    edges = deal.rounds[round_].edges[player]
    return np.repeat(np.arange(len(edges) - 1), np.diff(edges))


def _parents(deal: MatrixDeal) -> Ints:
    parents = np.zeros((len(deal.rounds), 2, int(deal.counts.max())), dtype=np.int64)
    for r in range(1, len(deal.rounds)):
        for p in range(2):
            parent = deal.rounds[r].parent[p]
            edges = deal.rounds[r - 1].edges[p]
            parents[r, p, : len(parent)] = parent - edges[_holder(deal, r - 1, p)[parent]]
    return parents


def _chains(deal: MatrixDeal) -> Ints:
    counts = [len(each.start) - 1 for each in deal.rounds]
    chains = np.empty((counts[-1], len(counts)), dtype=np.int64)
    chains[:, -1] = np.arange(counts[-1])
    for r in range(len(counts) - 1, 0, -1):
        firsts = deal.rounds[r].parent[0][deal.rounds[r].edges[0][:-1]]  # all states of a block come from one block
        chains[:, r - 1] = _holder(deal, r - 1, 0)[firsts][chains[:, r]]
    chains += np.cumsum([0, *counts[:-1]])
    return chains
