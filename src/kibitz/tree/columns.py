"""The columns of `nodes`, the table of a betting tree that kernels walk: one numbering for all of them.

A row is all that a kernel needs to know of a node. Solvers append columns of their own, from FURTHER on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from kibitz.tree.build import Tree

DECISION, FOLD, SHOWDOWN = 0, 1, 2  # kinds

KIND, PLAYER, ROUND, FIRST, CHILDREN, OFFSET, PARENT = range(7)
FURTHER = 7


def node_table(
    tree: Tree, offset: npt.NDArray[np.int64], *further: npt.NDArray[np.integer], dtype: npt.DTypeLike = np.int64
) -> npt.NDArray[np.signedinteger]:
    """The table of a tree, [n, FURTHER + len(further)].

    offset : int64[n]   where the numbers of a node's information sets begin
    """
    columns = (tree.kind, tree.player, tree.round, tree.first_child, tree.children, offset, tree.parent, *further)
    table = np.empty((len(tree), len(columns)), dtype=dtype)
    for number, column in enumerate(columns):
        table[:, number] = column
    return table
