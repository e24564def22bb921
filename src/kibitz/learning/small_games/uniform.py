"""The U[0,1] game: two players draw numbers, one betting round, the higher number wins.

Antes of 1 and one bet of 1, the betting of Kuhn poker. A strategy is given on tiles, equal intervals of the numbers; a
best response to it knows its own number exactly. Its value is linear in the number between two edges of tiles, so the
exploitability in the continuous game is exact too.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.small_games.game import UNIFORM, SmallGame
from kibitz.responses.best_response import Exploitability
from kibitz.strategy import Strategy
from kibitz.tree import DECISION
from kibitz.tree.columns import SHOWDOWN

Floats = npt.NDArray[np.float64]
POT, BET = 2.0, 1.0


class CutOffs(NamedTuple):
    """An equilibrium by intervals.

    The first player bets below `bluff` and above `value`, and calls a bet after his check from `call_after_check` on.
    The second calls a bet from `call` on, and after a check bets below `bluff_behind` and above `value_behind`.
    """

    bluff: float
    value: float
    call: float
    call_after_check: float
    bluff_behind: float
    value_behind: float


def solve_cut_offs(pot: float = POT, bet: float = BET) -> CutOffs:
    """The cut-offs at which every player is indifferent: six linear equations for either order of the two bluffs.

    Sweeney 2012, section 3.2: with the order of the cut-offs fixed the reward is quadratic in them; where the solution
    does not keep the order, that order was wrong, and another is tried.
    """
    both = pot + bet
    for first_bluffs_more in (False, True):
        # Where the second player checks behind with his weakest bluff, he beats those who checked below it.
        lower = [-pot, 0] if first_bluffs_more else [0, -pot]
        equations = np.array(
            [
                # bluff, value, call, call after check, bluff behind, value behind
                [both, bet, 0, 0, 0, 0],  # the second player's call, against bluffs and value bets
                [lower[0], -bet, 0, both, lower[1], 0],  # his bluff after a check, against those who have checked
                [0, 0, 0, 0, both, bet],  # the first player's call after his check
                [0, -1, 0, -1, 0, 2],  # the second player's value bet: called by worse as often as by better
                [0, 0, -1, 0, -1, 1],  # the first player's value bet against his check
                [lower[0], 0, both, 0, -lower[0], 0],  # his bluff against his check
            ]
        )
        cuts = CutOffs(*map(float, np.linalg.solve(equations, [bet, 0, bet, 0, 0, bet])))
        bluffs = (cuts.bluff_behind, cuts.bluff) if first_bluffs_more else (cuts.bluff, cuts.bluff_behind)
        calls = sorted((cuts.call, cuts.call_after_check))
        order = (0.0, *bluffs, *calls, cuts.value_behind, cuts.value, 1.0)
        if all(one <= other for one, other in pairwise(order)):
            return cuts
    raise KibitzError(f"a pot of {pot} and a bet of {bet}: no order of the cut-offs holds")


def cut_off_strategy(game: SmallGame, cuts: CutOffs) -> Strategy:
    """The strategy of these cut-offs on the tiles of a U[0,1] game; a tile that a cut divides mixes."""
    _check(game)
    tiles = int(game.layout.counts[0, 0])
    low, high = np.arange(tiles) / tiles, np.arange(1, tiles + 1) / tiles

    def above(cut: float) -> Floats:
        return np.clip((high - cut) / (high - low), 0, 1)

    strategy = Strategy.uniform(game.layout)
    tree = game.vector.tree
    bets = {
        "": (1 - above(cuts.bluff)) + above(cuts.value),
        "c": (1 - above(cuts.bluff_behind)) + above(cuts.value_behind),
    }
    calls = {"r": above(cuts.call), "cr": above(cuts.call_after_check)}
    for history, share in (bets | calls).items():
        node = tree.find(history)
        block, offered = strategy.at(node), tree.offered(node)
        yes = offered.index("r" if history in bets else "c")
        block[yes], block[1 - yes] = share, 1 - share
    return strategy


def continuous_exploitability(game: SmallGame, strategy: Strategy) -> Exploitability:
    """What best responses that know their own number win against a strategy on tiles; chips per hand."""
    _check(game)
    strategy.layout.check_same(game.layout)
    return Exploitability(tuple(_best_value(game, strategy, player) for player in range(2)))


def _best_value(game: SmallGame, strategy: Strategy, player: int) -> float:
    """What `player` wins by a best response: the integral of the upper envelope of the plans' values, tile by tile."""
    tiles = int(game.layout.counts[0, 0])
    plans = np.array(_plans(game, strategy, player, 0, np.ones(tiles)))
    return float(sum(_envelope(plans[:, tile, 0], plans[:, tile, 1]) for tile in range(tiles)) / tiles)


def _plans(game: SmallGame, strategy: Strategy, player: int, node: int, reach: Floats) -> list[Floats]:
    """The value of every pure plan from `node` on at both edges of each tile, float64[tiles, 2], all linear between.

    reach : float64[tiles], the opponent's probability of playing to this node from each tile
    """
    tree, tiles = game.vector.tree, len(reach)
    if tree.kind[node] != DECISION:
        stake = float(game.vector.stake[node])
        if tree.kind[node] == SHOWDOWN:
            below = np.concatenate(([0.0], np.cumsum(reach))) / tiles
            ahead = 2 * below - below[-1]  # chance that the opponent is lower less that he is higher, at each edge
            return [stake * np.stack((ahead[:-1], ahead[1:]), axis=1)]
        won = 1 if tree.player[node] == player else -1
        return [np.full((tiles, 2), won * stake * reach.sum() / tiles)]
    children = range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node]))
    if tree.player[node] == player:
        return [plan for child in children for plan in _plans(game, strategy, player, child, reach)]
    shares = strategy.at(node)
    branches = [
        _plans(game, strategy, player, child, reach * share) for child, share in zip(children, shares, strict=True)
    ]
    return [np.asarray(sum(chosen)) for chosen in product(*branches)]


def _envelope(left: Floats, right: Floats) -> float:
    """The integral over [0, 1] of the largest of lines that go from `left` to `right`."""
    slope = right - left
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = (left[None, :] - left[:, None]) / (slope[:, None] - slope[None, :])
    cuts = np.unique(np.concatenate(([0.0, 1.0], crossing[(crossing > 0) & (crossing < 1)])))
    middle = (cuts[1:] + cuts[:-1]) / 2
    highest = (left[None, :] + middle[:, None] * slope[None, :]).max(axis=1)
    return float(((cuts[1:] - cuts[:-1]) * highest).sum())


def _check(game: SmallGame) -> None:
    if game.name != UNIFORM:
        raise KibitzError(f"{game.name} is not the U[0,1] game")
