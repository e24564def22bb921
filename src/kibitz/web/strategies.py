"""Strategy folders for the page: which there are, and what one does at a node, as plain dictionaries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.cards import format_cards, parse_cards
from kibitz.errors import KibitzError
from kibitz.games import position_name, round_name
from kibitz.plans import MANIFEST, read_curve
from kibitz.policy.hands import HOLES
from kibitz.policy.node_tables import NodeTable, hand_table, state_table
from kibitz.solvers.problem import Problem, problem_of
from kibitz.spots.grid import class_cells, class_names
from kibitz.strategy import Strategy, load_strategy
from kibitz.strategy.exploitability import Solved
from kibitz.strategy.files import read_solved
from kibitz.tree import DECISION, FOLD, Tree, action_words
from kibitz.web.folder import existing, listed
from kibitz.web.grids import action_kinds, bars, curve_points, grid

DEPTHS = 5  # of folders below the one that is served
MOST_ROWS = 400  # of a table of states
OPEN_AT_ONCE = 4


@dataclass(frozen=True, eq=False)
class Opened:
    """A strategy and the problem it was made for."""

    name: str
    folder: Path
    strategy: Strategy
    problem: Problem

    @property
    def is_holdem(self) -> bool:
        """Whether hands are shown in the 13 x 13 grid."""
        return bool(self.problem.cards)


def list_strategies(folder: Path) -> list[dict[str, Any]]:
    """The strategies below `folder`: name, game, algorithm, and how exploitable they are where it was measured."""
    found = []
    for path in listed(folder, *("*/" * depth + MANIFEST for depth in range(DEPTHS))):
        name = Path(path).parent.as_posix()
        try:
            solved = read_solved(existing(folder, path).parent)
        except KibitzError:
            continue
        made, reached = solved.made, solved.made.get("exploitability")
        found.append(
            {
                "name": name,
                "game": solved.game.name or "a game without a name",
                "algorithm": str(made.get("algorithm", "")),
                "iterations": made["iterations"] if isinstance(made.get("iterations"), int) else None,
                "exploitability": reached if isinstance(reached, int | float) else None,
                "exploitable": _exploitable(solved, name),
            }
        )
    return found


def _exploitable(solved: Solved, name: str) -> str:
    """How exploitable the strategy in the folder `name` is, in words; nothing where it was not measured."""
    reached = solved.made.get("exploitability")
    if not isinstance(reached, int | float):
        return ""
    return solved.describe(reached, name) if solved.is_abstract else f"{reached:.4g} chips/hand"


def open_strategy(folder: Path, name: str) -> Opened:
    """The strategy in the folder `name` inside `folder`; kept open until others have been or the file has changed."""
    place = existing(folder, name)
    if not (place / MANIFEST).is_file():
        raise KibitzError(f"{name!r} holds no strategy: there is no {MANIFEST}")
    return _opened(name, place, (place / MANIFEST).stat().st_mtime_ns)


@lru_cache(maxsize=OPEN_AT_ONCE)
def _opened(name: str, place: Path, _changed: int) -> Opened:
    strategy = load_strategy(place)
    return Opened(name, place, strategy, problem_of(strategy))


def summary(opened: Opened) -> dict[str, Any]:
    """What is known of a strategy beyond its probabilities: manifest, size and convergence."""
    layout, made = opened.strategy.layout, opened.strategy.manifest
    facts = [(str(key), _text(value)) for key, value in made.items() if not isinstance(value, dict) and value != ""]
    solved = Solved.of(opened.strategy)
    if told := _exploitable(solved, opened.name):
        facts = [(key, told if key == "exploitability" else text) for key, text in facts]
    rows = read_curve(opened.folder)
    curve = [(float(each["iteration"]), each["exploitability"]) for each in rows if each.get("exploitability")]
    return {
        "name": opened.name,
        "game": layout.tree.game.name or "a game without a name",
        "menus": _bets(layout.tree),
        "nodes": len(layout.tree),
        "infosets": layout.infosets,
        "facts": facts,
        "curve": curve_points(curve),
        "unit": f"chips per hand{solved.of_which(opened.name)}",
    }


def _bets(tree: Tree) -> str:
    """The bet sizes of a game as people say them."""
    if tree.game.betting == "limit":
        return "fixed limit"
    return " and ".join(dict.fromkeys(str(menu) for menu in tree.menus)) or "learnt sizes"


def _text(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, int):
        return f"{value:,}"
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= 200 else text[:197] + "..."


def node_view(opened: Opened, history: str, board: str, cell: str = "") -> dict[str, Any]:
    """What the strategy does after the betting `history`, on `board` (hold'em after the flop).

    cell   a class such as AKs whose hands are listed one by one
    """
    tree = opened.strategy.layout.tree
    node = tree.find(history)
    view: dict[str, Any] = {
        "history": tree.history(node),
        "path": _path(opened, node),
        "spent": tree.spent[node].tolist(),
        "pot": int(tree.spent[node].sum()) + sum(tree.game.antes_paid),
        "over": "",
    }
    if tree.kind[node] != DECISION:
        left = (
            f"{position_name(tree.game, int(tree.player[node]))} takes the pot"
            if tree.kind[node] == FOLD
            else "showdown"
        )
        return view | {"over": left}
    round_, player = int(tree.round[node]), int(tree.player[node])
    wanted = tree.game.board_ends[round_] if opened.is_holdem else 0
    actions = tree.offered(node)
    stack = f"r{tree.game.stacks[player]}" if tree.game.betting == "nolimit" else ""
    legend = [
        {
            "text": text,
            "words": action_words(tree, node, text),
            "kind": kind,
            "to": tree.history(tree.child(node, text)),
        }
        for text, kind in zip(actions, action_kinds(actions, stack), strict=True)
    ]
    view |= {"player": player, "round": round_, "wanted": wanted, "legend": legend, "need_board": False}
    view |= {"who": position_name(tree.game, player), "street": round_name(tree.game, round_)}
    cards = parse_cards(board)[:wanted] if wanted else ()
    if len(set(cards)) < len(cards):
        raise KibitzError(f"the board {board!r} has a card twice")
    if len(cards) < wanted:
        return view | {"need_board": True}
    view["board"] = [format_cards((card,)) for card in cards]
    if opened.is_holdem:
        return view | _holdem(opened, hand_table(opened.strategy, node, opened.problem.abstractions, cards), view, cell)
    return view | _small(opened, node, view)


def _path(opened: Opened, node: int) -> list[dict[str, Any]]:
    """The actions that led to a node, each with the history up to it, to go back to."""
    tree, steps = opened.strategy.layout.tree, []
    while node > 0:
        parent = int(tree.parent[node])
        words = action_words(tree, parent, tree.actions[node])
        steps.append(
            {"to": tree.history(node), "player": position_name(tree.game, int(tree.player[parent])), "words": words}
        )
        node = parent
    return steps[::-1]


def _frequencies(table: NodeTable, view: dict[str, Any]) -> None:
    """Write how often each action is taken, over rows as they are reached, into the legend."""
    total = float(table.reach.sum())
    for each, row in zip(view["legend"], table.probabilities, strict=True):
        each["frequency"] = float(row @ table.reach) / total if total > 0 else None


def _holdem(opened: Opened, table: NodeTable, view: dict[str, Any], cell: str) -> dict[str, Any]:
    _frequencies(table, view)
    cards = HOLES[table.rows]
    cells = grid(cards, table.probabilities, np.maximum(table.reach, 1e-12), table.reach, view["legend"])
    found: dict[str, Any] = {"grid": cells, "share": float(table.reach.mean()), "cell": "", "hands": []}
    names = class_names()
    if cell in {name for line in names for name in line}:
        rows, columns = class_cells(cards)
        chosen = [i for i in range(len(cards)) if names[rows[i]][columns[i]] == cell]
        labels = [format_cards((int(cards[i].max()), int(cards[i].min()))) for i in chosen]
        found |= {"cell": cell, "hands": _rows(table, view, chosen, labels)}
    return found


def _small(opened: Opened, node: int, view: dict[str, Any]) -> dict[str, Any]:
    problem = opened.problem
    deal = problem.deal if problem.game.players == 2 else None
    table = state_table(opened.strategy, node, deal)
    _frequencies(table, view)
    shown = list(range(min(len(table.rows), MOST_ROWS)))
    labels = [problem.label(view["round"], view["player"], state) for state in shown]
    left_out = len(table.rows) - len(shown)
    return {"hands": _rows(table, view, shown, labels), "left_out": left_out, "share": float(table.reach.mean())}


def _rows(table: NodeTable, view: dict[str, Any], chosen: list[int], labels: list[str]) -> list[dict[str, Any]]:
    kinds = [each["kind"] for each in view["legend"]]
    rows = []
    for label, i in zip(labels, chosen, strict=True):
        shares = table.probabilities[:, i].tolist()
        rows.append({"label": label, "shares": shares, "bars": bars(shares, kinds), "reach": float(table.reach[i])})
    return rows
