"""The leaves of a bucket game by round and kind: each group is one product of a matrix with all reach vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.solvers.vector import PLACE, SLOT
from kibitz.tree import DECISION, SHOWDOWN
from kibitz.tree.columns import PLAYER

if TYPE_CHECKING:
    from kibitz.solvers.compiled.vector import VectorGame

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class LeafGroup(NamedTuple):
    """Leaves of one round and kind, as one player sees them.

    matrix  float64[opposing states, own states], a view
    slots   int64[k]: where the distinct reach vectors of the opponent begin
    vector  int64[l]: which of them each leaf takes, ascending
    places  int64[l]: where each leaf's values begin
    leaves  int64[l]: the nodes
    signs   float64[l]: 1 where the player wins the stake (or what a showdown's matrix says of it), else -1
    """

    matrix: Floats
    slots: Ints
    vector: Ints
    places: Ints
    leaves: Ints
    signs: Floats


def leaf_groups(compiled: VectorGame, nodes: Ints) -> tuple[list[LeafGroup], list[LeafGroup]]:
    """The leaves of a form by player, round and kind; `nodes` is the first array of `form.game`."""
    tree = compiled.tree
    groups: tuple[list[LeafGroup], list[LeafGroup]] = ([], [])
    for r, deal in enumerate(compiled.deal.rounds):
        for showdown in (False, True):
            here = (tree.round == r) & (tree.kind != DECISION) & ((tree.kind == SHOWDOWN) == showdown)
            leaves = np.flatnonzero(here)
            if not len(leaves):
                continue
            matrix = deal.dense(deal.sign if showdown else deal.weight)
            for p in range(2):
                ordered = leaves[np.argsort(nodes[leaves, SLOT + 1 - p], kind="stable")]
                slots, vector = np.unique(nodes[ordered, SLOT + 1 - p], return_inverse=True)
                winner = 0 if showdown else nodes[ordered, PLAYER]
                signs = np.where(winner == p, 1.0, -1.0) * np.ones(len(ordered))
                places = nodes[ordered, PLACE + p]
                groups[p].append(LeafGroup(matrix if p else matrix.T, slots, vector, places, ordered, signs))
    return groups
