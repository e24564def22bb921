"""Passes of `vector` in games in which one player is held to a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.solvers.vector import NO_RULE, PLACE, VALUE, Discounts
from kibitz.solvers.vector.passes import Passes, Sums
from kibitz.tree.columns import DECISION, KIND, ROUND

Floats = npt.NDArray[np.float64]
NOTHING: Floats = np.empty(0)


class RestrictedPasses(Passes):
    """`Passes` against a player who is held to a model; `_kernels` says what `held` is."""

    def iterate_held(
        self, first: int, count: int, discounts: Discounts, sigma: Floats, sums: Sums, held: tuple[Any, ...]
    ) -> None:
        """Iterations first .. first + count with alternating updates."""
        from kibitz.solvers.vector.restricted import _kernels

        compiled = self.compiled
        settings = (first, count, discounts, compiled.game, sigma, self.reach, self.values, sums, held)
        if compiled.is_dense:
            tables = (*compiled.leaves.tables, compiled.leaves.matrices(exact=False))
            self._run(lambda team: _kernels.iterate_dense(team, *settings, tables, self._works[team[1]]))
        else:
            self._run(lambda team: _kernels.iterate(team, *settings))

    def leaf_values(self, player: int, sigma: Floats) -> None:
        """Fill the values of `player` at all leaves, counterfactual to the other's sigma, whose reach is passed on."""
        sums = (NOTHING, NOTHING, NOTHING)
        self.down(0, sigma, sums)
        self.up(player, VALUE, NO_RULE, sigma, sums)

    def at_leaves(self, player: int) -> npt.NDArray[np.int64]:
        """Where the values of a player's states stand at all leaves, one leaf after the other."""
        nodes = np.asarray(self.compiled.game[0])
        leaves = nodes[nodes[:, KIND] != DECISION]
        counts = self.compiled.deal.counts[leaves[:, ROUND], player]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.asarray(np.repeat(leaves[:, PLACE + player], counts) + within, dtype=np.int64)

    def best(self, player: int, fixed: Floats, share: Floats) -> float:
        """What `player` wins by fixed + share * (its best choices), from the values at the leaves as they stand.

        Without `fixed` all is its choice, without `share` nothing.
        """
        from kibitz.solvers.vector.restricted import _kernels

        return float(_kernels.best_held(player, self.compiled.game, self.values, fixed, share))
