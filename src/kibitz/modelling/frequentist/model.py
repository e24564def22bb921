"""Frequentist models: how often a player took each action at each information set (Bard 2016, section 2.4.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.strategy import Layout, Strategy, StrategyError
from kibitz.strategy.core import SMALL

Floats = npt.NDArray[np.float64]
_KINDS = {"f": 0, "c": 1}  # all else are raises
ALL = "all"  # rounds together
FEW = 10  # visits up to which an information set counts as rarely seen, as in the confidence of data-biased responses


@dataclass(frozen=True, eq=False)
class FrequentistModel:
    """Counts of a player's actions in all seats, laid out like `Strategy.values`.

    counts   : float64[layout.size]; whole numbers, or fractions where a bet may be translated in more than one way
    manifest : where they come from: players, hands, files, translation, what the private states are
    """

    layout: Layout
    counts: Floats
    manifest: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.counts.shape != (self.layout.size,):
            raise StrategyError(f"{self.counts.shape} counts: the tree and its cards need ({self.layout.size},)")

    def at(self, node: int) -> Floats:
        """The counts of one node, float64[actions, states] (a view)."""
        begin, end = self.layout.offset[node], self.layout.offset[node + 1]
        return self.counts[begin:end].reshape(int(self.layout.tree.children[node]), -1)

    @cached_property
    def visits(self) -> Floats:
        """Visits of the information set that each entry belongs to: float64[layout.size]."""
        layout = self.layout
        visits = np.empty(layout.size)
        for entries in layout.small_nodes:
            visits[entries] = self.counts[entries].sum(axis=1, keepdims=True)
        for node in np.flatnonzero(np.diff(layout.offset) > SMALL):
            block = visits[layout.offset[node] : layout.offset[node + 1]].reshape(int(layout.tree.children[node]), -1)
            block[...] = self.at(int(node)).sum(axis=0)
        return visits

    @cached_property
    def strategy(self) -> Strategy:
        """The frequencies as a strategy; where nothing was seen it always calls."""
        unseen = self.visits == 0
        calls = Strategy.always(self.layout, "c").values
        values = np.where(unseen, calls, self.counts / np.where(unseen, 1.0, self.visits))
        return Strategy(self.layout, values, {"algorithm": "frequentist model", **self.manifest})

    @cached_property
    def coverage(self) -> list[dict[str, Any]]:
        """How much was seen, one row a round and one for all of them.

        infosets   of all seats, and how many of them were never seen, 1 to 10 times, more often
        decisions  counted there, and the share of folds, calls and raises among them
        """
        layout, tree = self.layout, self.layout.tree
        nodes = np.asarray(tree.decisions)
        states, first = layout.states[nodes], layout.offset[nodes]
        ends = np.column_stack((first, first + states)).ravel()
        seen, often = (_sums(self.visits > least, ends)[::2] for least in (0, FEW))
        children, actions = tree.first_child[nodes], tree.children[nodes]
        above = np.repeat(np.arange(len(nodes)), actions)
        number = np.arange(len(above)) - np.repeat(np.cumsum(actions) - actions, actions)
        taken = _sums(self.counts, first[above] + number * states[above])
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
