"""BETS on samples: by chance sampling, one deal an iteration, as in the thesis, or by public chance sampling.

Public chance sampling takes one board an iteration, all hands and all betting on it. It is for imperfect recall, which
has no joint bucket distribution. Like the full-width run an iteration does the work of many deals, so sizes rest at
first, steps are larger than the thesis's, and iteration t counts t times; the importance of bets, a mean of absolute
values deal by deal, is found on deals drawn for it. Unlike there a board is a sample: a size keeps some noise, less
with a longer horizon.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.compiled import Walk
from kibitz.bet_sizing.sizing import HORIZON, RULES, BetsRun, Mean, Rule, Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.deals.sampled import SampledDeal
from kibitz.solvers.board_sampling import BOARDS_AT_ONCE
from kibitz.solvers.compiled.boards import FOLDING, SHOWING, BoardGame, Ranked
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.strategy import Layout, Strategy

Floats = npt.NDArray[np.float64]
AT_ONCE = 4096
BOARD_HORIZON = 300
BOARD_WARMUP = 200  # boards before sizes move


class SampledRun(BetsRun):
    """BETS on samples: sums of both players, information set by information set."""

    def __init__(self, tree: BetTree, deal: SampledDeal, seed: int, sizing: Sizing) -> None:
        self.deal, self.seed = deal, seed
        self.layout = Layout(tree.shape, deal.counts, deal.fingerprint)
        super().__init__(tree, sizing, self.layout.size)
        self._walk = Walk(tree, self.layout)

    def average_strategy(self) -> Strategy:
        """Of both players, as laid out for the vector solvers."""
        return Strategy.from_sums(self.layout, self.average[self.layout.by_infoset], self.manifest())

    def settings(self) -> dict[str, Any]:
        return {"seed": self.seed}


class SampledBets(SampledRun):
    """Algorithm 1 of Hawkin (2014).

    importance comes with it: an iteration is a deal, and the metric takes its absolute value deal by deal.
    """

    algorithm = "sampled"

    def __init__(
        self,
        tree: BetTree,
        deal: SampledDeal,
        seed: int = 0,
        rule: Rule = "reach",
        horizon: float = HORIZON,
        mean: Mean = "iterations",
        start: Floats | None = None,
    ) -> None:
        super().__init__(tree, deal, seed, Sizing(tree, rule, horizon, mean, start))

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations."""
        from kibitz.bet_sizing import _kernels

        walk, sizing = self._walk, self.sizing
        end = self.iteration + count
        while self.iteration < end:
            draws = self.deal.draw(self.seed, self.iteration, min(AT_ONCE, end - self.iteration))
            settings = (self.iteration + 1, sizing.horizon, RULES[sizing.rule])
            sums = (self.regret, self.average, sizing.table, walk.chips)
            _kernels.sampled(*settings, walk.game, walk.bets, *draws, *sums)
            self.iteration += len(draws.states)

    def importance(self) -> Floats:
        """Chips per hand and pot of bet size that hang on each size: equation 5.15, per iteration."""
        return self.sizing.absolute(self.iteration)


class BoardBets(SampledRun):
    """BETS on boards; same seed, same sizes to the bit.

    warmup  boards before sizes begin to move
    """

    algorithm = "boards"

    def __init__(
        self,
        tree: BetTree,
        deal: SampledDeal,
        seed: int = 0,
        rule: Rule = "every",
        horizon: float = BOARD_HORIZON,
        mean: Mean = "linear",
        start: Floats | None = None,
        warmup: int = BOARD_WARMUP,
    ) -> None:
        super().__init__(tree, deal, seed, Sizing(tree, rule, horizon, mean, start, warmup))
        self.boards = BoardGame(SampledGame(tree.shape, deal))
        self._work, self._ends = self.boards.scratch(), Ends(tree, self.boards)
        self._ahead: tuple[int, Ranked] | None = None

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations."""
        from kibitz.solvers.board_sampling import _kernels

        ends = self._ends
        for _ in range(count):
            ends.restake(self._walk, self.sizing.table)
            board = self._next_board()
            sums = (self.regret, self.average, self._work, ends.told)
            _kernels.iterate(self.iteration, True, self.boards.tree, board, *sums)
            self.iteration += 1
            if self.iteration > self.sizing.warmup:
                self.move(*ends.slopes(self._walk, self.sizing.table))

    def _next_board(self) -> tuple[npt.NDArray[np.generic], ...]:
        """The board of this iteration; some are ranked ahead."""
        first, place = divmod(self.iteration, BOARDS_AT_ONCE)
        if self._ahead is None or self._ahead[0] != first:
            boards = self.boards.boards(self.seed, first * BOARDS_AT_ONCE, BOARDS_AT_ONCE)
            self._ahead = first, self.boards.rank(boards)
        return tuple(each[place : place + 1] for each in self._ahead[1])


class Ends:
    """Where hands end in a transformed tree, and what a walk of `board_sampling` tells about it.

    told  float64[nodes, 3]: what `board_sampling._kernels._tell` finds at each decision
    """

    def __init__(self, tree: BetTree, boards: BoardGame) -> None:
        shape, nodes = tree.shape, boards.tree[0].astype(np.int64)
        self.told = np.zeros((len(shape), 3))
        self._chips, self._stake, self._pull = boards.tree[1], np.empty(len(shape)), np.zeros((len(shape), 2))
        self._mass, self._slope = np.zeros(len(shape)), np.zeros(len(tree.sizers))
        actions = nodes[:, [FOLDING, SHOWING]]  # that lead to a fold and to a showdown
        self._above = [np.flatnonzero(each >= 0) for each in actions.T]
        self._below = [shape.first_child[above] + actions[above, end] for end, above in enumerate(self._above)]
        self._actor = [shape.player[above].astype(np.int64) for above in self._above]
        self._parent = shape.parent.astype(np.int64)

    def restake(self, walk: Walk, sizers: Floats) -> None:
        """Bring the chips of the walk in line with the sizes."""
        from kibitz.bet_sizing import _kernels

        _kernels.stakes(walk.nodes, walk.fraction, sizers, walk.stack, walk.chips, self._stake)
        for end in range(2):
            self._chips[self._above[end], end] = self._stake[self._below[end]]

    def slopes(self, walk: Walk, sizers: Floats) -> tuple[Floats, Floats]:
        """d value / d size of every bet-sizing player, and the probability of its bet: float64[sizers] each."""
        from kibitz.bet_sizing import _kernels

        (folds, shows), (folded, shown), (folder, caller) = self._above, self._below, self._actor
        told, pull, mass = self.told, self._pull, self._mass
        pull[folded, folder] = np.where(folder == 1, 1.0, -1.0) * told[folds, 0]  # who folds loses his chips
        pull[shown, 0] = np.where(caller == 1, 1.0, -1.0) * told[shows, 2]  # told of him who does not act
        _kernels.slopes(walk.nodes, walk.fraction, sizers, walk.chips, pull, self._slope)
        mass[:] = 0.0
        mass[folded], mass[shown] = told[folds, 0], told[shows, 1]
        _kernels.add_up(self._parent, mass)
        return self._slope, mass[walk.bets]
