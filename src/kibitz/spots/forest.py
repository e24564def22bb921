"""The betting tree of a spot cut into rounds: a forest for each, with a tree for every betting that reaches it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.deals.board import LANES
from kibitz.tree import DECISION, SHOWDOWN, Tree

CHANCE = 3  # a kind of node besides the tree's DECISION, FOLD and SHOWDOWN: a card is dealt
UNIT_SLOTS = 4 * LANES  # reach rows that make a unit of the last round worth its own leaves, and still fit a cache


@dataclass
class Line:
    """A node of a round's forest.

    node    of the betting tree
    kind    DECISION, FOLD, SHOWDOWN or CHANCE
    slot    reach row of each player, within the unit; a player's changes where that player acts
    parent  within the unit; -1 at a root
    first   the first child, within the unit; the other `children` follow it
    """

    node: int
    kind: int
    slot: tuple[int, int]
    parent: int = -1
    first: int = 0
    children: int = 0


@dataclass
class Unit:
    """Some trees of a round's forest, walked together: whole vectors of reach rows make good use of a walk.

    roots   of each tree: its line, within the unit, and the chance node it follows, among the lines of all units
    slots   reach rows of each player
    """

    round: int
    lines: list[Line] = field(default_factory=list)
    roots: list[tuple[int, int]] = field(default_factory=list)
    slots: list[int] = field(default_factory=lambda: [0, 0])


def make_units(tree: Tree) -> Iterator[Unit]:
    """The units of all rounds, one for each round but the last.

    An all-in before the last round is a tree of every later round, with nothing to decide but the showdown to come.
    """
    last = tree.game.rounds - 1
    roots = [(0, -1)]
    lines = 0
    for round_ in range(last + 1):
        units = [Unit(round_)]
        for node, above in roots:
            if round_ == last and max(units[-1].slots) >= UNIT_SLOTS:
                units.append(Unit(round_))
            _add_tree(tree, units[-1], node, above)
        roots = []
        for unit in units:
            roots += [(line.node, lines + i) for i, line in enumerate(unit.lines) if line.kind == CHANCE]
            lines += len(unit.lines)
        yield from units


def _add_tree(tree: Tree, unit: Unit, node: int, above: int) -> None:
    """Add the tree of a round that begins at `node`, level by level, so that children stand side by side."""
    lines, slots = unit.lines, unit.slots
    place = len(lines)
    unit.roots.append((place, above))
    lines.append(Line(node, _kind(tree, node, unit.round), (slots[0], slots[1])))
    slots[0] += 1
    slots[1] += 1
    while place < len(lines):
        parent, line = place, lines[place]
        place += 1
        if line.kind != DECISION:
            continue
        player, first = int(tree.player[line.node]), int(tree.first_child[line.node])
        line.first, line.children = len(lines), int(tree.children[line.node])
        for child in range(first, first + line.children):
            slot = (slots[0], line.slot[1]) if player == 0 else (line.slot[0], slots[1])
            slots[player] += 1
            lines.append(Line(child, _kind(tree, child, unit.round), slot, parent))


def _kind(tree: Tree, node: int, round_: int) -> int:
    """What a node of the betting tree is in the forest of a round."""
    kind = int(tree.kind[node])
    if kind == SHOWDOWN:
        return SHOWDOWN if round_ == tree.game.rounds - 1 else CHANCE
    return CHANCE if kind == DECISION and tree.round[node] != round_ else kind
