"""Strategies: one flat array of probabilities over (betting tree, buckets)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.tree import DECISION, Tree

Floats = npt.NDArray[np.float64]
SMALL = 64  # entries of a node
REAL = "real"  # entry of a manifest: what was measured in the real game
MEASURED = ("exploitability", "value", "measured in", REAL)  # entries that are true of one strategy alone


class StrategyError(KibitzError):
    """A strategy that does not fit where it is used, or a file that is not one."""


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """Where the probabilities of each information set stand.

    counts : int64[rounds, players], buckets (private states without abstraction) of each player in each round
    cards  : fingerprint of what the states mean

    The entry for (action, state) of node n is offset[n] + action * states + state.
    """

    tree: Tree
    counts: npt.NDArray[np.int64]
    cards: str

    def __repr__(self) -> str:
        return f"Layout({self.told})"

    @property
    def told(self) -> str:
        """In a few words."""
        return f"{self.tree.game.name or 'a game'}, {self.size:,} infoset-action pairs"

    @cached_property
    def states(self) -> npt.NDArray[np.int64]:
        """Card states at every node for its player; 0 at terminal nodes."""
        tree = self.tree
        counts = self.counts[tree.round.astype(np.int64), np.maximum(tree.player, 0).astype(np.int64)]
        return np.where(tree.kind == DECISION, counts, 0)

    @cached_property
    def offset(self) -> npt.NDArray[np.int64]:
        """int64[nodes + 1]."""
        return np.concatenate(([0], np.cumsum(self.states * self.tree.children))).astype(np.int64)

    @cached_property
    def small_nodes(self) -> list[npt.NDArray[np.int64]]:
        """The entries of nodes with few of them, together where they are alike: int64[nodes, actions, states] each.

        To visit such nodes one by one takes far longer than what is to be done there.
        """
        tree, found = self.tree, []
        decisions = np.asarray(tree.decisions, dtype=np.int64)
        shapes = np.column_stack((tree.children[decisions], self.states[decisions])).astype(np.int64)
        for actions, states in np.unique(shapes[shapes.prod(axis=1) <= SMALL], axis=0).tolist():
            nodes = decisions[(shapes == (actions, states)).all(axis=1)]
            entries = np.arange(actions * states).reshape(1, actions, states)
            found.append(self.offset[nodes][:, None, None] + entries)
        return found

    @cached_property
    def by_infoset(self) -> npt.NDArray[np.int64]:
        """Where each entry stands if information sets follow each other, the actions of one side by side: int64[size].

        `sums[by_infoset]` brings sums that kernels keep so into the order of strategies.
        """
        order = np.arange(self.size)
        for node in self.tree.decisions:
            begin, end = self.offset[node], self.offset[node + 1]
            order[begin:end] = order[begin:end].reshape(-1, int(self.tree.children[node])).T.ravel()
        return order

    def sums(self, values: Floats) -> Iterator[Floats]:
        """The sums of `values` over the actions of every information set, those of some nodes at a time."""
        for entries in self.small_nodes:
            yield values[entries].sum(axis=1, dtype=np.float64)
        for node in np.flatnonzero(np.diff(self.offset) > SMALL):
            block = values[self.offset[node] : self.offset[node + 1]]
            yield block.reshape(int(self.tree.children[node]), -1).sum(axis=0, dtype=np.float64)

    @property
    def size(self) -> int:
        """Number of (information set, action) pairs."""
        return int(self.offset[-1])

    @property
    def infosets(self) -> int:
        """Number of information sets."""
        return int(self.states.sum())

    def check_same(self, other: Layout) -> None:
        """Refuse a layout of another tree or other cards, saying which differs."""
        for what, mine, theirs in (
            ("betting tree", self.tree.fingerprint, other.tree.fingerprint),
            ("private states", self.cards, other.cards),
        ):
            if mine != theirs:
                raise StrategyError(f"the strategy has {what} {mine}, but {theirs} is needed here")


@dataclass(frozen=True, eq=False, repr=False)
class Strategy:
    """Action probabilities of all players at all information sets.

    values   : float64[layout.size]; the probabilities of an information set add up to 1
    manifest : where it came from: algorithm, iterations, seed, measured exploitability, ...
    """

    layout: Layout
    values: Floats
    manifest: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        words = [self.layout.told, str(self.manifest.get("algorithm", ""))]
        words += [f"{self.manifest['iterations']:,} iterations"] if "iterations" in self.manifest else []
        return f"Strategy({', '.join(filter(None, words))})"

    @property
    def origin(self) -> dict[str, Any]:
        """The manifest without what was measured, for a strategy that is made from this one."""
        return {key: value for key, value in self.manifest.items() if key not in MEASURED}

    @classmethod
    def uniform(cls, layout: Layout) -> Strategy:
        """All actions alike."""
        actions = np.maximum(layout.tree.children, 1)
        return cls(layout, np.repeat(1.0 / actions, layout.states * layout.tree.children), {"algorithm": "uniform"})

    @classmethod
    def always(cls, layout: Layout, action: str) -> Strategy:
        """The action of that letter (f, c or r, the largest raise) wherever it is possible, calling elsewhere."""
        tree, choice = layout.tree, np.full(len(layout.tree), -1)
        nodes, letters = np.arange(len(tree)), np.array([text[:1] for text in tree.actions])
        for letter in ("c", action):  # a raise of the same letter stands behind smaller ones
            taken = nodes[letters == letter]
            last = np.full(len(tree), -1)
            np.maximum.at(last, tree.parent[taken], taken - tree.first_child[tree.parent[taken]])
            choice = np.where(last >= 0, last, choice)
        values, states = np.zeros(layout.size), layout.states
        begin = np.cumsum(states) - states
        first = np.repeat(layout.offset[:-1] + choice * states - begin, states)
        values[first + np.arange(len(first))] = 1.0
        return cls(layout, values, {"algorithm": f"always {action}"})

    @classmethod
    def from_sums(cls, layout: Layout, sums: Floats, manifest: dict[str, Any] | None = None) -> Strategy:
        """Sums of action probabilities normalised per information set; uniform where nothing was summed."""
        values = np.empty(layout.size)
        for entries in layout.small_nodes:
            values[entries] = _shares(sums[entries], 1)
        for node in np.flatnonzero(np.diff(layout.offset) > SMALL):
            begin, end = layout.offset[node], layout.offset[node + 1]
            block = sums[begin:end].reshape(int(layout.tree.children[node]), -1)
            values[begin:end] = _shares(block, 0).ravel()
        return cls(layout, values, manifest or {})

    def at(self, node: int | str) -> Floats:
        """The probabilities of one node, float64[actions, states] (a view); betting text such as `rc/` finds it."""
        if isinstance(node, str):
            node = self.layout.tree.find(node)
        begin, end = self.layout.offset[node], self.layout.offset[node + 1]
        return self.values[begin:end].reshape(int(self.layout.tree.children[node]), -1)

    def purified(self) -> Strategy:
        """Always the likeliest action (the first of equals): Ganzfried, Sandholm and Waugh 2012."""
        return self._processed(lambda block: (np.arange(len(block))[:, None] == block.argmax(axis=0)) * 1.0, "purified")

    def thresholded(self, least: float) -> Strategy:
        """Actions below `least` dropped and the rest scaled up; a set where all fall below is purified."""
        if not isinstance(least, Real) or not 0 <= least <= 1:
            raise StrategyError(f"a threshold of {least}: between 0 and 1")

        def keep(block: Floats) -> Floats:
            kept = np.where(block >= least, block, 0.0)
            best = (np.arange(len(block))[:, None] == block.argmax(axis=0)) * 1.0
            kept = np.where(kept.sum(axis=0) > 0, kept, best)
            return np.asarray(kept / kept.sum(axis=0))

        return self._processed(keep, f"thresholded at {least:g}")

    def _processed(self, change: Callable[[Floats], Floats], word: str) -> Strategy:
        values = np.array(self.values, dtype=np.float64)
        result = Strategy(self.layout, values, {**self.origin, "processed": word})
        for node in self.layout.tree.decisions:
            block = result.at(int(node))
            block[...] = change(block)
        return result


def _shares(sums: Floats, axis: int) -> Floats:
    """What each action has of all that was summed; alike where nothing was."""
    total = sums.sum(axis=axis, keepdims=True)
    # nan where nothing was summed is replaced at once
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(total > 0, sums / total, 1.0 / sums.shape[axis]))
