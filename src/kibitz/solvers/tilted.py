"""Tilted equilibria: one player falsely believes that some results are worth more or less than they are.

Johanson and Bowling 2009; Bard 2016, sections 3.2 and 4.2.1: the opponent there believes that it receives 25 %
additional utility whenever it wins the pot. The game is no longer zero-sum, so that nothing is guaranteed; what comes
out plays a style of its own and can be exploited in the real game.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.errors import KibitzError
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.vector import BOTH, REGRETS, rule_at
from kibitz.solvers.vector.passes import Passes
from kibitz.strategy import Strategy
from kibitz.tree import FOLD

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Tilt:
    """By how much the tilted player multiplies what it wins or loses, at a showdown or because somebody folded."""

    showdown_win: float = 1.0
    showdown_loss: float = 1.0
    fold_win: float = 1.0
    fold_loss: float = 1.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 <= value < np.inf:
                raise KibitzError(f"{name.replace('_', ' ')} {value}: a finite multiplier that is not negative")

    @classmethod
    def of(cls, win: float = 1.0, loss: float = 1.0) -> Tilt:
        """The same multipliers at showdowns and folds."""
        return cls(win, loss, win, loss)

    def describe(self) -> dict[str, float]:
        """The multipliers that change something, by name."""
        return {name: value for name, value in asdict(self).items() if value != 1.0}


@dataclass(frozen=True, eq=False)
class TiltedGame(VectorGame):
    """The game as one tilted player sees it; only that player's values mean anything."""

    tilt: Tilt = Tilt()
    player: int = 0

    @cached_property
    def stake(self) -> Floats:
        """Chips that change hands as the player values them; showdowns are in the deal's matrices."""
        tree, plain = self.tree, VectorGame(self.tree, self.deal).stake
        wins = np.where(tree.player == self.player, self.tilt.fold_win, self.tilt.fold_loss)
        return np.where(tree.kind == FOLD, plain * wins, plain)


def tilted_game(compiled: VectorGame, tilt: Tilt, player: int, decided: tuple[Floats, ...] | None = None) -> TiltedGame:
    """The game as `player` sees it.

    decided   per round, the weight of showdowns that are not ties, laid out like the deal's matrices; by default those
              of a deal whose last states tell who wins
    """
    win, loss = tilt.showdown_win, tilt.showdown_loss
    side = 1.0 if player == 0 else -1.0
    deal = compiled.deal
    if win == loss:
        signs = [each.sign * win for each in deal.rounds]
    else:
        # Of wins W and losses L of player 0 the deal knows W - L, and the rest is (W + L): win W - loss L follows.
        weights = decided if decided is not None else decided_weights(compiled)
        signs = [
            (win + loss) / 2 * each.sign + side * (win - loss) / 2 * weight
            for each, weight in zip(deal.rounds, weights, strict=True)
        ]
    rounds = tuple(replace(each, sign=sign) for each, sign in zip(deal.rounds, signs, strict=True))
    return TiltedGame(compiled.tree, MatrixDeal(deal.game, deal.suits_merged, rounds, deal.fingerprint), tilt, player)


def decided_weights(compiled: VectorGame, tied: Floats | None = None) -> tuple[Floats, ...]:
    """Per round, the weight of showdowns that are not ties, laid out like the deal's matrices.

    tied   of the last round, float64[states of 0, states of 1]: see `kibitz.deals.joint.tied_showdowns`. It is not
           needed where the states of the last round tell who wins, as they do where all hands are told apart; a pair of
           buckets may win, lose and tie.
    """
    last = compiled.deal.rounds[-1]
    if tied is None and compiled.deal.cards:
        raise KibitzError("showdowns between buckets win, lose and tie: give the weight of ties")
    found = [np.abs(last.sign) if tied is None else last.weight - tied.ravel()]
    for later, before in zip(compiled.deal.rounds[:0:-1], compiled.deal.rounds[-2::-1], strict=True):
        found.append(_summed(found[-1], later, before))
    return tuple(reversed(found))


def _summed(weight: Floats, later: RoundDeal, before: RoundDeal) -> Floats:
    """Entries of a round's blocks added up over the states that refine the same pair of states."""
    total = np.zeros(len(before.weight))
    for b in range(len(later.start) - 1):
        i, j = (later.parent[p][later.edges[p][b] : later.edges[p][b + 1]] for p in range(2))
        block = int(np.searchsorted(before.edges[0], i[0], side="right")) - 1
        width = before.edges[1][block + 1] - before.edges[1][block]
        place = before.start[block] + (i[:, None] - before.edges[0][block]) * width + (j - before.edges[1][block])
        np.add.at(total, place.ravel(), weight[later.start[b] : later.start[b + 1]])
    return total


class TiltedCFR:
    """Counterfactual regret minimisation in which each player learns from a game of its own.

    games   what each player believes, on the same tree and private states
    """

    def __init__(self, games: tuple[VectorGame, VectorGame], algorithm: str = "cfr+", threads: int = 1) -> None:
        games[0].layout.check_same(games[1].layout)
        self.games, self.algorithm, self.iteration = games, algorithm, 0
        size = games[0].layout.size
        weighting = WEIGHTINGS[algorithm]
        self._discounts = weighting.discounts
        self._sums = (np.zeros(size), np.zeros(size if weighting.predict else 0), np.zeros(size))
        self._sigma = np.empty(size)
        self._passes = [Passes(game, threads) for game in games]

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations, the players taking turns."""
        for _ in range(count):
            self.iteration += 1
            rule = rule_at(self.iteration, self._discounts)
            for player, passes in enumerate(self._passes):
                passes.down(BOTH, self._sigma, self._sums)
                passes.up(player, REGRETS, rule, self._sigma, self._sums, exact=False)

    def average_strategy(self) -> Strategy:
        manifest = {"algorithm": self.algorithm, "iterations": self.iteration}
        return Strategy.from_sums(self.games[0].layout, self._sums[2], manifest)

    def parameters(self) -> dict[str, Any]:
        return {"algorithm": f"{self.algorithm}, tilted"}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return dict(zip(("regret", "prediction", "average"), self._sums, strict=True))

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        self.iteration = iteration
        for name, array in self.arrays().items():
            array[...] = arrays[name]


def solve_tilted(
    compiled: VectorGame,
    tilt: Tilt,
    iterations: int,
    *,
    algorithm: str = "cfr+",
    threads: int = 1,
    decided: tuple[Floats, ...] | None = None,
) -> Strategy:
    """The strategy of a tilted player for both seats, each found against an opponent who sees the game as it is."""
    solvers = tilted_solvers(compiled, tilt, algorithm, threads, decided)
    for solver in solvers:
        solver.step(iterations)
    return tilted_strategy(solvers, tilt)


def tilted_solvers(
    compiled: VectorGame,
    tilt: Tilt,
    algorithm: str = "cfr+",
    threads: int = 1,
    decided: tuple[Floats, ...] | None = None,
) -> tuple[TiltedCFR, TiltedCFR]:
    """A solver for each seat of the tilted player."""
    found = []
    for player in range(2):
        games: list[VectorGame] = [compiled, compiled]
        games[player] = tilted_game(compiled, tilt, player, decided)
        found.append(TiltedCFR((games[0], games[1]), algorithm, threads))
    return found[0], found[1]


def tilted_strategy(solvers: tuple[TiltedCFR, TiltedCFR], tilt: Tilt) -> Strategy:
    """What the tilted player has learnt from both seats."""
    layout, solver = solvers[0].games[0].layout, solvers[0]
    owner = np.repeat(layout.tree.player, np.diff(layout.offset))
    values = np.empty(layout.size)
    for player, each in enumerate(solvers):
        own = owner == player
        values[own] = each.average_strategy().values[own]
    manifest = {
        "algorithm": f"{solver.algorithm}, tilted",
        "iterations": solver.iteration,
        "tilt": tilt.describe(),
    }
    return Strategy(layout, values, manifest)
