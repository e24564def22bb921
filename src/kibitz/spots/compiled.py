"""A spot laid out for the kernels: the forests of its rounds, the boards, and what every end is worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.deals.board import LANES, BoardDeal
from kibitz.lanes import aligned_zeros
from kibitz.spots.spot import Spot, check_memory
from kibitz.strategy import Layout
from kibitz.tree import DECISION, FOLD, SHOWDOWN, Tree
from kibitz.tree.columns import CHILDREN, FURTHER, OFFSET, PLAYER

CHANCE = 3  # a kind of node besides the tree's DECISION, FOLD and SHOWDOWN: a card is dealt
UNIT_SLOTS = 4 * LANES  # reach rows that make a unit of the last round worth its own leaves, and still fit a cache
SIGMA, SLOT, PLACE = FURTHER, FURTHER + 1, FURTHER + 3  # columns of `nodes`; SLOT, PLACE + player
VALUE, BEST, LEARN = 0, 1, 2  # jobs: what is done at the player's own nodes
TERMS = 4  # column of `units`, + player

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.floating[Any]]
Arrays = tuple[npt.NDArray[Any], ...]


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


class SpotGame:
    """A spot as `_kernels` takes it. All positions are counted in entries of the array they point into.

    rounds : int64[r, 6]     width of both players' vectors, units from, to, first board, trees
    boards : int64[b, 13]    all rounds end to end: states of both players, where their hands and where their copies
                             begin; board above, boards below from, to, copies, first group, groups, where sums begin
    units  : int64[u, 14]    nodes from, to, roots from, to; per player where terms begin, reach rows in whole LANES,
                             where these, the values of showdowns and those of folds begin
    nodes  : int64[n, 12]    see `kibitz.tree.columns`, OFFSET counted in the board's sums; then the place in sigma; per
                             player the places in reach and in values
    roots  : int64[t, 2]     a tree's first node, and the chance node that it follows
    hands  : uint8[2, m, 2]  cards of every state of every board
    same   : int32[2, m]     the opponent's state of the same cards
    copies : int32[2, c]     for every state, the state on the board above, once per board that its board stands for
    ends   : int32[g, 2]     where groups of equal strength end
    chips  : [2, 4, t]       per player and reach row of the opponent: what the hands below a hand, those below or
                             equal, and all hands count at its showdown, and what all count at its fold
    """

    def __init__(self, spot: Spot) -> None:
        check_memory(spot)
        self.spot = spot
        self.tree: Tree = spot.tree
        self.deal: BoardDeal = spot.deal
        self._units = list(make_units(self.tree))
        self._first_line = [0, *np.cumsum([len(unit.lines) for unit in self._units]).tolist()]
        self._block = [0] * self.deal.rounds  # entries of the sums per board
        most = max(max(width) for width in self.deal.widths) * int(self.tree.children.max())
        self._scratch = ([0, 0], [0, 0], most)  # entries of reach and values, per player, and of sigma
        self._lay_out()

    @cached_property
    def layout(self) -> Layout:
        """Where strategies keep the probabilities of each node: states of all boards, board by board."""
        return Layout(self.tree, self.deal.counts, self.deal.fingerprint)

    @cached_property
    def line_of(self) -> dict[int, int]:
        """The row in `nodes` of every decision of the betting tree."""
        return {
            line.node: self._first_line[u] + i
            for u, unit in enumerate(self._units)
            for i, line in enumerate(unit.lines)
            if line.kind == DECISION
        }

    def unit_of(self, line: int) -> int:
        """The unit that a row of `nodes` belongs to."""
        return int(np.searchsorted(self._first_line, line, side="right")) - 1

    def first_board(self, round_: int) -> int:
        """The row of a round's first board."""
        return sum(len(boards) for boards in self.deal.boards[:round_])

    @property
    def edge_sizes(self) -> tuple[int, int]:
        """What every board of the second round passes up, and what those below pass to it: entries, all trees."""
        if self.deal.rounds == 1:
            return 0, 0
        trees = [sum(len(unit.roots) for unit in self._units if unit.round == r) for r in (1, 2)]
        entries = len(self.deal.boards[1]) * max(self.deal.widths[1])
        return entries * trees[0], entries * trees[1]

    @property
    def last_unit_range(self) -> tuple[int, int]:
        """The units of the last round: from, to."""
        return len(self._units) - self.last_units, len(self._units)

    @property
    def last_units(self) -> int:
        """How many units the last round has."""
        return sum(unit.round == self.deal.rounds - 1 for unit in self._units)

    @property
    def size(self) -> int:
        """Entries of the sums: (information set, action) pairs, with those of the empty states."""
        return sum(block * len(boards) for block, boards in zip(self._block, self.deal.boards, strict=True))

    def _lay_out(self) -> None:
        """Fill `nodes` and `units`. The scratch of a round follows that of the rounds before; its units share it."""
        nodes: list[list[int]] = []
        units: list[list[int]] = []
        terms = roots = 0
        begin = self._scratch
        for u, unit in enumerate(self._units):
            if u and unit.round != self._units[u - 1].round:
                begin = self._scratch
            width = self.deal.widths[unit.round]
            slots = [-(-count // LANES) * LANES for count in unit.slots]
            inner = sum(line.kind in (DECISION, CHANCE) for line in unit.lines)
            show = [begin[1][p] + inner * width[p] for p in range(2)]
            ranked = unit.round == self.deal.rounds - 1
            fall = [show[p] + (slots[1 - p] * width[p] if ranked else 0) for p in range(2)]
            sigma = self._add_nodes(nodes, u, begin, show, fall)
            lines = [self._first_line[u], self._first_line[u + 1], roots, roots + len(unit.roots)]
            units.append([*lines, terms, terms, *slots, *begin[0], *show, *fall])
            terms += max(slots)
            roots += len(unit.roots)
            self._scratch = (
                [max(self._scratch[0][p], begin[0][p] + slots[p] * width[p]) for p in range(2)],
                [max(self._scratch[1][p], fall[p] + slots[1 - p] * width[p]) for p in range(2)],
                max(self._scratch[2], sigma),
            )
        self.nodes: Ints = np.array(nodes, dtype=np.int64)
        self.units: Ints = np.array(units, dtype=np.int64)
        self._terms = terms

    def _add_nodes(
        self, nodes: list[list[int]], u: int, begin: tuple[list[int], list[int], int], show: list[int], fall: list[int]
    ) -> int:
        """Add the rows of a unit's nodes; where its sigma ends comes back."""
        unit, sigma, inner = self._units[u], begin[2], 0
        width = self.deal.widths[unit.round]
        for line in unit.lines:
            player = int(self.tree.player[line.node]) if line.kind == DECISION else 0
            parent = -1 if line.parent < 0 else self._first_line[u] + line.parent
            if line.kind in (FOLD, SHOWDOWN):  # where the leaves of its opponent's reach row are summed
                rows = show if line.kind == SHOWDOWN else fall
                place = [rows[p] + line.slot[1 - p] * width[p] for p in range(2)]
            else:
                place = [begin[1][p] + inner * width[p] for p in range(2)]
                inner += 1
            reach = [begin[0][p] + line.slot[p] * width[p] for p in range(2)]
            offset, first = self._block[unit.round], self._first_line[u] + line.first
            row = [line.kind, player, unit.round, first, line.children, offset, parent]
            nodes.append([*row, sigma, *reach, *place])
            sigma += width[player] * line.children
            self._block[unit.round] += width[player] * line.children
        return sigma

    def tables(self, dtype: npt.DTypeLike) -> Arrays:
        """The first tuple of the kernels; the chips have the type of the scratch."""
        return (*self._tables, self._chips.astype(dtype))

    @cached_property
    def _tables(self) -> Arrays:
        roots = [
            [self._first_line[u] + here, above] for u, unit in enumerate(self._units) for here, above in unit.roots
        ]
        states = self.deal.states
        hands = _stack([np.concatenate([each.hands[p].reshape(-1, 2) for each in states]) for p in range(2)])
        same = _stack([np.concatenate([each.same[p].ravel() for each in states]) for p in range(2)])
        copies = _stack([self._copies(p) for p in range(2)])
        ends = np.concatenate(states[-1].groups)
        return (self._rounds(), self._boards(), self.units, self.nodes, np.array(roots), hands, same, copies, ends)

    def _rounds(self) -> Ints:
        rows = []
        for r, width in enumerate(self.deal.widths):
            mine = [u for u, unit in enumerate(self._units) if unit.round == r]
            trees = sum(len(self._units[u].roots) for u in mine)
            rows.append([*width, mine[0], mine[-1] + 1, self.first_board(r), trees])
        return np.array(rows, dtype=np.int64)

    def _boards(self) -> Ints:
        rows: list[list[int]] = []
        hands, copies, groups, sums = [0, 0], [0, 0], 0, 0
        for r, states in enumerate(self.deal.states):
            above, below = self.first_board(r - 1) if r else 0, self.first_board(r + 1)
            for b, board in enumerate(self.deal.boards[r]):
                count = len(states.groups[b]) if states.groups else 0
                links = [above + board.above, below + board.children[0], below + board.children[1], len(board.copies)]
                rows.append([*states.count[b].tolist(), *hands, *copies, *links, groups, count, sums])
                for p, width in enumerate(states.width):
                    hands[p] += width
                    copies[p] += len(board.copies) * width if r else 0
                groups += count
                sums += self._block[r]
        return np.array(rows, dtype=np.int64)

    def _copies(self, player: int) -> npt.NDArray[np.int32]:
        maps = [
            mapped
            for r in range(1, self.deal.rounds)
            for b in range(len(self.deal.boards[r]))
            for mapped in self.deal.copy_maps(r, b, player)
        ]
        return np.concatenate(maps) if maps else np.zeros(1, dtype=np.int32)

    @cached_property
    def _chips(self) -> Floats:
        """See the class: chips per hand, the probability of the pair of hands and of the board included."""
        chips = np.zeros((2, 4, self._terms))
        for u, unit in enumerate(self._units):
            scale = self.deal.chances[unit.round] / self.deal.mass
            for line in unit.lines:
                if line.kind not in (FOLD, SHOWDOWN):
                    continue
                one, two = self.tree.spent[line.node].tolist()
                for p in range(2):
                    term = int(self.units[u, TERMS + 1 - p]) + line.slot[1 - p]
                    win, tie, lose = self.spot.payoffs((one, two), p)
                    if line.kind == SHOWDOWN:
                        chips[p, :3, term] = scale * (win - tie), scale * (tie - lose), scale * lose
                    else:
                        chips[p, 3, term] = scale * (win if self.tree.player[line.node] == p else lose)
        return chips

    def sums_at(self, sums: Numbers, node: int) -> Numbers:
        """The sums of a decision of the betting tree: [boards, actions, width], a view."""
        line, round_ = self.line_of[node], int(self.tree.round[node])
        player, actions, offset = (int(self.nodes[line, column]) for column in (PLAYER, CHILDREN, OFFSET))
        sizes = [size * len(boards) for size, boards in zip(self._block, self.deal.boards, strict=True)]
        begin, width = sum(sizes[:round_]), self.deal.widths[round_][player]
        blocks = sums[begin : begin + sizes[round_]].reshape(-1, self._block[round_])
        return blocks[:, offset : offset + actions * width].reshape(-1, actions, width)

    def _is_state(self, node: int) -> npt.NDArray[np.bool_]:
        """Which of the states of a decision are not empty: bool[boards, width]."""
        states, player = self.deal.states[self.tree.round[node]], int(self.tree.player[node])
        real: npt.NDArray[np.bool_] = np.arange(states.width[player]) < states.count[:, player, None]
        return real

    def gather(self, sums: Numbers) -> Floats:
        """Sums of the kernels in the order of `layout`, float64[layout.size]."""
        result = np.empty(self.layout.size)
        for node in self.line_of:
            begin, end = self.layout.offset[node], self.layout.offset[node + 1]
            result[begin:end] = self.sums_at(sums, node).swapaxes(0, 1)[:, self._is_state(node)].ravel()
        return result

    def spread(self, values: Floats) -> Floats:
        """What `gather` gathered: float64[size], 0 in the empty states."""
        sums = np.zeros(self.size)
        for node in self.line_of:
            begin, end = self.layout.offset[node], self.layout.offset[node + 1]
            block = self.sums_at(sums, node).swapaxes(0, 1)
            block[:, self._is_state(node)] = values[begin:end].reshape(len(block), -1)
        return sums

    def weights(self, player: int) -> Floats:
        """The range on the first board, float64[width]."""
        states = self.deal.states[0]
        hands = states.hands[player][0]
        weights: Floats = self.deal.weights[player][hands[:, 0], hands[:, 1]]
        weights[int(states.count[0, player]) :] = 0.0
        return weights

    def scratch(self, dtype: npt.DTypeLike) -> Arrays:
        """The tuple `work` of the kernels, the ranges at the root of the first round."""
        reach, values, sigma = max(self._scratch[0]), max(self._scratch[1]), self._scratch[2]
        most = max(max(width) for width in self.deal.widths)
        reaches = aligned_zeros(2 * reach, dtype).reshape(2, reach)
        for p in range(2):
            at, weights = int(self.nodes[0, SLOT + p]), self.weights(p)
            reaches[p, at : at + len(weights)] = weights
        buffers = [aligned_zeros(size, dtype) for size in (most, most * LANES, 53 * LANES, most * LANES, most * LANES)]
        return (aligned_zeros(sigma, dtype), reaches, aligned_zeros(values, dtype), *buffers)


def _stack(arrays: list[npt.NDArray[Any]]) -> npt.NDArray[Any]:
    """Two arrays of different lengths as one, filled up with zeros."""
    most = max(len(array) for array in arrays)
    stacked = np.zeros((2, most, *arrays[0].shape[1:]), dtype=arrays[0].dtype)
    for row, array in zip(stacked, arrays, strict=True):
        row[: len(array)] = array
    return stacked
