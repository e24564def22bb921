"""BETS with all deals at once: exact regrets, and the exact slope of the value in every size.

The thesis samples one deal an iteration. Where the cards are a matrix deal nothing need be sampled, and an iteration
sees the expectation of what a sampled one would see: `Slopes` holds d value / d size and the probability of each bet
over all deals. Two things differ and must:

- the importance of a bet is a mean of absolute values, one per deal; the absolute value of the mean is the residual
  gradient, which vanishes where sizes have settled. `importance` therefore draws deals.
- an iteration does the work of many, so there are few of them. The least step 1 / N is larger (HORIZON here), sizes
  rest until the players know something (WARMUP), and iteration t counts t times in the regrets of sizes and in their
  mean, as in the players' (discounted CFR). Without noise a size that is hardly ever bet has a direction too, so by
  default it moves as fast as the others (equation 4.10).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.compiled import BetSizingGame, Slopes, Walk, equivalent_game
from kibitz.bet_sizing.sizing import RULES, Mean, Rule, Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.deals import MatrixDeal
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.solvers.vector import BOTH, REGRETS, rule_at
from kibitz.solvers.vector.passes import Passes
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
HORIZON = 30
WARMUP = 50  # iterations before sizes move: the first strategies say nothing about them


class VectorBets:
    """Full-width BETS.

    weighting  how the players' regrets are weighted, a name of `kibitz.solvers.cfr.WEIGHTINGS`
    warmup     iterations before sizes begin to move
    """

    algorithm = "vector"

    def __init__(
        self,
        tree: BetTree,
        deal: MatrixDeal,
        rule: Rule = "every",
        horizon: float = HORIZON,
        mean: Mean = "linear",
        start: Floats | None = None,
        weighting: str = "dcfr",
        alternating: bool = True,
        threads: int = 1,
        warmup: int = WARMUP,
    ) -> None:
        self.tree = tree
        self.sizing = Sizing(tree, rule, horizon, mean, start, warmup)
        self.compiled: BetSizingGame = equivalent_game(tree, self.sizing.current, deal)
        self.weighting, self.alternating = weighting, alternating
        self.iteration = 0
        size = self.compiled.layout.size
        self.regret, self.average = np.zeros(size), np.zeros(size)
        self._sigma = np.empty(size)
        self._passes = Passes(self.compiled, threads)
        self._walk = Walk(tree, self.compiled.layout)
        self._slopes = Slopes(tree, self.compiled, self._walk)
        self._prediction = np.zeros(size if WEIGHTINGS[weighting].predict else 0)

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations."""
        self._restake()
        for _ in range(count):
            self._iterate()

    def _iterate(self) -> None:
        self.iteration += 1
        rule = rule_at(self.iteration, WEIGHTINGS[self.weighting].discounts)
        sums, passes = (self.regret, self._prediction, self.average), self._passes
        for p in range(2):
            if p == 0 or self.alternating:
                passes.down(BOTH, self._sigma, sums)
            passes.up(p, REGRETS, rule, self._sigma, sums, exact=False)
        self._slopes.find(self.sizing.table, passes.reach, passes.values)
        self._move()

    def _move(self) -> None:
        """Move the sizes along their slopes, once they may."""
        from kibitz.bet_sizing import _kernels

        sizing, slopes = self.sizing, self._slopes
        if self.iteration > sizing.warmup:
            settings = (self.iteration, float(self.iteration), sizing.horizon, RULES[sizing.rule])
            _kernels.move_all(*settings, sizing.table, slopes.slope, slopes.reach)
            self._restake()

    def _restake(self) -> None:
        """Bring chips and stakes in line with the sizes."""
        from kibitz.bet_sizing import _kernels

        walk = self._walk
        _kernels.stakes(walk.nodes, walk.fraction, self.sizing.table, walk.stack, walk.chips, self.compiled.stake)

    def sizes(self) -> Floats:
        """The sizes learnt so far."""
        return self.sizing.sizes(self.iteration)

    def average_strategy(self) -> Strategy:
        """Of both players."""
        manifest = {**self.parameters(), "iterations": self.iteration}
        return Strategy.from_sums(self.compiled.layout, self.average, manifest)

    def parameters(self) -> dict[str, Any]:
        """What the run was made with."""
        sizing = self.sizing
        made = {"rule": sizing.rule, "horizon": sizing.horizon, "mean": sizing.mean, "warmup": sizing.warmup}
        updates = "alternating" if self.alternating else "simultaneous"
        return {"algorithm": f"BETS, {self.algorithm}", "weighting": self.weighting, "updates": updates, **made}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The memory of the run."""
        return {
            "regret": self.regret,
            "average": self.average,
            "prediction": self._prediction,
            "sizers": self.sizing.table,
        }

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go on from a saved memory."""
        self.iteration = iteration
        for name, array in self.arrays().items():
            array[...] = arrays[name]
