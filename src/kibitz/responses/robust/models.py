"""Frequentist models: how often a player was seen to take each action at each of its information sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.strategy import Layout, Strategy

Floats = npt.NDArray[np.float64]


class Counted(Protocol):
    """What every frequentist model has."""

    @property
    def layout(self) -> Layout:
        """The betting tree and the private states or buckets that are counted."""

    @property
    def counts(self) -> Any:
        """float64[layout.size], in the order of `Strategy.values`: how often each action was taken."""


@dataclass(frozen=True, eq=False)
class FrequentistModel:
    """Counts of actions, as a strategy and as numbers of visits.

    counts   : float64[layout.size], (action, state) entries as in `Strategy.values`
    manifest : where they come from
    """

    layout: Layout
    counts: Floats
    manifest: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.counts.shape != (self.layout.size,):
            raise KibitzError(f"counts of shape {self.counts.shape}: the layout has {self.layout.size} entries")
        if not (self.counts >= 0).all():  # which nan is not either
            raise KibitzError("counts of actions that are negative or not numbers")

    @classmethod
    def of(cls, counted: Counted) -> FrequentistModel:
        """The model that anything with `layout` and `counts` is."""
        return cls(counted.layout, np.asarray(counted.counts, dtype=np.float64), dict(getattr(counted, "manifest", {})))

    @cached_property
    def visits(self) -> Floats:
        """How often each information set was seen, repeated for each of its actions: float64[layout.size]."""
        found = np.empty(self.layout.size)
        offset, children = self.layout.offset, self.layout.tree.children
        for node in self.layout.tree.decisions.tolist():
            block = self.counts[offset[node] : offset[node + 1]].reshape(int(children[node]), -1)
            found[offset[node] : offset[node + 1]] = np.tile(block.sum(axis=0), len(block))
        return found

    @cached_property
    def strategy(self) -> Strategy:
        """Frequencies where anything was seen, always calling elsewhere (the imputation of frequentist responses)."""
        calls = Strategy.always(self.layout, "c").values
        seen = self.visits > 0
        values = np.where(seen, self.counts / np.where(seen, self.visits, 1.0), calls)
        return Strategy(self.layout, values, {"algorithm": "frequentist model", **self.manifest})
