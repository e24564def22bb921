"""A strategy and its reading of bets as one strategy of a finer game, so that best responses to it are exact.

The opponent may use every size of the fine tree. The strategy sees them through a `Reading`, whose randomness is part
of the strategy; `kibitz.strategy.sequences` adds up all that it may have thought.
"""

from __future__ import annotations

from functools import cache

from kibitz.deals import MatrixDeal
from kibitz.strategy import Layout, Strategy, lift
from kibitz.translation.bets import Reading, wanted
from kibitz.translation.places import TreePlace
from kibitz.tree import Tree


class _Places:
    """The places of a tree's nodes, made when they are asked for."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._made: dict[int, TreePlace] = {}

    def __getitem__(self, node: int) -> TreePlace:
        if node not in self._made:
            self._made[node] = TreePlace(self._tree, node)
        return self._made[node]


def lift_translated(strategy: Strategy, deal: MatrixDeal, fine: Layout, reading: Reading) -> Strategy:
    """`strategy` as it plays in the finer game of `fine`, reading bets by `reading`; own raises keep their fraction.

    Where the abstract hand is over or its round is closed while the real one goes on, the player calls (see `Tracker`).
    """
    coarse_places, fine_places = _Places(strategy.layout.tree), _Places(fine.tree)

    def read(coarse: Tree, node: int, fine_tree: Tree, reached: int) -> list[tuple[int, float]]:
        place, before = coarse_places[node], fine_places[int(fine_tree.parent[reached])]
        first, action = int(coarse.first_child[node]), reached - int(fine_tree.first_child[before.node])
        if action < before.call:
            return [(first, 1.0)]  # who faces nothing in the abstract hand checks there, which is its first child
        if action == before.call:
            return [(first + place.call, 1.0)]
        bet, pot, amounts, _sizes, all_in = before.raises
        number = action - before.call - 1
        everything = all_in and number == len(amounts) - 1
        return [(first + child, share) for child, share in reading.raises(place, bet, pot, amounts[number], everything)]

    @cache  # asked again for every child of the node
    def written(chosen: int, node: int) -> int:
        coarse, fine_tree = strategy.layout.tree, fine.tree
        place, real = coarse_places[int(coarse.parent[chosen])], fine_places[node]
        first, number = int(fine_tree.first_child[node]), chosen - int(coarse.first_child[place.node])
        bet, pot, amounts, _sizes, _all_in = real.raises
        if number < place.call and real.call:
            return first
        if number <= place.call or not amounts:
            return first + real.call
        amount = wanted(place, number, bet, pot, fine_tree.game.limits[real.player])
        nearest = min(range(len(amounts)), key=lambda i: abs(amounts[i] - amount))
        return first + real.call + 1 + nearest

    def write(coarse: Tree, chosen: int, fine_tree: Tree, node: int) -> int:
        return written(chosen, node)

    return lift(strategy, deal, fine, read, write)
