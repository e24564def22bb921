"""A small two-player game as the gradient kernels take it: a betting tree and the list of all its deals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout
from kibitz.tree import build_tree
from kibitz.tree.columns import node_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MOST_DEALS = 1_000_000
UNIFORM = "uniform"  # the name of the U[0,1] game


@dataclass(frozen=True, eq=False)
class SmallGame:
    """A game for two whose deals can be listed; `name` is for people."""

    name: str
    vector: VectorGame

    @classmethod
    def named(cls, name: str, tiles: int = 20) -> SmallGame:
        """A game by its name or file; `uniform` is the U[0,1] game on so many tiles."""
        if name == UNIFORM:
            return cls(name, VectorGame(build_tree(load_game("kuhn")), uniform_deal(tiles)))
        return cls.of(load_game(name))

    @classmethod
    def of(cls, game: Game) -> SmallGame:
        """A game of cards."""
        if game.players != 2:
            raise KibitzError(f"{game.name or 'the game'} has {game.players} players: small games are for two")
        vector = Problem(game).vector
        deals = int(vector.deal.rounds[-1].start[-1])
        if deals > MOST_DEALS:
            raise KibitzError(f"{game.name or 'the game'} has {deals:,} deals: at most {MOST_DEALS:,} are listed")
        return cls(game.name or "game", vector)

    @property
    def layout(self) -> Layout:
        """Where the parameters of each information set stand."""
        return self.vector.layout

    @cached_property
    def tables(self) -> tuple[Ints, Ints, Floats, Floats]:
        """(nodes, states, stake, spent), see `_kernels`."""
        tree, layout = self.vector.tree, self.layout
        spent = tree.spent + np.array(tree.game.antes_paid)
        nodes = node_table(tree, layout.offset[:-1])
        return nodes, layout.states, self.vector.stake, spent.astype(np.float64)

    @cached_property
    def deals(self) -> tuple[Floats, Floats, Ints]:
        """(weight, outcome, path) of every deal of the last round, see `_kernels`."""
        rounds = self.vector.deal.rounds
        last = rounds[-1]
        rows, columns = last.edges
        pairs = [
            np.stack(np.meshgrid(np.arange(*rows[b : b + 2]), np.arange(*columns[b : b + 2]), indexing="ij"), -1)
            for b in range(len(last.start) - 1)
        ]
        states = np.concatenate([each.reshape(-1, 2) for each in pairs])
        dealt = last.weight > 0
        weight, sign, states = last.weight[dealt], last.sign[dealt], states[dealt]
        path = np.empty((len(weight), len(rounds), 2), dtype=np.int64)
        for number in range(len(rounds) - 1, -1, -1):
            path[:, number] = states
            parent = rounds[number].parent
            states = np.stack([parent[p][states[:, p]] for p in range(2)], axis=1)
        return weight / weight.sum(), sign / weight, path


def uniform_deal(tiles: int) -> MatrixDeal:
    """U[0,1]: both players draw a number and know which of `tiles` equal intervals it lies in.

    The higher number wins. Within one tile nobody is ahead, so a showdown there is worth nothing to either.
    """
    if tiles < 1:
        raise KibitzError(f"{tiles} tiles: at least one is needed")
    edges = np.linspace(0, 1, tiles + 1)
    labels = tuple(f"{low:.3g}-{high:.3g}" for low, high in pairwise(edges))
    order = np.arange(tiles)
    weight = np.full(tiles * tiles, 1 / tiles**2)
    sign = np.sign(order[:, None] - order[None, :]).ravel() * weight
    none, block = np.zeros(tiles, dtype=np.int64), np.array([0, tiles])
    whole = RoundDeal((labels, labels), (none, none), (block, block), np.array([0, tiles**2]), weight, sign)
    return MatrixDeal(load_game("kuhn"), True, (whole,), f"uniform-{tiles}")
