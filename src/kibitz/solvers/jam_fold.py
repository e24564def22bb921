"""Jam or fold: heads-up hold'em before the flop when the small blind may only fold or put everything in.

The game is small enough to be solved exactly, on all boards, whatever the stacks and blinds.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.equity.matchups import BOARDS, CLASSES, class_matchups
from kibitz.errors import KibitzError
from kibitz.games import Game, State
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.tree import Tree, build_tree
from kibitz.tree.build import pruned

Floats = npt.NDArray[np.float64]


class JamFold(NamedTuple):
    """An equilibrium of the jam-or-fold game; classes of hands as `IsomorphismIndex("2")` numbers them.

    jam, call   float64[169]: how often the small blind jams, and the big blind calls; who is all-in by his blind, or
                has posted all that is asked, always calls
    value       chips per hand to the small blind
    """

    jam: Floats
    call: Floats
    value: float


@lru_cache(maxsize=16)
def solve_jam_fold(game: Game) -> JamFold:
    """The equilibrium of `game` played jam or fold, exact; solved once, so do not change its arrays."""
    if game.players != 2 or game.betting != "nolimit" or game.hole_cards != 2 or game.board_ends[-1] != 5:
        raise KibitzError(f"{game.name or 'the game'}: jam or fold is for heads-up no-limit hold'em")
    if not can_jam_or_fold(game):
        raise KibitzError(f"{game.name or 'the game'}: {nothing_to_decide(game)}")
    tree = _tree(game)
    solution = solve_lp(VectorGame(tree, _deal(game)))
    opener = int(tree.player[0])
    jam = solution.strategy.at(0)[1]
    call = solution.strategy.at(2)[1] if tree.children[2] == 2 else np.ones(CLASSES)
    return JamFold(jam, call, solution.value if opener == 0 else -solution.value)


def can_jam_or_fold(game: Game) -> bool:
    """Whether he who opens has something to fold to, and can put everything in: by a raise, or by a call."""
    start = State.start(game)
    if start.finished or not start.to_call:
        return False
    return bool(start.legal().max_raise_to) or _is_settled(start.apply("c"))


def _is_settled(state: State) -> bool:
    """Whether nothing is left to decide before the showdown; a blind may have to check even so."""
    if state.finished:
        return state.showdown
    return not state.to_call and not state.legal().max_raise_to and state.apply("c").showdown


def nothing_to_decide(game: Game) -> str:
    """Why `can_jam_or_fold` says no, in words."""
    return (
        f"blinds {game.blinds} and stacks {game.stacks} leave him who opens nothing to choose between all-in and a "
        "fold: he must owe a part of the larger blind and be free to go all-in"
    )


def _tree(game: Game) -> Tree:
    """Fold or jam, then fold or call; where a blind is all-in, or a call takes everything, calling is the jam."""
    tree = build_tree(game, "all-in")
    if tree.children[0] == 2:
        return tree
    limps = np.zeros(len(tree), dtype=bool)
    limps[tree.child(0, "c")] = True
    return pruned(tree, limps)


def _deal(game: Game) -> MatrixDeal:
    """Classes of starting hands, the same in every round."""
    pairs, lead = class_matchups()
    total = pairs.sum()
    labels = tuple(map(str, range(CLASSES)))
    edges = np.array([0, CLASSES])
    rounds = []
    for r in range(game.rounds):
        parent = np.arange(CLASSES) if r else np.zeros(CLASSES, dtype=np.int64)
        matrices = (pairs.ravel() / total, lead.ravel() / (total * BOARDS))
        rounds.append(
            RoundDeal((labels, labels), (parent, parent), (edges, edges), np.array([0, CLASSES**2]), *matrices)
        )
    return MatrixDeal(game, True, tuple(rounds), "classes of starting hands")
