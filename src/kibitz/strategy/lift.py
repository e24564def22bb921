"""A strategy of a coarse betting tree as it plays in a finer one.

Whoever plays a strategy with few bet sizes in a game with many keeps a place in the coarse tree while the hand unfolds
in the fine one. Own actions are *written*: the coarse choice becomes a legal action. Actions of others are *read*: a
bet that the coarse tree does not have is taken for one or more that it has, each with a chance. The place is the
player's secret, so the whole is a mixture of strategies; its realisation weights add up, and from them comes the
behaviour in the fine tree that nobody can tell from it. Best responses to that are exact.

`read` and `write` are where translation mappings plug in.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.deals import MatrixDeal
from kibitz.strategy.core import Layout, Strategy, StrategyError
from kibitz.strategy.sequences import own_reach, realisation
from kibitz.tree import DECISION, Tree

# (coarse tree, node in it, fine tree, the fine node just reached) -> coarse nodes with their chances.
Read = Callable[[Tree, int, Tree, int], list[tuple[int, float]]]
# (coarse tree, the coarse node chosen, fine tree, the fine node at which to act) -> the fine node to go to.
Write = Callable[[Tree, int, Tree, int], int]

View = dict[int, float]  # where a player thinks the coarse hand stands, with chances


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
    weights = realisation(strategy, deal)
    sums = np.zeros(fine.size)
    views: dict[int, tuple[View, ...]] = {0: ({0: 1.0},) * tree.game.players}
    for node in range(len(tree)):
        if node:
            views[node] = _step(strategy.layout.tree, tree, node, views[int(tree.parent[node])], read, write)
        if tree.kind[node] == DECISION:
            _advise(strategy.layout, deal, weights, fine, node, views[node][int(tree.player[node])], write, sums)
    return Strategy.from_sums(fine, sums, {**strategy.manifest, "lifted": str(tree.menus[0])})


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


def _advise(
    layout: Layout,
    deal: MatrixDeal,
    weights: np.ndarray,
    fine: Layout,
    node: int,
    view: View,
    write: Write,
    sums: np.ndarray,
) -> None:
    """Add the realisation weights of a fine decision, from every place the player may think to be in."""
    tree = fine.tree
    first, player = int(tree.first_child[node]), int(tree.player[node])
    begin, end = fine.offset[node], fine.offset[node + 1]
    block = sums[begin:end].reshape(int(tree.children[node]), -1)
    for place, chance in view.items():
        if _open(layout.tree, place, tree, node):
            own = weights[layout.offset[place] : layout.offset[place + 1]].reshape(int(layout.tree.children[place]), -1)
            for row, child in zip(own, _children(layout.tree, place), strict=True):
                block[write(layout.tree, child, tree, node) - first] += chance * row
        else:
            call = tree.child(node, "c") - first
            block[call] += chance * own_reach(layout, deal, weights, place, player, int(tree.round[node]))
