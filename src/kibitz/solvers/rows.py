"""A betting tree as one who responds to a player sees it: round by round, by what that player has done.

A *row* is what the player (the opponent of him who responds) has done so far in a round: nothing yet, or a sequence of
actions. His hands reach a row with one probability each, and all that a row needs to be worth something is that vector.
After a row the responder may fold, or end the round by calling, or raise; each of the player's possible answers to a
raise is another row. So the value of a row is, for every hand of the responder,

    V(row) = max(fold, end, max over raises of the sum of V over the rows of the answers)

where `end` is a showdown on the last round, and what the next round is worth before it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.strategy import Strategy
from kibitz.tree import DECISION, FOLD, Tree

Ints = npt.NDArray[np.int64]
ROUNDS = 4


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


def chips_at(tree: Tree, node: int, responder: int) -> int:
    """What the responder wins by a fold at `node`, or by winning the showdown there."""
    ante = tree.game.antes_paid[0]
    if tree.kind[node] == FOLD:
        winner = int(tree.player[node])
        lost = int(tree.spent[node, 1 - winner]) + ante
        return lost if winner == responder else -lost
    return int(tree.spent[node].min()) + ante


def row_probabilities(rows: RoundRows, strategy: Strategy, states: int) -> npt.NDArray[np.float32]:
    """How likely the player's own choices lead from the start of the round to each row: float32[rows, states]."""
    found = np.ones((len(rows), states), dtype=np.float32)
    for row in np.flatnonzero(rows.parent >= 0).tolist():  # parents come first
        found[row] = found[rows.parent[row]] * strategy.at(int(rows.node[row]))[rows.action[row]]
    return found
