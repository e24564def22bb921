"""How much of a game a frequentist model has seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.strategy import FrequentistModel

Floats = npt.NDArray[np.float64]
_KINDS = {"f": 0, "c": 1}  # all else are raises
ALL = "all"  # rounds together
FEW = 10  # visits up to which an information set counts as rarely seen, as in the confidence of data-biased responses


def coverage(model: FrequentistModel) -> list[dict[str, Any]]:
    """How much was seen, one row a round and one for all of them.

    infosets   of all seats, and how many of them were never seen, 1 to 10 times, more often
    decisions  counted there, and the share of folds, calls and raises among them
    """
    layout, tree = model.layout, model.layout.tree
    nodes = np.asarray(tree.decisions)
    states, first = layout.states[nodes], layout.offset[nodes]
    ends = np.column_stack((first, first + states)).ravel()
    seen, often = (_sums(model.visits > least, ends)[::2] for least in (0, FEW))
    children, actions = tree.first_child[nodes], tree.children[nodes]
    above = np.repeat(np.arange(len(nodes)), actions)
    number = np.arange(len(above)) - np.repeat(np.cumsum(actions) - actions, actions)
    taken = _sums(model.counts, first[above] + number * states[above])
    kinds = np.array([_KINDS.get(tree.actions[child], 2) for child in (children[above] + number).tolist()])
    rows = []
    for round_ in (*range(tree.game.rounds), ALL):
        here = (tree.round[nodes] == round_) | (round_ == ALL)
        counted = [int(each[here].sum()) for each in (states, seen, often)]
        rows.append(_row(round_, counted, np.bincount(kinds[here[above]], taken[here[above]], 3)))
    return rows


def _sums(values: npt.NDArray[Any], starts: npt.NDArray[np.int64]) -> Floats:
    """Sums of `values` from each start up to the next, or to the end."""
    return np.asarray(np.add.reduceat(np.append(values, 0), starts, dtype=np.float64))


def _row(round_: int | str, counted: list[int], taken: npt.NDArray[Any]) -> dict[str, Any]:
    """A row of `coverage`; counted = information sets, those seen, those seen often."""
    infosets, seen, often = counted
    decisions = float(taken.sum())
    shares = taken / decisions if decisions else taken
    return {
        "round": round_,
        "infosets": infosets,
        "unseen": infosets - seen,
        "few": seen - often,
        "many": often,
        "decisions": decisions,
        **dict(zip(("fold", "call", "raise"), shares.tolist(), strict=True)),
    }
