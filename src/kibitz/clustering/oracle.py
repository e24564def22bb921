"""Response oracles: the best response to a set of entities without listing all responses (Bard 2016, section 5.2).

The utility of response r against entity e is linear, u(e, r) = <s(e), r>: each entity has a vector of statistics s(e),
each response is a vector too. What a cluster of entities C is worth then depends on the *sum* of its statistics alone,

    u(C) = max over r of sum over e in C of u(e, r) = max over r of <s(C), r>,

and sums of clusters that are merged add up. Responses are the plans of a *tree of decisions*, in which a choice may
lead to further decisions. One decision is a choice among listed responses, several side by side are a response made of
attributes (separable utility), and a tree of them is a player's part of an extensive-form game in sequence form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Oracle(Protocol):
    """What clustering asks for; `TreeOracle` is one."""

    @property
    def statistics(self) -> Floats:
        """One row per entity, float64[m, d]; those of a cluster are their sum."""

    def values(self, sums: Floats) -> Floats:
        """u(C) of the clusters with these statistics, float64[n, d] -> float64[n]."""

    def respond(self, sums: Floats) -> Floats:
        """A best response to each of those clusters, float64[n, ...]."""

    def utilities(self, responses: Floats) -> Floats:
        """u(e, r) of every entity against every response, float64[m, n]."""


@dataclass(frozen=True, eq=False)
class DecisionTree:
    """Decisions, those that come first listed first.

    start  : int64[h + 1]   decision i has the choices start[i] .. start[i + 1]; choice 0 is no choice but the beginning
    parent : int64[h]       the choice that leads to each decision, 0 for those at the beginning

    A *plan* gives every choice the probability that the decisions lead to it and take it: plan[0] = 1, and the choices
    of a decision add up to that of its parent.
    """

    start: Ints
    parent: Ints

    def __post_init__(self) -> None:
        start, parent = self.start, self.parent
        if len(start) != len(parent) + 1 or start[0] != 1 or (np.diff(start) < 1).any():
            raise KibitzError("a tree of decisions: each needs a choice, and the first begins with choice 1")
        if (parent < 0).any() or (parent >= start[:-1]).any():
            raise KibitzError("a tree of decisions: each is led to by a choice of an earlier one, or by 0")

    @property
    def size(self) -> int:
        """Number of choices, the beginning included."""
        return int(self.start[-1])

    def realise(self, behaviour: Floats) -> Floats:
        """Plans of those who take each choice with these probabilities once there, float64[n, d] -> float64[n, d]."""
        plans = np.array(behaviour, dtype=np.float64)
        plans[:, 0] = 1.0
        for first, last, parent in zip(self.start[:-1], self.start[1:], self.parent, strict=True):
            plans[:, first:last] *= plans[:, parent, np.newaxis]
        return plans

    def best_values(self, sums: Floats) -> Floats:
        """Max over plans of <sums, plan>, float64[n, d] -> float64[n]."""
        from kibitz.clustering import _kernels

        values = np.empty(len(sums))
        _kernels.best_values(self._checked(sums), self.start, self.parent, values)
        return values

    def best_plans(self, sums: Floats) -> Floats:
        """Pure plans with those values, float64[n, d]; of equal choices the first is taken."""
        from kibitz.clustering import _kernels

        plans = np.empty(sums.shape)
        _kernels.best_plans(self._checked(sums), self.start, self.parent, plans)
        return plans

    def _checked(self, sums: Floats) -> Floats:
        if sums.ndim != 2 or sums.shape[1] != self.size:
            raise KibitzError(f"statistics of shape {sums.shape}: need [n, {self.size}], one column per choice")
        return np.ascontiguousarray(sums, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class TreeOracle:
    """Entities whose utility is linear in the plans of a tree of decisions.

    statistics : float64[m, d]   what each choice is worth against each entity; column 0 is there whatever is chosen
    """

    statistics: Floats
    tree: DecisionTree

    def __post_init__(self) -> None:
        if self.statistics.ndim != 2 or self.statistics.shape[1] != self.tree.size or not len(self.statistics):
            raise KibitzError(f"statistics of shape {self.statistics.shape}: need [m >= 1, {self.tree.size}]")
        if not np.isfinite(self.statistics).all():
            raise KibitzError("a utility is not finite: utilities are numbers")

    @classmethod
    def of_matrix(cls, utilities: npt.ArrayLike) -> TreeOracle:
        """Responses that can be listed: utilities float64[m, n] of every entity against every response."""
        return cls.separable([utilities])

    @classmethod
    def separable(cls, parts: Sequence[npt.ArrayLike]) -> TreeOracle:
        """Responses of several attributes: u(e, r) is the sum over i of parts[i][e, r_i], each float64[m, n_i]."""
        tables = [np.asarray(part, dtype=np.float64) for part in parts]
        shapes = [table.shape for table in tables]
        if not tables or any(len(shape) != 2 or 0 in shape for shape in shapes) or len({s[0] for s in shapes}) != 1:
            raise KibitzError(f"utilities of shapes {shapes}: need tables [m, n] with the same entities, m and n >= 1")
        start = np.cumsum([1, *(shape[1] for shape in shapes)], dtype=np.int64)
        nothing = np.zeros((len(tables[0]), 1))
        return cls(np.hstack([nothing, *tables]), DecisionTree(start, np.zeros(len(tables), dtype=np.int64)))

    def values(self, sums: Floats) -> Floats:
        """u(C), float64[n], of clusters by their sums."""
        return self.tree.best_values(sums)

    def respond(self, sums: Floats) -> Floats:
        """Best responses as pure plans, float64[n, d]."""
        return self.tree.best_plans(sums)

    def utilities(self, responses: Floats) -> Floats:
        """u(e, r), float64[m, n]."""
        return np.asarray(self.statistics @ responses.T)
