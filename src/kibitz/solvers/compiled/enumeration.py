"""Exact answers for any number of players, by listing every deal: values and best responses in plain NumPy.

Slower than the vector kernels, which are for two, but nothing is assumed beyond perfect recall.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import perm

import numpy as np
import numpy.typing as npt

from kibitz.deals.sampled import Draws, ListedDeal
from kibitz.errors import KibitzError
from kibitz.games.pots import payoffs
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, Tree

MAX_DEALS = 500_000
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Enumeration:
    """A tree and all deals of its cards."""

    tree: Tree
    deal: ListedDeal

    @cached_property
    def layout(self) -> Layout:
        """Where the probabilities of each node stand."""
        return Layout(self.tree, self.deal.counts, self.deal.fingerprint)

    @property
    def size(self) -> int:
        """Number of deals, those that differ in their order of cards counted apart."""
        game = self.tree.game
        return perm(len(game.deck), game.hole_cards * game.players + game.board_ends[-1])

    @cached_property
    def deals(self) -> Draws:
        """Every deal, all equally likely."""
        game = self.tree.game
        held, players = game.hole_cards, game.players
        count = held * players + game.board_ends[-1]
        if self.size > MAX_DEALS:
            raise KibitzError(f"{self.size:,} ordered deals are too many to enumerate (at most {MAX_DEALS:,})")
        rows = [
            self.deal.look_up(
                tuple(cards[held * p : held * (p + 1)] for p in range(players)), tuple(cards[held * players :])
            )
            for cards in permutations(game.deck, count)
        ]
        return Draws(np.concatenate([row.states for row in rows]), np.concatenate([row.strengths for row in rows]))

    @cached_property
    def returns(self) -> dict[int, Floats]:
        """Chips of every player at every terminal node: float64[deals, players]."""
        game, tree = self.tree.game, self.tree
        orders, which = np.unique(self.deals.strengths, axis=0, return_inverse=True)
        table: dict[int, Floats] = {}
        for node in np.flatnonzero(tree.kind != DECISION):
            out = [bool(int(tree.folded[node]) >> p & 1) for p in range(game.players)]
            rows = [
                payoffs(
                    tree.spent[node].tolist(),
                    game.antes_paid,
                    [-1 if folded else int(value) for folded, value in zip(out, order, strict=True)],
                    whole_chips=game.rules == "tda",
                    ante_trimming=game.ante_trimming,
                )
                for order in orders
            ]
            table[int(node)] = np.array(rows)[which.ravel()]
        return table

    def values(self, strategy: Strategy) -> tuple[float, ...]:
        """Chips per hand of every seat when all play `strategy`."""
        strategy.layout.check_same(self.layout)
        return tuple(self._walk(strategy, p, best=False) for p in range(self.tree.game.players))

    def best_values(self, strategy: Strategy) -> tuple[float, ...]:
        """Chips per hand of every seat that plays a best response to the others."""
        strategy.layout.check_same(self.layout)
        return tuple(self._walk(strategy, p, best=True) for p in range(self.tree.game.players))

    def _walk(self, strategy: Strategy, seat: int, best: bool) -> float:
        """The value of the hand to `seat`, who plays the strategy or a best response to it."""
        deals = len(self.deals.states)
        total = self._visit(0, strategy, seat, best, np.full(deals, 1.0 / deals))
        return float(total.sum())

    def _visit(self, node: int, strategy: Strategy, seat: int, best: bool, reach: Floats) -> Floats:
        """Values at a node per deal, weighted by chance and by everybody's reach but a responder's own."""
        tree = self.tree
        if tree.kind[node] != DECISION:
            return reach * self.returns[node][:, seat]
        player = int(tree.player[node])
        states = self.deals.states[:, int(tree.round[node]), player]
        first = int(tree.first_child[node])
        if best and player == seat:
            values = np.array(
                [self._visit(first + a, strategy, seat, best, reach) for a in range(int(tree.children[node]))]
            )
            count = int(self.layout.states[node])
            by_state = np.array([np.bincount(states, weights=row, minlength=count) for row in values])
            chosen: Floats = values[by_state.argmax(axis=0)[states], np.arange(len(states))]
            return chosen
        chances = strategy.at(node)[:, states]
        result = np.zeros(len(states))
        for a, chance in enumerate(chances):
            result += self._visit(first + a, strategy, seat, best, reach * chance)
        return result
