"""Sequence form: the probability that a player's own actions lead to an action; mixtures, and play in finer trees.

The realisation weight of (information set, action) is the product of the player's own action probabilities on the way
to it, this action included (Koller, Megiddo and von Stengel 1996). Weights of a mixture of strategies are mixtures of
weights, which is not true of behaviour probabilities. `Strategy.from_sums` goes back from weights to behaviour.

`lift` makes use of that. Whoever plays a strategy with few bet sizes in a game with many keeps a place in the coarse
tree while the hand unfolds in the fine one. Own actions are *written*: the coarse choice becomes a legal action.
Actions of others are *read*: a bet that the coarse tree does not have is taken for one or more that it has, each with a
chance. The place is the player's secret, so the whole is a mixture of strategies; its realisation weights add up, and
from them comes the behaviour in the fine tree that nobody can tell from it. Best responses to that are exact.
`read` and `write` are where translation mappings plug in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal
from kibitz.strategy.core import Floats, Layout, Strategy, StrategyError
from kibitz.tree import DECISION, Tree

# (coarse tree, node in it, fine tree, the fine node just reached) -> coarse nodes with their chances.
Read = Callable[[Tree, int, Tree, int], list[tuple[int, float]]]
# (coarse tree, the coarse node chosen, fine tree, the fine node at which to act) -> the fine node to go to.
Write = Callable[[Tree, int, Tree, int], int]

View = dict[int, float]  # where a player thinks the coarse hand stands, with chances


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


def read_exactly(coarse: Tree, node: int, fine: Tree, reached: int) -> list[tuple[int, float]]:
    """The same action; one that the coarse tree does not have is an error."""
    return [(coarse.child(node, fine.actions[reached]), 1.0)]


def write_exactly(coarse: Tree, chosen: int, fine: Tree, node: int) -> int:
    """The same action; one that the fine tree does not have is an error."""
    return fine.child(node, coarse.actions[chosen])


def lift(
    strategy: Strategy, deal: MatrixDeal, fine: Layout, read: Read = read_exactly, write: Write = write_exactly
) -> Strategy:
    """`strategy` as it plays in `fine`, whose cards must be the same.

    Where the coarse hand is over, or not in the same round, there is no advice left: the player calls.
    """
    if strategy.layout.cards != fine.cards:
        raise StrategyError(f"private states {strategy.layout.cards} in the strategy, {fine.cards} in the finer game")
    tree = fine.tree
    coarse = _Coarse(strategy.layout, deal, realisation(strategy, deal))
    sums = np.zeros(fine.size)
    views: dict[int, tuple[View, ...]] = {0: ({0: 1.0},) * tree.game.players}
    for node in tree.decisions.tolist():  # parents come first
        if node:
            views[node] = _step(strategy.layout.tree, tree, node, views[int(tree.parent[node])], read, write)
        _advise(coarse, fine, node, views[node][int(tree.player[node])], write, sums)
    return Strategy.from_sums(fine, sums, {**strategy.origin, "lifted": str(tree.menus[0])})


def _step(
    coarse: Tree, fine: Tree, reached: int, before: tuple[View, ...], read: Read, write: Write
) -> tuple[View, ...]:
    """The views after the action that led to the fine node `reached`."""
    parent = int(fine.parent[reached])
    actor = int(fine.player[parent])
    after: list[View] = []
    for player, view in enumerate(before):
        moved: View = {}
        for node, chance in view.items():
            if not _open(coarse, node, fine, parent):
                # Without a place he only calls: after anything else of his own, he cannot have been there.
                steps = [(node, 1.0)] if player != actor or fine.actions[reached] == "c" else []
            elif player == actor:
                steps = [
                    (child, 1.0) for child in _children(coarse, node) if write(coarse, child, fine, parent) == reached
                ]
            else:
                steps = read(coarse, node, fine, reached)
            for child, share in steps:
                child = _caught_up(coarse, child, fine, reached)
                moved[child] = moved.get(child, 0.0) + chance * share
        after.append(moved)
    return tuple(after)


def _caught_up(coarse: Tree, node: int, fine: Tree, reached: int) -> int:
    """The coarse place once those still to act in an earlier round have called."""
    while fine.kind[reached] == DECISION and coarse.kind[node] == DECISION and coarse.round[node] < fine.round[reached]:
        node = coarse.child(node, "c")
    return node


def _open(coarse: Tree, node: int, fine: Tree, parent: int) -> bool:
    """Whether the coarse hand stands where the fine one does: same round, same player to act."""
    return bool(
        coarse.kind[node] == DECISION
        and coarse.round[node] == fine.round[parent]
        and coarse.player[node] == fine.player[parent]
    )


def _children(tree: Tree, node: int) -> range:
    first = int(tree.first_child[node])
    return range(first, first + int(tree.children[node]))


class _Coarse(NamedTuple):
    """A strategy to be lifted, by its realisation weights, float64[layout.size]."""

    layout: Layout
    deal: MatrixDeal
    weights: Floats


def _advise(coarse: _Coarse, fine: Layout, node: int, view: View, write: Write, sums: Floats) -> None:
    """Add the realisation weights of a fine decision, from every place the player may think to be in."""
    (layout, deal, weights), tree = coarse, fine.tree
    first, player = int(tree.first_child[node]), int(tree.player[node])
    begin, end = fine.offset[node], fine.offset[node + 1]
    block = sums[begin:end].reshape(int(tree.children[node]), -1)
    for place, chance in view.items():
        if _open(layout.tree, place, tree, node):
            for row, child in zip(_block(layout, weights, place), _children(layout.tree, place), strict=True):
                block[write(layout.tree, child, tree, node) - first] += chance * row
        else:
            call = tree.child(node, "c") - first
            block[call] += chance * own_reach(layout, deal, weights, place, player, int(tree.round[node]))
