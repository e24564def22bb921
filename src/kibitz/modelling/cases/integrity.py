"""Whether a case base is what it was when it was written: retrieval trusts the order and the range of its rows."""

from __future__ import annotations

from zlib import crc32

import polars as pl

from kibitz.errors import FormatError
from kibitz.modelling.cases.alphabet import NEXT_ROUND
from kibitz.modelling.cases.base import KEYS, SCHEMA, CaseBase
from kibitz.modelling.cases.strength import BOARD_CARDS


def checksum(rows: pl.DataFrame) -> int:
    """A number that tells other rows, or the same in another order, from these; references to hands do not count."""
    found = crc32("\n".join(rows["sequence"]).encode())
    for name in SCHEMA:
        if name != "sequence":
            found = crc32(rows[name].cast(pl.Int64).to_numpy().tobytes(), found)
    return found


def check_base(base: CaseBase, written: int | None) -> None:
    """Refuse a base that retrieval would misread; `written` is the checksum it was kept with, if there was one yet."""
    rows, made = base.rows, base.provenance
    if rows.select(*SCHEMA).null_count().sum_horizontal().sum():
        raise FormatError("values are missing")
    if written is not None and checksum(rows) != written:
        raise FormatError("the rows differ from those that were written: the file is damaged or was edited")
    order = rows.select(*KEYS, "action")
    if not order.equals(order.sort(order.columns)) or order.is_duplicated().any():
        raise FormatError("the rows are out of order or duplicated")
    round_ = f"[{base.description.alphabet}]*"
    betting = f"^{round_}(?:{NEXT_ROUND}{round_}){{0,{len(BOARD_CARDS) - 1}}}$"
    wrong = {
        "sequence": ~pl.col("sequence").str.contains(betting),
        "strength": pl.col("strength") < 1,
        "commitment": ~pl.col("commitment").is_between(1, base.description.commitments),
        "count": pl.col("count") < 1,
    }
    for name, found in rows.select(**{name: test.any() for name, test in wrong.items()}).row(0, named=True).items():
        if found:
            raise FormatError(f"some rows have no valid {name}")
    _check_provenance(base)
    if not isinstance(base.description.strength, str):
        raise FormatError(f"strength {base.description.strength!r} is no name")
    if made.get("decisions", base.decisions) != base.decisions:
        raise FormatError(f"{base.decisions:,} decisions, but {made['decisions']:,} were written")


def _check_provenance(base: CaseBase) -> None:
    made = base.provenance
    try:
        whole = all(isinstance(log["name"], str) for log in made["logs"]) and isinstance(made["expert"], str)
        players = [int(size) for size in made["players"]] if "players" in made else [2]
    except (KeyError, TypeError, ValueError):
        whole, players = False, []
    if not whole or not isinstance(made.get("hands"), int) or not players:
        raise FormatError("it does not say where the cases come from")
    if len(players) > 1:
        tables = " and ".join(map(str, players))
        raise FormatError(f"cases of tables for {tables} players are mixed up in it: build them again for one size")
