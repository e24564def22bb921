"""Sequence form: the probability that a player's own actions lead to an action, and mixtures made there.

The realisation weight of (information set, action) is the product of the player's own action probabilities on the way
to it, this action included (Koller, Megiddo and von Stengel 1996). Weights of a mixture of strategies are mixtures of
weights, which is not true of behaviour probabilities. `Strategy.from_sums` goes back from weights to behaviour.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.strategy.core import Floats, Layout, Strategy, StrategyError


def realisation(strategy: Strategy, deal: MatrixDeal) -> Floats:
    """Realisation weights, flat like `strategy.values`: float64[layout.size]."""
    layout = strategy.layout
    if layout.cards != deal.fingerprint:
        raise StrategyError(f"the strategy has private states {layout.cards}, the deal has {deal.fingerprint}")
    weights = np.array(strategy.values, dtype=np.float64)
    for node in layout.tree.decisions:  # parents come first, so what they need is there
        player, round_ = int(layout.tree.player[node]), int(layout.tree.round[node])
        _block(layout, weights, int(node))[...] *= own_reach(layout, deal, weights, int(node), player, round_)
    return weights


def own_reach(layout: Layout, deal: MatrixDeal, weights: Floats, node: int, player: int, round_: int) -> Floats:
    """The weight of `player`'s last action before `node`, for each of the player's states in `round_`."""
    tree = layout.tree
    index: npt.NDArray[np.int64] = np.arange(layout.counts[round_, player])
    while node > 0:
        before = int(tree.parent[node])
        if tree.player[before] == player:
            for later in range(round_, int(tree.round[before]), -1):
                index = deal.rounds[later].parent[player][index]
            reach: Floats = _block(layout, weights, before)[node - int(tree.first_child[before])][index]
            return reach
        node = before
    return np.ones(len(index))


def _block(layout: Layout, values: Floats, node: int) -> Floats:
    begin, end = layout.offset[node], layout.offset[node + 1]
    return values[begin:end].reshape(int(layout.tree.children[node]), -1)


class Mixture:
    """One of several strategies is chosen before each hand, with fixed probabilities, and played through.

    A mixture is not a strategy of its own until it is turned into one: `strategy()` gives the behaviour that nobody
    can tell from it.
    """

    def __init__(self, strategies: Sequence[Strategy], chances: Sequence[float]) -> None:
        if len(strategies) != len(chances) or not strategies:
            raise StrategyError(
                f"{len(strategies)} strategies with {len(chances)} chances: as many of each, at least one"
            )
        self.chances = np.asarray(chances, dtype=np.float64)
        if (self.chances < 0).any() or abs(self.chances.sum() - 1) > 1e-9:
            raise StrategyError(f"chances {list(chances)}: they must not be negative and add up to 1")
        for strategy in strategies[1:]:
            strategy.layout.check_same(strategies[0].layout)
        self.strategies = tuple(strategies)

    def strategy(self, deal: MatrixDeal) -> Strategy:
        """The behaviour strategy with the same distribution of actions (Kuhn 1953)."""
        layout = self.strategies[0].layout
        weights = np.zeros(layout.size)
        for chance, strategy in zip(self.chances, self.strategies, strict=True):
            weights += chance * realisation(strategy, deal)
        parts = [strategy.manifest.get("algorithm", "?") for strategy in self.strategies]
        manifest = {"algorithm": "mixture", "of": parts, "chances": self.chances.tolist()}
        return Strategy.from_sums(layout, weights, manifest)
