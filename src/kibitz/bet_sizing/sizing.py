"""What every kind of BETS run keeps: its bet-sizing players, how they move, and its memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.tree import BetTree
from kibitz.errors import KibitzError
from kibitz.solvers.base import StepwiseSolver

Floats = npt.NDArray[np.float64]
HORIZON = 10_000  # N of the thesis: the step is never smaller than 1 / N
BOUND_SHARE = 0.05  # of its range: so near to a bound a size counts as at that bound

# "reach" is equation 4.11, "every" 4.10; "matching" is plain CFR, which does not converge.
Rule = Literal["every", "reach", "matching"]
Mean = Literal["iterations", "linear", "reach", "last"]
RULES: Mapping[str, int] = {rule: number for number, rule in enumerate(get_args(Rule))}
_LOW, _HIGH, _SIZE, _TOTAL, _WEIGHTED, _REACH, _ABSOLUTE, _LINEAR = 0, 1, 2, 3, 4, 5, 8, 9  # columns, as in `_kernels`
_MARK, _EARLIER = 10, 11


class Sizing:
    """The bet-sizing players of a run.

    table   float64[sizers, 12]: low, high, size, sums of sizes (plain, by reach) and of reach, regrets of both ends,
            sum of |slope|, sum of sizes by iteration, sizes at the last two marks
    mean    which size is learnt: the mean over iterations, plain, weighted by their numbers or by reach, or the last
    warmup  iterations before sizes begin to move
    """

    def __init__(
        self,
        tree: BetTree,
        rule: Rule,
        horizon: float,
        mean: Mean,
        start: Floats | None = None,
        warmup: int = 0,
    ) -> None:
        if rule not in RULES:
            raise KibitzError(f"update rule {rule!r}: one of {', '.join(RULES)}")
        if mean not in get_args(Mean):
            raise KibitzError(f"mean {mean!r}: one of {', '.join(get_args(Mean))}")
        if horizon < 1:
            raise KibitzError(f"a horizon of {horizon}: at least 1 iteration")
        self.rule, self.horizon, self.mean, self.warmup = rule, float(horizon), mean, warmup
        self.table = np.zeros((len(tree.sizers), 12))
        self.table[:, _LOW] = [each.range.low for each in tree.sizers]
        self.table[:, _HIGH] = [each.range.high for each in tree.sizers]
        self.table[:, _SIZE] = tree.middles if start is None else tree.checked(start)

    @property
    def current(self) -> Floats:
        """The sizes of the next iteration."""
        return self.table[:, _SIZE].copy()

    def sizes(self, iterations: int) -> Floats:
        """The sizes learnt in that many iterations."""
        moved = iterations - self.warmup
        if moved <= 0 or self.mean == "last":
            return self.current
        if self.mean == "iterations":
            found = self.table[:, _TOTAL] / moved
        elif self.mean == "linear":
            found = self.table[:, _LINEAR] / (moved * (iterations + self.warmup + 1) / 2)
        else:
            reach = self.table[:, _REACH]
            found = np.where(reach > 0, self.table[:, _WEIGHTED] / np.where(reach > 0, reach, 1), self.current)
        return np.clip(found, self.table[:, _LOW], self.table[:, _HIGH])

    def mark(self, iterations: int) -> None:
        """Remember the sizes learnt in that many iterations."""
        self.table[:, _EARLIER] = self.table[:, _MARK]
        self.table[:, _MARK] = self.sizes(iterations)

    @property
    def marked(self) -> Floats:
        """The sizes at the mark before the last."""
        return self.table[:, _EARLIER].copy()

    def absolute(self, iterations: int) -> Floats:
        """Mean |slope| / 2 per iteration: the importance (equation 5.15), where an iteration is one deal."""
        return np.asarray(self.table[:, _ABSOLUTE] / (2 * max(iterations, 1)))

    def at_bound(self, iterations: int) -> npt.NDArray[np.int8]:
        """-1 where the learnt size is at the lower bound of its range, 1 at the upper, 0 between."""
        low, high = self.table[:, _LOW], self.table[:, _HIGH]
        place = (self.sizes(iterations) - low) / (high - low)
        return (place > 1 - BOUND_SHARE).astype(np.int8) - (place < BOUND_SHARE).astype(np.int8)


class BetsRun(StepwiseSolver):
    """Two players and their bet-sizing players learning together: what is alike however deals are looked at.

    regret, average   float64[layout.size]: the players' sums
    """

    algorithm = ""
    regret: Floats
    average: Floats

    def __init__(self, tree: BetTree, sizing: Sizing, size: int) -> None:
        self.tree, self.sizing = tree, sizing
        self.regret, self.average = np.zeros(size), np.zeros(size)

    def sizes(self) -> Floats:
        """The sizes learnt so far."""
        return self.sizing.sizes(self.iteration)

    def parameters(self) -> dict[str, Any]:
        """What the run was made with."""
        sizing = self.sizing
        made = {"rule": sizing.rule, "horizon": sizing.horizon, "mean": sizing.mean, "warmup": sizing.warmup}
        return {"algorithm": f"BETS, {self.algorithm}", **self.settings(), **made}

    def settings(self) -> dict[str, Any]:
        """What only this kind of run is made with."""
        return {}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The memory of the run."""
        return {"regret": self.regret, "average": self.average, "sizers": self.sizing.table}

    def move(self, slope: Floats, reach: Floats) -> None:
        """Move every size along its slope; iteration t counts t times."""
        from kibitz.bet_sizing import _kernels

        sizing = self.sizing
        settings = (self.iteration, float(self.iteration), sizing.horizon, RULES[sizing.rule])
        _kernels.move_all(*settings, sizing.table, slope, reach)
