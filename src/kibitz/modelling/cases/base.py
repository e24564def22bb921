"""The case base: a table with one row for each case and action taken in it, equal cases merged.

sequence, strength, commitment, texture   the features of the case; texture is its place in A to I
action                                    its place in the alphabet
count                                     how many hands the action was taken in
outcome                                   what those hands won together, in milli big blinds
hands                                     the first of those hands, see `references`; may be missing

Rows are sorted by features and action. Counts and outcomes are whole numbers, so that they add up to the same whatever
the order in which hands come.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from kibitz.modelling.cases.features import Description
from kibitz.modelling.cases.references import HANDS, TYPE, Reference, first_hands

KEYS = ("sequence", "strength", "commitment", "texture")
SCHEMA: dict[str, Any] = {
    "sequence": pl.String,
    "strength": pl.UInt16,
    "commitment": pl.UInt8,
    "texture": pl.UInt8,
    "action": pl.UInt8,
    "count": pl.UInt32,
    "outcome": pl.Int64,
}
SCHEMA_WITH_HANDS: dict[str, Any] = {**SCHEMA, HANDS: TYPE}


@dataclass(frozen=True, eq=False)
class CaseBase:
    """Cases of one expert.

    rows        see the text of the module
    provenance  whose hands, from which files, made by what
    """

    rows: pl.DataFrame
    description: Description
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def decisions(self) -> int:
        """Decisions behind all cases."""
        return int(self.rows["count"].sum())

    @property
    def players(self) -> int:
        """At what tables they were taken; files of early versions are of two players and do not say so."""
        return int(self.provenance.get("players", [2])[0])

    @property
    def cases(self) -> int:
        """Different cases."""
        return int(case_starts(self.rows).sum())

    @property
    def has_hands(self) -> bool:
        """Whether the hands behind the cases are known, and not only how many they are."""
        return HANDS in self.rows.columns

    def hands(self, start: int, stop: int) -> tuple[Reference, ...] | None:
        """The hands kept of rows `start` to `stop`; None where they are not known."""
        if not self.has_hands:
            return None
        logs, letters = self.provenance["logs"], self.description.alphabet
        return tuple(
            Reference(hand["log"], logs[hand["log"]]["name"], hand["place"], letters[action], hand["state"])
            for action, hands in self.rows[start:stop].select("action", HANDS).iter_rows()
            for hand in hands
        )


def merge(frames: Iterable[pl.DataFrame]) -> pl.DataFrame:
    """One table of several: equal rows added up, sorted, in one piece."""
    whole = pl.concat(list(frames) or [pl.DataFrame(schema=SCHEMA)])
    sums = [pl.col("count").sum().cast(pl.UInt32), pl.col("outcome").sum()]
    if HANDS in whole.columns:
        sums.append(first_hands())
    return whole.group_by(*KEYS, "action").agg(*sums).sort(*KEYS, "action").rechunk()


def case_starts(rows: pl.DataFrame) -> npt.NDArray[np.bool_]:
    """Where a new case begins: bool[rows]."""
    changed = pl.any_horizontal(pl.col(key) != pl.col(key).shift() for key in KEYS)
    starts: npt.NDArray[np.bool_] = rows.select(changed.fill_null(True))[:, 0].to_numpy()
    return starts
