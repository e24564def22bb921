"""Action abstractions: a transformed tree with its learnt sizes, and the importance of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.build import Transformation
from kibitz.bet_sizing.tree import BetTree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BetAbstraction:
    """Bet sizes by public sequence.

    sizes, importance  float64[sizers]
    made               where they come from: algorithm, run, iterations, cards, seed, ...
    """

    transformation: Transformation
    tree: BetTree
    sizes: Floats
    importance: Floats
    made: dict[str, Any] = field(default_factory=dict)

    def ranking(self) -> list[int]:
        """Bet-sizing players, the most important first."""
        return [int(i) for i in np.argsort(-self.importance, kind="stable")]

    def restricted(self, keys: Iterable[str]) -> BetAbstraction:
        """The abstraction with these bets only, and what follows them (algorithm 9)."""
        kept = {key: self.tree.ranges[key] for key in keys}
        tree = self.transformation.build(kept, "as-given")
        places = [self.tree.keys[each.key] for each in tree.sizers]
        return BetAbstraction(self.transformation, tree, self.sizes[places], self.importance[places], self.made)

    def table(self, most: int | None = None) -> list[dict[str, Any]]:
        """One row per bet, the most important first: {bet, seat, low, high, size, importance}."""
        rows = []
        for i in self.ranking()[:most]:
            each = self.tree.sizers[i]
            rows.append(
                {
                    "bet": each.key,
                    "seat": each.seat,
                    "low": each.range.low,
                    "high": each.range.high,
                    "size": float(self.sizes[i]),
                    "importance": float(self.importance[i]),
                }
            )
        return rows
