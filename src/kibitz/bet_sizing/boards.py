"""BETS by public chance sampling: one board an iteration, all hands and all betting on it.

For imperfect recall, which has no vector form. Like the vector form an iteration does the work of many deals, so
sizes rest at first, steps are larger than the thesis's, and iteration t counts t times; the importance of bets, a mean
of absolute values deal by deal, is found on deals drawn for it. Unlike there a board is a sample: a size keeps some
noise, less with a longer horizon.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.compiled import Walk
from kibitz.bet_sizing.sampled import SampledRun
from kibitz.bet_sizing.sizing import RULES, Mean, Rule, Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.deals.sampled import SampledDeal
from kibitz.solvers.board_sampling import BoardGame
from kibitz.solvers.board_sampling.solver import BOARDS_AT_ONCE
from kibitz.solvers.compiled.boards import FOLDING, SHOWING, Ranked
from kibitz.solvers.sampled import SampledGame

Floats = npt.NDArray[np.float64]
HORIZON = 300
WARMUP = 200


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
        horizon: float = HORIZON,
        mean: Mean = "linear",
        start: Floats | None = None,
        warmup: int = WARMUP,
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
                self._move()

    def _next_board(self) -> tuple[npt.NDArray[np.generic], ...]:
        """The board of this iteration; some are ranked ahead."""
        first, place = divmod(self.iteration, BOARDS_AT_ONCE)
        if self._ahead is None or self._ahead[0] != first:
            boards = self.boards.boards(self.seed, first * BOARDS_AT_ONCE, BOARDS_AT_ONCE)
            self._ahead = first, self.boards.rank(boards)
        return tuple(each[place : place + 1] for each in self._ahead[1])

    def _move(self) -> None:
        from kibitz.bet_sizing import _kernels

        sizing = self.sizing
        slope, reach = self._ends.slopes(self._walk, sizing.table)
        settings = (self.iteration, float(self.iteration), sizing.horizon, RULES[sizing.rule])
        _kernels.move_all(*settings, sizing.table, slope, reach)


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
