"""A betting tree as one who responds to a player sees it, round by round, and laid out for the kernels.

A *row* is what the player (the opponent of him who responds) has done so far in a round: nothing yet, or a sequence of
actions. His hands reach a row with one probability each, and all that a row needs to be worth something is that vector.
After a row the responder may fold, or end the round by calling, or raise; each of the player's possible answers to a
raise is another row. So the value of a row is, for every hand of the responder,

    V(row) = max(fold, end, max over raises of the sum of V over the rows of the answers)

where `end` is a showdown on the last round, and what the next round is worth before it. For the kernels rows stand in
lanes, with the probabilities of every bucket and the chips of every end.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from kibitz.amounts import available_bytes, format_bytes
from kibitz.errors import KibitzError
from kibitz.policy.hands import HandPolicy
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, Tree

Ints = npt.NDArray[np.int64]
ROUNDS = 4
LANES = 16  # as in `_kernels`, which is not imported before it is needed
MOST_ROWS = 128  # of a unit: its vectors should stay near the processor
Table = npt.NDArray[np.float32]
NEVER = -np.inf


@dataclass
class _Growing:
    """The rows of a round while they are found; `RoundRows` explains the lists."""

    roots: list[int]
    tree: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    node: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    fold: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    answers: list[tuple[int, int, int]] = field(default_factory=list)

    def add(self, tree: int, parent: int, node: int, action: int) -> int:
        self.tree.append(tree)
        self.parent.append(parent)
        self.node.append(node)
        self.action.append(action)
        self.fold.append(-1)
        self.end.append(-1)
        return len(self.tree) - 1


@dataclass(frozen=True, eq=False)
class RoundRows:
    """The rows of one round. Its *trees* are the betting sequences with which the round begins.

    roots    : int64[trees]      node of the betting tree each begins at; a SHOWDOWN where all-in was called before
    first    : int64[trees]      the row of each tree at which nothing has been done
    tree     : int64[rows]       which tree a row is of
    parent   : int64[rows]       the row before the player's last action, -1 where there is none
    node     : int64[rows]       where he took it, and `action` : int64[rows], which one it was
    fold     : int64[rows]       node at which somebody has folded, -1 where nobody can: the player in his last action,
                                 or the responder just after it
    end      : int64[rows]       node with which the round ends in the same way, -1 where it cannot
    answers  : int64[a, 3]       row after which the responder raises, rows of the answers: first, count. Answers come
                                 after the rows they answer to
    """

    roots: Ints
    first: Ints
    tree: Ints
    parent: Ints
    node: Ints
    action: Ints
    fold: Ints
    end: Ints
    answers: Ints

    def __len__(self) -> int:
        return len(self.tree)


def list_rows(tree: Tree, player: int) -> tuple[RoundRows, ...]:
    """The rows of `player` in the four rounds of two-player hold'em; the trees of a round are in order of `end`."""
    found = []
    roots = [0]
    for round_ in range(ROUNDS):
        growing = _Growing(roots)
        for number, root in enumerate(roots):
            row = growing.add(number, -1, -1, -1)
            growing.first.append(row)
            _grow(tree, growing, player, round_, row, root)
        rows = _finished(growing)
        found.append(rows)
        roots = rows.end[rows.end >= 0].tolist()
    return tuple(found)


def _grow(tree: Tree, growing: _Growing, player: int, round_: int, row: int, node: int) -> None:
    """Follow what can happen after `row`, with the betting at `node`."""
    pending = [(row, node)]
    while pending:
        row, node = pending.pop()
        if tree.kind[node] == FOLD:
            _set_once(growing.fold, row, node)
        elif tree.kind[node] != DECISION or tree.round[node] != round_:
            _set_once(growing.end, row, node)
        else:
            children = range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node]))
            if tree.player[node] != player:
                pending.extend((row, child) for child in children)
                continue
            number = growing.tree[row]
            rows = [growing.add(number, row, node, action) for action in range(len(children))]
            growing.answers.append((row, rows[0], len(rows)))
            pending.extend(zip(rows, children, strict=True))


def _set_once(places: list[int], row: int, node: int) -> None:
    if places[row] >= 0:
        raise KibitzError("a player acts twice in a row in this tree: best responses need players who act in turn")
    places[row] = node


def _finished(growing: _Growing) -> RoundRows:
    names = ("roots", "first", "tree", "parent", "node", "action", "fold", "end")
    lists = {name: np.array(getattr(growing, name), dtype=np.int64) for name in names}
    answers = np.array(growing.answers, dtype=np.int64).reshape(-1, 3)
    return RoundRows(**lists, answers=answers[np.argsort(answers[:, 1])])


def _chips_at(tree: Tree, node: int, responder: int) -> float:
    """What the responder wins by a fold at `node`, or by winning the showdown there."""
    is_lost = tree.kind[node] == FOLD and tree.player[node] != responder
    return float(-tree.stakes[node] if is_lost else tree.stakes[node])


def row_probabilities(rows: RoundRows, strategy: Strategy, states: int) -> npt.NDArray[np.float32]:
    """How likely the player's own choices lead from the start of the round to each row: float32[rows, states]."""
    found = np.ones((len(rows), states), dtype=np.float32)
    for row in np.flatnonzero(rows.parent >= 0).tolist():  # parents come first
        found[row] = found[rows.parent[row]] * strategy.at(int(rows.node[row]))[rows.action[row]]
    return found


@dataclass(frozen=True, eq=False)
class RoundGame:
    """The rows of one round in lanes. *Units* are some trees that are walked together, filled up to whole LANES.

    rows    : the rows themselves
    lane    : int64[rows]               where each row stands
    table   : float32[chunks, states, LANES]  how likely the player's choices lead to the row; 0 in empty lanes
    tree    : int64[lanes]              which tree a lane is of
    chips   : float32[4, lanes]         fold: scale and shift; showdown: scale and shift; a shift of minus infinity
                                        where there is no such end, so that the larger of both is always right
    answers : int64[a, 3]               as in the rows, in lanes
    ends    : int64[lanes]              tree of the next round that follows a call, -1 where none does
    first   : int64[trees]              lane at which a tree begins
    units   : int64[u, 6]               lanes, trees and answers: from, to
    """

    rows: RoundRows
    lane: Ints
    table: Table
    tree: Ints
    chips: Table
    answers: Ints
    ends: Ints
    first: Ints
    units: Ints

    @property
    def arrays(self) -> tuple[npt.NDArray[np.generic], ...]:
        """What the kernels take."""
        return (self.table.reshape(-1), self.tree, self.chips, self.answers, self.ends, self.first, self.units)


def compile_rounds(policy: HandPolicy, player: int, chances: tuple[float, ...]) -> tuple[RoundGame, ...]:
    """The rounds as one who responds to `player` sees them; chances[r] is multiplied into the chips of round r."""
    strategy = policy.strategy
    rounds = compile_betting(policy.tree, player, chances)
    _check_memory(sum(len(each.rows) * int(strategy.layout.counts[r, player]) for r, each in enumerate(rounds)))
    return with_strategy(rounds, strategy, player)


def compile_betting(tree: Tree, player: int, chances: tuple[float, ...]) -> tuple[RoundGame, ...]:
    """The same without the player's probabilities: the table is 1 for a single bucket, in all lanes."""
    compiled = []
    for round_, rows in enumerate(list_rows(tree, player)):
        lane, units = _pack(rows, round_ == ROUNDS - 1)
        chips = partial(_weighted_chips, tree, 1 - player, chances[round_])
        compiled.append(_lay_out(round_, rows, lane, units, chips))
    return tuple(compiled)


def with_strategy(rounds: tuple[RoundGame, ...], strategy: Strategy, player: int) -> tuple[RoundGame, ...]:
    """The same rounds when `player` plays another strategy of the same layout."""
    found = []
    for round_, each in enumerate(rounds):
        chances = row_probabilities(each.rows, strategy, int(strategy.layout.counts[round_, player]))
        found.append(replace(each, table=in_lanes(chances, each.lane, len(each.tree))))
    return tuple(found)


def in_lanes(probabilities: Table, lane: Ints, lanes: int) -> Table:
    """float32[rows, states] as float32[chunks, states, LANES], rows at their lanes and 0 elsewhere."""
    table = np.zeros((lanes // LANES, probabilities.shape[1], LANES), dtype=np.float32)
    for at, row in zip(lane.tolist(), probabilities, strict=True):
        table[at // LANES, :, at % LANES] = row
    return table


def _pack(rows: RoundRows, many: bool) -> tuple[Ints, Ints]:
    """Lanes of the rows, and the units: trees in order, cut where the fewest lanes stay empty."""
    ends = [*rows.first.tolist()[1:], len(rows)]
    trees = len(ends)
    lane = np.empty(len(rows), dtype=np.int64)
    units = []
    begin = start = lanes = answered = 0
    while begin < trees:
        cuts = [cut for cut in range(begin, trees) if ends[cut] - start <= MOST_ROWS] if many else [trees - 1]
        best = min(cuts or [begin], key=lambda cut: (_filled(ends[cut] - start) / (ends[cut] - start), cut))
        stop = ends[best]
        lane[start:stop] = np.arange(lanes, lanes + stop - start)
        to = lanes + _filled(stop - start)
        answers = int(np.searchsorted(rows.answers[:, 1], stop))
        units.append([lanes, to, begin, best + 1, answered, answers])
        begin, start, lanes, answered = best + 1, stop, to, answers
    return lane, np.array(units, dtype=np.int64)


def _check_memory(entries: int) -> None:
    """Refuse tables that do not fit, twice while they are laid out."""
    wanted, available = 8 * entries, available_bytes()
    if wanted > available:
        raise KibitzError(
            f"the strategy's rows and buckets need {format_bytes(wanted)}, there are {format_bytes(available)}: "
            "measure one with fewer buckets or bets"
        )


def _filled(rows: int) -> int:
    return -(-rows // LANES) * LANES


def _weighted_chips(tree: Tree, responder: int, chance: float, node: int) -> float:
    return chance * _chips_at(tree, node, responder)


def _lay_out(round_: int, rows: RoundRows, lane: Ints, units: Ints, chips_at: Callable[[int], float]) -> RoundGame:
    lanes = int(units[-1, 1])
    tree_of = np.zeros(lanes, dtype=np.int64)
    tree_of[lane] = rows.tree
    ends = np.full(lanes, -1, dtype=np.int64)
    chips = np.zeros((4, lanes), dtype=np.float32)
    chips[1, lane] = chips[3, lane] = NEVER
    for row in np.flatnonzero(rows.fold >= 0).tolist():
        chips[:2, lane[row]] = chips_at(int(rows.fold[row])), 0.0
    closing = np.flatnonzero(rows.end >= 0)
    if round_ < ROUNDS - 1:
        ends[lane[closing]] = np.arange(len(closing))
    else:
        for row in closing.tolist():
            chips[2:, lane[row]] = chips_at(int(rows.end[row])), 0.0
    answers = rows.answers.copy()
    answers[:, :2] = lane[answers[:, :2]]
    table = np.ones((1, 1, LANES), dtype=np.float32)
    return RoundGame(rows, lane, table, tree_of, chips, answers, ends, lane[rows.first], units)
