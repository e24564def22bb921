"""Strategies over coarser private states: lifted to finer ones, and averaged from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from kibitz.strategy.core import Layout, StrategyError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def lifted(values: Floats, coarse: Layout, fine: Layout, player: int, classes: Sequence[Ints], into: Floats) -> None:
    """Write `player`'s entries of `values`, over `coarse`, to `into`, over `fine`.

    classes   int64[states in `fine`] per round: the state in `coarse` that each is part of
    """
    _check_trees(coarse, fine)
    tree = fine.tree
    for node in tree.decisions.tolist():
        if tree.player[node] == player:
            block = values[coarse.offset[node] : coarse.offset[node + 1]].reshape(int(tree.children[node]), -1)
            found = block[:, classes[int(tree.round[node])]]
            into[fine.offset[node] : fine.offset[node + 1]] = found.ravel()


def summed(values: Floats, fine: Layout, coarse: Layout, player: int, classes: Sequence[Ints], into: Floats) -> None:
    """Write the sums of `player`'s entries over the states of each class to `into`, over `coarse`: counts, or weights
    of actions, of which `Strategy.from_sums` makes probabilities.
    """
    _check_trees(coarse, fine)
    tree = fine.tree
    for node in tree.decisions.tolist():
        if tree.player[node] == player:
            block = values[fine.offset[node] : fine.offset[node + 1]].reshape(int(tree.children[node]), -1)
            of, states = classes[int(tree.round[node])], int(coarse.states[node])
            found = np.stack([np.bincount(of, weights=row, minlength=states) for row in block])
            into[coarse.offset[node] : coarse.offset[node + 1]] = found.ravel()


def _check_trees(one: Layout, other: Layout) -> None:
    if one.tree.fingerprint != other.tree.fingerprint:
        raise StrategyError(
            f"betting trees {one.tree.fingerprint} and {other.tree.fingerprint}: private states can be exchanged "
            "within one tree only"
        )
