"""A betting tree and a sampled deal laid out for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.deals.sampled import SampledDeal
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.games.pots import merged_pots
from kibitz.strategy import Layout
from kibitz.tree import DECISION, Tree
from kibitz.tree.columns import node_table

Pots = tuple[tuple[int, int], ...]  # chips and the mask of those who may win them


@dataclass(frozen=True, eq=False)
class SampledGame:
    """The flat form of a game of 2 to 10 players: `sampled._kernels` explains the arrays.

    Sums of regrets and strategies are kept information set by information set, the actions of one side by side:
    entry (state, action) of node n is offset[n] + state * actions + action. `as_laid_out` brings them into the
    order of strategies.
    """

    tree: Tree
    deal: SampledDeal

    def __post_init__(self) -> None:
        game = self.tree.game
        if self.deal.counts.shape != (game.rounds, game.players):
            rounds, players = self.deal.counts.shape
            raise KibitzError(
                f"a deal of {rounds} rounds and {players} players for a tree of {game.rounds} rounds and "
                f"{game.players} players: the numbers must be equal"
            )

    @cached_property
    def layout(self) -> Layout:
        """Where the probabilities of each node stand; equal to the vector solvers' where states are."""
        return Layout(self.tree, self.deal.counts, self.deal.fingerprint)

    @cached_property
    def unit(self) -> int:
        """Parts a chip is counted in, so that pots split evenly among any number of players."""
        return lcm(*range(1, self.tree.game.players + 1))

    @cached_property
    def game(self) -> tuple[npt.NDArray[np.signedinteger], npt.NDArray[np.int64], npt.NDArray[np.int64], int, bool]:
        """(nodes, ends, pots, unit, whole), as the kernels take them."""
        tree, game = self.tree, self.tree.game
        terminal = np.flatnonzero(tree.kind != DECISION)
        first, which = _distinct(np.column_stack((tree.folded[terminal], tree.spent[terminal])))
        ends = np.empty((len(first), 2 + game.players), dtype=np.int64)
        pots: list[tuple[int, int]] = []
        for end, node in enumerate(terminal[first]):
            sure, contested = divide(game, tuple(tree.spent[node].tolist()), int(tree.folded[node]))
            net = self.unit * (np.array(sure) - tree.spent[node] - game.antes_paid)
            ends[end] = len(pots), len(contested), *net
            pots += [(self.unit * chips, mask) for chips, mask in contested]
        ends_of = np.zeros(len(tree), dtype=np.int64)
        ends_of[terminal] = which
        dtype = np.int32 if self.layout.size < 1 << 31 else np.int64
        nodes = node_table(tree, self.layout.offset[:-1], ends_of, dtype=dtype)
        return nodes, ends, np.array(pots, dtype=np.int64).reshape(-1, 2), self.unit, game.rules == "tda"

    @cached_property
    def largest_pot(self) -> int:
        """The most chips that a hand can be about, in parts of a chip."""
        return self.unit * int(self.tree.spent.sum(axis=1).max() + sum(self.tree.game.antes_paid))

    def match(self, sums: npt.NDArray[np.generic], dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """Sums of the kernels as probabilities in the order of strategies: shares of what is positive, else uniform."""
        from kibitz.solvers.sampled import _kernels

        values = np.empty(self.layout.size, dtype=dtype)
        _kernels.match(self.game[0], self.layout.counts, sums, values)
        return values

    @cached_property
    def _order(self) -> npt.NDArray[np.int64]:
        """Where entry e of a strategy stands among the sums."""
        order = np.arange(self.layout.size)
        for node in self.tree.decisions:
            begin, end = self.layout.offset[node], self.layout.offset[node + 1]
            order[begin:end] = order[begin:end].reshape(-1, int(self.tree.children[node])).T.ravel()
        return order

    def as_laid_out(self, sums: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
        """Sums of the kernels in the order of strategies, as float64."""
        return sums[self._order].astype(np.float64)


def _distinct(rows: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Of rows [n, k] of numbers from 0 on: where each different one stands first, and which of them each row is."""
    code = np.zeros(len(rows), dtype=np.int64)
    bound = 1  # of the codes
    for column in rows.T:
        base = int(column.max()) + 1
        if bound * base >= 1 << 62:
            code = np.unique(code, return_inverse=True)[1]
            bound = int(code.max()) + 1
        code = code * base + column
        bound *= base
    _codes, first, which = np.unique(code, return_index=True, return_inverse=True)
    return first, which


def divide(game: Game, spent: tuple[int, ...], folded: int) -> tuple[list[int], Pots]:
    """Chips each player gets back whatever the cards, and the pots that cards decide, as `games.pots` has them."""
    left = [player for player in range(game.players) if not folded >> player & 1]
    sure, contested = [0] * game.players, []
    for amount, contenders in merged_pots(spent, game.antes_paid, left, game.rules == "tda", game.ante_trimming):
        if len(contenders) == 1:
            sure[contenders[0]] += amount
        else:
            contested.append((amount, sum(1 << player for player in contenders)))
    return sure, tuple(contested)
