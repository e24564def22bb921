"""Small two-player games as the gradient kernels take them, by a betting tree and the list of all deals; and U[0,1].

In U[0,1] two players draw numbers, there is one betting round, and the higher number wins. Antes of 1 and one bet of 1,
the betting of Kuhn poker. A strategy is given on tiles, equal intervals of the numbers; a best response to it knows its
own number exactly. Its value is linear in the number between two edges of tiles, so the exploitability in the
continuous game is exact too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.best_response import Exploitability
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy
from kibitz.tree import build_tree
from kibitz.tree.columns import DECISION, SHOWDOWN, node_table

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
MOST_DEALS = 1_000_000
UNIFORM = "uniform"  # the name of the U[0,1] game


class Tables(NamedTuple):
    """A game for kernels."""

    nodes: Ints  # [n, >= 7], see `kibitz.tree.columns`
    states: Ints  # [n], private states of whoever acts at a node
    stake: Floats  # [n], chips that change hands at a terminal node
    spent: Floats  # [n, 2], chips put in, antes included
    weight: Floats  # [d], probability of each deal
    outcome: Floats  # [d], what player 0 wins of a stake at the showdown of each deal: 1, -1, or between
    path: Ints  # [d, rounds, 2], private state of each player in each round of each deal


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
        game = load_game(name)
        told = game.name or "the game"
        if game.players != 2:
            raise KibitzError(f"{told} has {game.players} players: small games are for two")
        vector = Problem(game).vector
        deals = int(vector.deal.rounds[-1].start[-1])
        if deals > MOST_DEALS:
            raise KibitzError(f"{told} has {deals:,} deals: at most {MOST_DEALS:,} are listed")
        return cls(game.name or "game", vector)

    @property
    def layout(self) -> Layout:
        """Where the parameters of each information set stand."""
        return self.vector.layout

    @cached_property
    def tables(self) -> Tables:
        """The game for kernels, with every deal of the last round."""
        tree, layout, rounds = self.vector.tree, self.layout, self.vector.deal.rounds
        last, (rows, columns) = rounds[-1], rounds[-1].edges
        dealt = np.flatnonzero(last.weight > 0)
        block = np.searchsorted(last.start, dealt, side="right") - 1
        row, column = np.divmod(dealt - last.start[block], np.diff(columns)[block])
        states, path = np.stack([rows[block] + row, columns[block] + column], axis=1), []
        for each in rounds[::-1]:
            path.append(states)
            states = np.stack([each.parent[p][states[:, p]] for p in range(2)], axis=1)
        nodes, weight = node_table(tree, layout.offset[:-1]), last.weight[dealt]
        spent = (tree.spent + np.array(tree.game.antes_paid)).astype(np.float64)
        deals = weight / weight.sum(), last.sign[dealt] / weight, np.stack(path[::-1], axis=1)
        return Tables(nodes, layout.states, self.vector.stake, spent, *deals)


def uniform_deal(tiles: int) -> MatrixDeal:
    """U[0,1]: both players draw a number and know which of `tiles` equal intervals it lies in.

    The higher number wins. Within one tile nobody is ahead, so a showdown there is worth nothing to either.
    """
    if tiles < 1:
        raise KibitzError(f"{tiles} tiles: at least one is needed")
    labels = tuple(f"{low:.3g}-{high:.3g}" for low, high in pairwise(np.linspace(0, 1, tiles + 1)))
    weight = np.full(tiles * tiles, 1 / tiles**2)
    sign = np.sign(np.subtract.outer(np.arange(tiles), np.arange(tiles))).ravel() * weight
    none, block = np.zeros(tiles, dtype=np.int64), np.array([0, tiles])
    whole = RoundDeal((labels, labels), (none, none), (block, block), np.array([0, tiles**2]), weight, sign)
    return MatrixDeal(load_game("kuhn"), True, (whole,), f"uniform-{tiles}")


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


def solve_cut_offs(pot: float = 2.0, bet: float = 1.0) -> CutOffs:
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
    tiles, tree, strategy = _tiles_of(game), game.vector.tree, Strategy.uniform(game.layout)
    low, high = np.arange(tiles) / tiles, np.arange(1, tiles + 1) / tiles

    def above(cut: float) -> Floats:
        return np.clip((high - cut) / (high - low), 0, 1)

    bets = (1 - above(cuts.bluff)) + above(cuts.value)
    bets_behind = (1 - above(cuts.bluff_behind)) + above(cuts.value_behind)
    calls, calls_after_check = above(cuts.call), above(cuts.call_after_check)
    for history, action, share in (
        ("", "r", bets), ("c", "r", bets_behind), ("r", "c", calls), ("cr", "c", calls_after_check)
    ):  # fmt: skip
        node = tree.find(history)
        chosen = tree.offered(node).index(action)
        strategy.at(node)[[chosen, 1 - chosen]] = share, 1 - share
    return strategy


def continuous_exploitability(game: SmallGame, strategy: Strategy) -> Exploitability:
    """What best responses that know their own number win against a strategy on tiles; chips per hand.

    The value of a plan is linear in the number within a tile, that of the best the upper envelope of all plans.
    """
    tiles = _tiles_of(game)
    strategy.layout.check_same(game.layout)
    every = [_plans(game, strategy, player, 0, np.ones(tiles)) for player in range(2)]
    first, second = (sum(_envelope(*plans[:, tile].T) for tile in range(tiles)) / tiles for plans in every)
    return Exploitability((float(first), float(second)))


def _plans(game: SmallGame, strategy: Strategy, player: int, node: int, reach: Floats) -> Floats:
    """The value of every pure plan from `node` on at both edges of each tile, float64[plans, tiles, 2]; all are linear
    between.

    reach : float64[tiles], the opponent's probability of playing to this node from each tile
    """
    tree, tiles, stake = game.vector.tree, len(reach), float(game.vector.stake[node])
    if tree.kind[node] == SHOWDOWN:
        below = np.concatenate(([0.0], np.cumsum(reach))) / tiles
        ahead = 2 * below - below[-1]  # chance that the opponent is lower less that he is higher, at each edge
        return stake * np.stack((ahead[:-1], ahead[1:]), axis=1)[None]
    if tree.kind[node] != DECISION:
        won = 1 if tree.player[node] == player else -1
        return np.full((1, tiles, 2), won * stake * reach.sum() / tiles)
    first, is_own = int(tree.first_child[node]), tree.player[node] == player
    shares = strategy.at(node)
    found = [
        _plans(game, strategy, player, first + action, reach if is_own else reach * share)
        for action, share in enumerate(shares)
    ]
    if is_own:
        return np.concatenate(found)
    return reduce(lambda some, more: (some[:, None] + more).reshape(-1, tiles, 2), found)


def _envelope(left: Floats, right: Floats) -> float:
    """The integral over [0, 1] of the largest of lines that go from `left` to `right`."""
    slope = right - left
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = (left[None, :] - left[:, None]) / (slope[:, None] - slope[None, :])
    cuts = np.unique(np.concatenate(([0.0, 1.0], crossing[(crossing > 0) & (crossing < 1)])))
    middle = (cuts[1:] + cuts[:-1]) / 2
    highest = (left[None, :] + middle[:, None] * slope[None, :]).max(axis=1)
    return float(((cuts[1:] - cuts[:-1]) * highest).sum())


def _tiles_of(game: SmallGame) -> int:
    """The tiles of a U[0,1] game; KibitzError for another."""
    if game.name != UNIFORM:
        raise KibitzError(f"{game.name} is not the U[0,1] game")
    return int(game.layout.counts[0, 0])
