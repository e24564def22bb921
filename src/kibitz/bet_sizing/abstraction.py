"""Action abstractions: a transformed tree with its learnt sizes, and the importance of each."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz import __version__
from kibitz.bet_sizing.build import Transformation
from kibitz.bet_sizing.ranges import SizeRange, check_range
from kibitz.bet_sizing.tree import SIZED_LETTERS, BetTree
from kibitz.errors import FormatError, KibitzError
from kibitz.files import SEAL, check_seal, document_sum, read_json, write_text
from kibitz.games import format_gamedef, parse_gamedef

Floats = npt.NDArray[np.float64]
FORMAT = "kibitz bet sizes 1"
FIXED_LETTERS = {"f": "fold", "c": "check or call", "a": "all-in", "/": "next round"}


@dataclass(frozen=True, eq=False)
class BetAbstraction:
    """Bet sizes by public sequence.

    sizes, importance  float64[sizers]
    made               where they come from: algorithm, run, iterations, cards, seed, ...
    """

    transformation: Transformation
    tree: BetTree
    sizes: Floats
    importance: Floats
    made: dict[str, Any] = field(default_factory=dict)

    def ranking(self) -> list[int]:
        """Bet-sizing players, the most important first."""
        return [int(i) for i in np.argsort(-self.importance, kind="stable")]

    def restricted(self, keys: Iterable[str]) -> BetAbstraction:
        """The abstraction with these bets only, and what follows them (algorithm 9)."""
        kept = {key: self.tree.ranges[key] for key in keys}
        tree = self.transformation.build(kept, "as-given")
        places = [self.tree.keys[each.key] for each in tree.sizers]
        return BetAbstraction(self.transformation, tree, self.sizes[places], self.importance[places], self.made)

    def table(self, most: int | None = None) -> list[dict[str, Any]]:
        """One row per bet, the most important first: {bet, seat, low, high, size, importance}."""
        rows = []
        for i in self.ranking()[:most]:
            each = self.tree.sizers[i]
            rows.append(
                {
                    "bet": each.key,
                    "seat": each.seat,
                    "low": each.range.low,
                    "high": each.range.high,
                    "size": float(self.sizes[i]),
                    "importance": float(self.importance[i]),
                }
            )
        return rows


def save_bets(abstraction: BetAbstraction, path: Path) -> None:
    """Write `abstraction` to `path`, whole or not at all."""
    write_text(path, format_bets(abstraction))


def format_bets(abstraction: BetAbstraction) -> str:
    """The text of the file, the bets in the order of the tree."""
    made, tree = abstraction.transformation, abstraction.tree
    head = {
        "format": FORMAT,
        "kibitz": __version__,
        **describe(made),
        "letters": [{**FIXED_LETTERS, **letters, **_ranges(made, seat)} for seat, letters in enumerate(tree.letters)],
        "made": abstraction.made,
    }
    bets = sorted(abstraction.table(), key=lambda row: tree.keys[row["bet"]])
    lines = ",\n".join("    " + json.dumps(row) for row in bets)
    seal = document_sum({**head, "bets": bets})
    return json.dumps(head, indent=2)[:-2] + f',\n  "bets": [\n{lines}\n  ],\n  "{SEAL}": {seal}\n}}\n'


def describe(made: Transformation) -> dict[str, Any]:
    """What was transformed, all of it."""
    return {
        "name": made.game.name,
        "game": format_gamedef(made.game),
        "menus": list(made.menus),
        "ranges": [[list(each) for each in seat] for seat in made.ranges],
        "margin": made.margin,
        "minimum": made.minimum,
        "special": {key: list(each) for key, each in made.special.items()},
    }


def load_bets(path: Path) -> BetAbstraction:
    """The abstraction in `path`."""
    try:
        document = read_json(path)
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} cannot be read: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"{path} holds no bet sizes: its format is not {FORMAT!r}")
    try:
        check_seal(document)
        return _restore(document)
    except Exception as error:  # a file may say anything, and the tree is built from it
        reason = error if isinstance(error, KibitzError) else f"{type(error).__name__} {error}"
        raise FormatError(f"{path} is not whole: {reason}") from None


def _restore(document: dict[str, Any]) -> BetAbstraction:
    first, second = (tuple(SizeRange(*each) for each in seat) for seat in document["ranges"])
    made = Transformation(
        parse_gamedef(document["game"], document["name"]),
        (first, second),
        (document["menus"][0], document["menus"][1]),
        document["margin"],
        document["minimum"],
        {key: SizeRange(*each) for key, each in document["special"].items()},
    )
    rows = {row["bet"]: row for row in document["bets"]}
    tree = made.build({key: check_range(SizeRange(row["low"], row["high"])) for key, row in rows.items()}, "as-given")
    if len(tree.sizers) != len(rows):
        lost = sorted(set(rows) - set(tree.keys))
        raise FormatError(f"there is no bet {lost[0]!r} in the tree of this game")
    sizes = np.array([rows[each.key]["size"] for each in tree.sizers], dtype=np.float64)
    importance = np.array([rows[each.key]["importance"] for each in tree.sizers], dtype=np.float64)
    return BetAbstraction(made, tree, tree.checked(sizes), importance, dict(document["made"]))


def _ranges(made: Transformation, seat: int) -> dict[str, str]:
    return {SIZED_LETTERS[number]: f"learnt, from {each}" for number, each in enumerate(made.ranges[seat])}
