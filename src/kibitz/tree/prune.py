"""Trees with some of their actions taken out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.tree.build import Tree
from kibitz.tree.columns import DECISION


def pruned(tree: Tree, dropped: npt.NDArray[np.bool_]) -> Tree:
    """`tree` without the nodes marked in `dropped`, bool[n], and all that follows them; orders are kept.

    The menus stay what they were: they say what the tree was made from, its nodes what is left.
    """
    kept = ~dropped
    for node in range(1, len(tree)):  # parents come first
        kept[node] &= kept[tree.parent[node]]
    left = np.flatnonzero(kept)
    number = np.cumsum(kept) - 1
    children = np.bincount(tree.parent[left[1:]], minlength=len(tree))[left].astype(np.int32)
    stuck = (tree.kind[left] == DECISION) & (children == 0)
    if not kept[0] or stuck.any():
        where = tree.history(int(left[stuck][0])) if stuck.any() else ""
        raise KibitzError(f"nothing is left to do after {where or 'the start'!r}: keep at least one action")
    first = np.zeros(len(left), dtype=np.int32)
    for at in range(len(left) - 1, 0, -1):
        first[number[tree.parent[left[at]]]] = at
    parent = np.where(tree.parent[left] >= 0, number[tree.parent[left]], -1).astype(np.int32)
    actions = tuple(tree.actions[node] for node in left)
    return Tree(
        tree.game,
        tree.menus,
        tree.kind[left],
        tree.player[left],
        tree.round[left],
        parent,
        first,
        children,
        tree.spent[left],
        tree.folded[left],
        actions,
    )
