"""Action abstractions: a transformed tree with its learnt sizes, and the importance of each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bet_sizing.build import Transformation
from kibitz.bet_sizing.ranges import SizeRange, check_range
from kibitz.bet_sizing.tree import SIZED_LETTERS, BetTree
from kibitz.errors import FormatError, KibitzError
from kibitz.games import format_gamedef, parse_gamedef

Floats = npt.NDArray[np.float64]
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


def bets_document(abstraction: BetAbstraction) -> dict[str, Any]:
    """All of it as JSON can say it, the bets in the order of the tree; `read_bets` goes back."""
    made, tree = abstraction.transformation, abstraction.tree
    letters = [{**FIXED_LETTERS, **letters, **_ranges(made, seat)} for seat, letters in enumerate(tree.letters)]
    bets = sorted(abstraction.table(), key=lambda row: tree.keys[row["bet"]])
    return {**describe(made), "letters": letters, "made": abstraction.made, "bets": bets}


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


def read_bets(document: Any, where: str) -> BetAbstraction:
    """What a document says; `where` is named in errors."""
    try:
        return _restore(document)
    except Exception as error:  # a file may say anything, and the tree is built from it
        reason = error if isinstance(error, KibitzError) else f"{type(error).__name__} {error}"
        raise FormatError(f"{where} is not whole: {reason}") from None


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
