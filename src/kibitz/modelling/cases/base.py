"""The case base: a table with one row for each case and action taken in it, equal cases merged.

sequence, strength, commitment, texture   the features of the case; texture is its place in A to I
action                                    its place in the alphabet
count                                     how many hands the action was taken in
outcome                                   what those hands won together, in milli big blinds
hands                                     the first of those hands, as text that stands alone; may be missing

Rows are sorted by features and action. Counts and outcomes are whole numbers, so that they add up to the same whatever
the order in which hands come. A hand of the column `hands` is

log     number of the log in the list of the case base's provenance
place   where it stands in the log: the line, for archives after the name of the file in it (`17`, `30/63.phh:1`)
state   the decision as the expert saw it, in ACPC text: `r300c/:|AhKs/2c3d4h`

While cases are built there is also `number`, which counts the hands of the log and puts them in order. Few hands are
kept, and always the first in the order of the logs, so that they do not depend on who read which log when.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt
import polars as pl

from kibitz.cards import format_cards
from kibitz.modelling.cases.features import Description
from kibitz.modelling.cases.strength import BOARD_CARDS

KEPT = 3  # hands of each case and action
HANDS = "hands"  # the column
FIELDS: dict[str, Any] = {"log": pl.UInt32, "place": pl.String, "state": pl.String}
ORDERED: dict[str, Any] = {"log": pl.UInt32, "number": pl.UInt32, "place": pl.String, "state": pl.String}
TYPE, ORDERED_TYPE = (pl.List(pl.Struct(fields)) for fields in (FIELDS, ORDERED))
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
_CARDS = pl.Series([format_cards((card,)) for card in range(52)])


class Reference(NamedTuple):
    """A hand behind a case.

    log, name   its log by number in the provenance, and by name, which others may share
    place       where it stands in the log
    action      the letter of what the expert did
    state       the decision, in ACPC text
    """

    log: int
    name: str
    place: str
    action: str
    state: str

    def __str__(self) -> str:
        return f"{self.name}:{self.place}"


def first_hands() -> pl.Expr:
    """Of all hands of a group, the first."""
    return pl.col(HANDS).explode().sort().head(KEPT)


def renumber(rows: pl.DataFrame, files: Sequence[int]) -> pl.DataFrame:
    """`rows` as they are kept: logs, which were `files` of all that were looked at, are numbered from 0."""
    field = pl.element().struct.field
    log = field("log").replace_strict(list(files), range(len(files)), return_dtype=pl.UInt32)
    return rows.with_columns(pl.col(HANDS).list.eval(pl.struct(log, field("place", "state"))))


def state_texts(
    before: pl.Series, after: pl.Series, cards: npt.NDArray[np.uint8], rounds: npt.NDArray[np.int64]
) -> pl.Series:
    """ACPC texts of many decisions, as `str(state.seen_by(player))` writes them.

    before, after : betting with the bars up to the player's hole cards, and the bars behind them
    cards         : uint8[n, 7], hole cards and board
    """
    table = pl.DataFrame({str(place): _CARDS.gather(column) for place, column in enumerate(cards.T)})
    pieces: list[pl.Expr | pl.Series] = [before, pl.col("0"), pl.col("1"), after]
    for number, (start, end) in enumerate(pairwise(BOARD_CARDS), 1):
        street = pl.concat_str(pl.lit("/"), *(pl.col(str(2 + place)) for place in range(start, end)))
        pieces.append(pl.when(pl.Series(rounds >= number)).then(street).otherwise(pl.lit("")))
    return table.select(state=pl.concat_str(pieces))["state"]


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
        """At what tables they were taken: those of two where nothing is said."""
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


def checksum(rows: pl.DataFrame) -> int:
    """A number that tells other rows, or the same in another order, from these; references to hands do not count."""
    found = crc32("\n".join(rows["sequence"]).encode())
    for name in SCHEMA:
        if name != "sequence":
            found = crc32(rows[name].cast(pl.Int64).to_numpy().tobytes(), found)
    return found
