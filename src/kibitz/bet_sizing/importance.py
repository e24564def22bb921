"""Which bets matter, and trees without the others (Hawkin 2014, section 6.6)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.tree import BetTree
from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]


def find_important(tree: BetTree, importance: Floats, extras: int) -> set[str]:
    """The keys of the bets to keep: the most important one of every decision, and `extras` more (algorithm 8).

    The extras are taken one by one from decisions that are still there, so that as many survive as there can be; the
    thesis may lose some in subtrees that fall with another bet. A bet of no importance is not kept.
    """
    if extras < 0:
        raise KibitzError(f"{extras} extra bets: at least 0")
    decisions: dict[int, list[int]] = {}
    for i, each in enumerate(tree.sizers):
        decisions.setdefault(int(tree.shape.parent[each.node]), []).append(i)
    best = {max(group, key=lambda i: (importance[i], -i)) for group in decisions.values()}
    keep = {i for i in best if importance[i] > 0}
    pool = sorted((i for i in range(len(tree.sizers)) if i not in best), key=lambda i: (-importance[i], i))
    above = _bets_above(tree)
    while extras > 0:
        chosen = next((i for i in pool if importance[i] > 0 and above[i] <= keep), None)
        if chosen is None:
            break
        keep.add(chosen)
        pool.remove(chosen)
        extras -= 1
    return {tree.sizers[i].key for i in keep if above[i] <= keep}


def _bets_above(tree: BetTree) -> list[set[int]]:
    """For every bet-sizing player those that must have bet before it."""
    shape = tree.shape
    met: list[frozenset[int]] = [frozenset()]
    for node in range(1, len(shape)):
        before = met[int(shape.parent[node])]
        met.append(before | {int(tree.sizer[node])} if tree.sizer[node] >= 0 else before)
    return [set(met[int(shape.parent[each.node])]) for each in tree.sizers]


def merged_extras(tree: BetTree, sizes: Floats, distance: float = 0.1) -> int:
    """How many extra bets stay more than `distance` pots from the others of their decision (section 6.7)."""
    decisions: dict[int, list[float]] = {}
    for each, size in zip(tree.sizers, sizes, strict=True):
        decisions.setdefault(int(tree.shape.parent[each.node]), []).append(float(size))
    distinct = 0
    for group in decisions.values():
        kept: list[float] = []
        for size in sorted(group):
            if not kept or size - kept[-1] > distance:
                kept.append(size)
        distinct += len(kept) - 1
    return distinct


def histogram(tree: BetTree, sizes: Floats, importance: Floats, share: float = 0.1) -> dict[float, int]:
    """Sizes of the most important bets, rounded to a tenth of the pot, and how many there are of each (figure 5.6)."""
    top = np.argsort(-importance, kind="stable")[: max(1, round(share * len(sizes)))]
    values, counts = np.unique(np.round(sizes[top], 1), return_counts=True)
    return dict(zip(values.tolist(), counts.tolist(), strict=True))
