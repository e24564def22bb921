"""A betting tree and a sampled deal laid out for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import lcm

import numpy as np
import numpy.typing as npt

from kibitz.deals.sampled import SampledDeal
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.games.pots import layers
from kibitz.strategy import Layout
from kibitz.tree import DECISION, Tree

Pots = tuple[tuple[int, int], ...]  # chips and the mask of those who may win them


@dataclass(frozen=True, eq=False)
class SampledForm:
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
                f"{game.players} players: they do not go together"
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
    def game(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64], int, bool]:
        """(nodes, net, pots, unit, whole), as the kernels take them."""
        tree, game = self.tree, self.tree.game
        net = -(tree.spent + np.array(game.antes_paid))
        spans = np.zeros((len(tree), 2), dtype=np.int64)  # the first pot of a node and the number of its pots
        shared: dict[tuple[bytes, int], tuple[npt.NDArray[np.int64], tuple[int, int]]] = {}
        pots: list[tuple[int, int]] = [(0, 0)]
        for node in np.flatnonzero(tree.kind != DECISION):
            key = (tree.spent[node].tobytes(), int(tree.folded[node]))
            if key not in shared:
                sure, contested = divide(game, tuple(map(int, tree.spent[node])), key[1])
                shared[key] = np.array(sure), (len(pots), len(contested))
                pots += contested
            net[node] += shared[key][0]
            spans[node] = shared[key][1]
        columns = (tree.player, tree.round, tree.parent, tree.first_child, tree.children, self.layout.offset[:-1])
        nodes = np.column_stack((*columns, spans)).astype(np.int64)
        counted = np.array(pots, dtype=np.int64) * (self.unit, 1)
        return nodes, net * self.unit, counted, self.unit, game.rules == "tda"

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


def divide(game: Game, spent: tuple[int, ...], folded: int) -> tuple[list[int], Pots]:
    """Chips each player gets back whatever the cards, and the pots that cards decide.

    A pot that only players reached who have folded goes to the best hand of all; see `games.pots`.
    """
    antes, everybody = game.antes_paid, range(game.players)
    piles = list(layers(spent))
    if game.ante_trimming:
        piles = [*layers(antes), *piles]
    chips: dict[int, int] = {} if game.ante_trimming or not any(antes) else {_left(everybody, folded): sum(antes)}
    for share, contributors in piles:
        contenders = _left(contributors, folded)
        chips[contenders] = chips.get(contenders, 0) + share * len(contributors)
    sure, contested = [0] * game.players, []
    for contenders, amount in chips.items():
        mask = contenders or _left(everybody, folded)
        if mask.bit_count() == 1:
            sure[mask.bit_length() - 1] += amount
        else:
            contested.append((amount, mask))
    return sure, tuple(contested)


def _left(players: range | list[int], folded: int) -> int:
    """The mask of those of `players` who have not folded."""
    return sum(1 << player for player in players if not folded >> player & 1)
