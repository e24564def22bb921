"""Frequentist models: how often a player took each action at each information set (Bard 2016, section 2.4.2).

Models from logs, and their files, are in `kibitz.modelling.frequentist`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.strategy.core import SMALL, Layout, Strategy, StrategyError

Floats = npt.NDArray[np.float64]
FEW = 10  # visits up to which an information set counts as rarely seen, as in the confidence of data-biased responses
UNSEEN, RARE, OFTEN = range(3)  # levels of observation


@dataclass(frozen=True, eq=False)
class FrequentistModel:
    """Counts of a player's actions in all seats, laid out like `Strategy.values`.

    counts   : float64[layout.size]; whole numbers, or fractions where a bet may be translated in more than one way
    manifest : where they come from: players, hands, files, translation, what the private states are
    """

    layout: Layout
    counts: Floats
    manifest: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.counts.shape != (self.layout.size,):
            raise StrategyError(f"{self.counts.shape} counts: the tree and its cards need ({self.layout.size},)")
        if not (self.counts >= 0).all():  # which nan is not either
            raise StrategyError("counts of actions that are negative or not numbers")

    def at(self, node: int) -> Floats:
        """The counts of one node, float64[actions, states] (a view)."""
        begin, end = self.layout.offset[node], self.layout.offset[node + 1]
        return self.counts[begin:end].reshape(int(self.layout.tree.children[node]), -1)

    @cached_property
    def visits(self) -> Floats:
        """Visits of the information set that each entry belongs to: float64[layout.size]."""
        layout = self.layout
        visits = np.empty(layout.size)
        for entries in layout.small_nodes:
            visits[entries] = self.counts[entries].sum(axis=1, keepdims=True)
        for node in np.flatnonzero(np.diff(layout.offset) > SMALL):
            block = visits[layout.offset[node] : layout.offset[node + 1]].reshape(int(layout.tree.children[node]), -1)
            block[...] = self.at(int(node)).sum(axis=0)
        return visits

    @property
    def levels(self) -> npt.NDArray[np.uint8]:
        """How well each information set is known, as `visits`: UNSEEN, RARE (at most FEW visits) or OFTEN."""
        return (self.visits > 0).astype(np.uint8) + (self.visits > FEW)

    @cached_property
    def strategy(self) -> Strategy:
        """The frequencies as a strategy; where nothing was seen it always calls."""
        unseen = self.visits == 0
        calls = Strategy.always(self.layout, "c").values
        values = np.where(unseen, calls, self.counts / np.where(unseen, 1.0, self.visits))
        return Strategy(self.layout, values, {"algorithm": "frequentist model", **self.manifest})
