"""The columns of a betting tree while it is being built."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from kibitz.games import State
from kibitz.tree.columns import DECISION, FOLD, SHOWDOWN

Known = TypeVar("Known")  # what a builder knows of a node


class Growing:
    """The columns of a tree that is being built. All that follows a node stands together, its children first.

    up, down : distances to the parent and to the first child, which are the same in a copy
    """

    def __init__(self, players: int) -> None:
        self.players = players
        self.kind, self.player, self.round = array("b"), array("b"), array("b")
        self.up, self.down, self.children, self.folded = array("i"), array("i"), array("i"), array("i")
        self.spent = array("q")  # a number per player for each node
        self.actions: list[str] = []

    def __len__(self) -> int:
        return len(self.kind)

    def add(self, state: State, parent: int, action: str, round_: int) -> int:
        """Append the node that `action`, taken in `round_`, leads to; return its number."""
        if not state.finished:
            return self.append(parent, action, (DECISION, state.player, state.round), state.spent, state.folded)
        if state.showdown:
            return self.append(parent, action, (SHOWDOWN, -1, round_), state.spent, state.folded)
        left = (~state.folded & (1 << self.players) - 1).bit_length() - 1
        return self.append(parent, action, (FOLD, left, round_), state.spent, state.folded)

    def append(self, parent: int, action: str, what: tuple[int, int, int], spent: tuple[int, ...], folded: int) -> int:
        """Append a node, `what` being its kind, player and round; return its number."""
        node = len(self)
        self.kind.append(what[0])
        self.player.append(what[1])
        self.round.append(what[2])
        self.up.append(node - parent)
        self.down.append(0)
        self.children.append(0)
        self.folded.append(folded)
        self.spent.extend(spent)
        self.actions.append(action)
        return node

    def grow(self, start: Known, expand: Callable[[int, Known], list[tuple[int, Known]]]) -> None:
        """Build the tree below its root, node 0, depth first: subtrees stay together.

        expand   appends the children of a node, which the builder knows as a place, and returns those to go on with
        """
        stack = [(0, start)]
        while stack:
            node, place = stack.pop()
            first = len(self)
            following = expand(node, place)
            if not self.children[node]:  # or it was copied
                self.down[node], self.children[node] = first - node, len(self) - first
            stack.extend(reversed(following))  # the first child's subtree follows next: neighbours stay close

    def copy(self, source: int, node: int) -> None:
        """Append what follows `source`, all of it there, once more, to follow `node`."""
        begin, end, first = source + self.down[source], self._end(source), len(self)
        for column in (self.kind, self.player, self.round, self.up, self.down, self.children, self.folded):
            column.extend(column[begin:end])
        self.spent.extend(self.spent[begin * self.players : end * self.players])
        self.actions += self.actions[begin:end]
        self.down[node], self.children[node] = first - node, self.children[source]
        for child in range(first, first + self.children[node]):
            self.up[child] = child - node

    def _end(self, node: int) -> int:
        """Where that which follows `node` ends: with what follows the last of its children that are not terminal."""
        while True:
            first = node + self.down[node]
            stop = first + self.children[node]
            inner = [child for child in range(first, stop) if self.children[child]]
            if not inner:
                return stop
            node = inner[-1]

    def columns(self) -> dict[str, Any]:
        """The fields of a `Tree`, by name, without copying more than must be."""
        narrow = {name: np.frombuffer(getattr(self, name), np.int8) for name in ("kind", "player", "round")}
        wide = {name: np.frombuffer(getattr(self, name), np.int32) for name in ("children", "folded")}
        nodes = np.arange(len(self), dtype=np.int32)
        return {
            **narrow,
            **wide,
            "parent": nodes - np.frombuffer(self.up, np.int32),
            "first_child": (nodes + np.frombuffer(self.down, np.int32)) * (wide["children"] > 0),
            "spent": np.frombuffer(self.spent, np.int64).reshape(-1, self.players),
            "actions": tuple(self.actions),
        }
