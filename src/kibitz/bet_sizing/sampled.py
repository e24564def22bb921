"""BETS by chance sampling, as in the thesis: one deal an iteration."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.compiled import Walk
from kibitz.bet_sizing.sizing import HORIZON, Mean, Rule, Sizing
from kibitz.bet_sizing.tree import BetTree
from kibitz.deals.sampled import SampledDeal
from kibitz.strategy import Layout, Strategy

Floats = npt.NDArray[np.float64]
AT_ONCE = 4096


class SampledRun:
    """What BETS on samples keeps: sums of both players, information set by information set, and the sizes."""

    algorithm = ""

    def __init__(self, tree: BetTree, deal: SampledDeal, seed: int, sizing: Sizing) -> None:
        self.tree, self.deal, self.seed, self.sizing = tree, deal, seed, sizing
        self.layout = Layout(tree.shape, deal.counts, deal.fingerprint)
        self.iteration = 0
        self.regret, self.average = np.zeros(self.layout.size), np.zeros(self.layout.size)
        self._walk = Walk(tree, self.layout)

    def sizes(self) -> Floats:
        """The sizes learnt so far."""
        return self.sizing.sizes(self.iteration)

    def average_strategy(self) -> Strategy:
        """Of both players, as laid out for the vector solvers."""
        manifest = {**self.parameters(), "iterations": self.iteration}
        return Strategy.from_sums(self.layout, as_laid_out(self.layout, self.average), manifest)

    def parameters(self) -> dict[str, Any]:
        """What the run was made with."""
        sizing = self.sizing
        made = {"rule": sizing.rule, "horizon": sizing.horizon, "mean": sizing.mean, "warmup": sizing.warmup}
        return {"algorithm": f"BETS, {self.algorithm}", "seed": self.seed, **made}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The memory of the run."""
        return {"regret": self.regret, "average": self.average, "sizers": self.sizing.table}

    def restore(self, iteration: int, arrays: dict[str, npt.NDArray[np.generic]]) -> None:
        """Go on from a saved memory."""
        self.iteration = iteration
        for name, array in self.arrays().items():
            array[...] = arrays[name]


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
        from kibitz.bet_sizing.sizing import RULES

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


def as_laid_out(layout: Layout, sums: Floats) -> Floats:
    """Sums kept information set by information set, in the order of strategies."""
    found = np.empty_like(sums)
    for node in layout.tree.decisions:
        begin, end = layout.offset[node], layout.offset[node + 1]
        found[begin:end] = sums[begin:end].reshape(-1, int(layout.tree.children[node])).T.ravel()
    return found


def as_sampled(layout: Layout, values: Floats) -> Floats:
    """The inverse: values of a strategy, information set by information set."""
    found = np.empty(layout.size)
    for node in layout.tree.decisions:
        begin, end = layout.offset[node], layout.offset[node + 1]
        found[begin:end] = values[begin:end].reshape(int(layout.tree.children[node]), -1).T.ravel()
    return found
