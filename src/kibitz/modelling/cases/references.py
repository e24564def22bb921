"""The hands behind a case: for each action taken in it, the first few hands of the logs, as text that stands alone.

log     number of the log in the list of the case base's provenance
place   where it stands in the log: the line, for archives after the name of the file in it (`17`, `30/63.phh:1`)
state   the decision as the expert saw it, in ACPC text: `r300c/:|AhKs/2c3d4h`

While cases are built there is also `number`, which counts the hands of the log and puts them in order.

Few are kept, and always the first in the order of the logs, so that they do not depend on who read which log when.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from kibitz.cards import format_cards
from kibitz.modelling.cases.strength import BOARD_CARDS

KEPT = 3  # hands of each case and action
HANDS = "hands"  # the column
FIELDS: dict[str, Any] = {"log": pl.UInt32, "place": pl.String, "state": pl.String}
ORDERED: dict[str, Any] = {"log": pl.UInt32, "number": pl.UInt32, "place": pl.String, "state": pl.String}
TYPE, ORDERED_TYPE = (pl.List(pl.Struct(fields)) for fields in (FIELDS, ORDERED))
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
