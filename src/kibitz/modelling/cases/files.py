"""Case bases on disk: one Parquet file that any table reader opens; settings and provenance are in its metadata."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from typing import Any

import polars as pl

from kibitz.errors import FormatError
from kibitz.files import document_sum, parse_json, taking_place
from kibitz.modelling.cases.base import KEYS, SCHEMA, SCHEMA_WITH_HANDS, CaseBase, checksum
from kibitz.modelling.cases.betting import NEXT_ROUND
from kibitz.modelling.cases.features import TEXTURES, Description
from kibitz.modelling.cases.strength import BOARD_CARDS

KEY = "kibitz cases"  # of the metadata
LAYOUT = 2
KNOWN = (1, 2)  # files of the first layout do not say which hands are behind a case
_UNHEARD = Lock()
_OF_POLARS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)  # damaged files may end in either


def save_cases(base: CaseBase, path: Path) -> None:
    """Write `base` to `path`, whole or not at all; the same cases give the same bytes.

    Actions and textures are written as letters.
    """
    letters = pl.Series(list(base.description.alphabet)), pl.Series(list(TEXTURES))
    rows = base.rows.with_columns(
        action=letters[0].gather(base.rows["action"]), texture=letters[1].gather(base.rows["texture"])
    )
    made = json.loads(json.dumps(base.provenance, sort_keys=True))  # in the order in which it will be read
    about = {
        "layout": LAYOUT,
        "description": asdict(base.description),
        "made": made,
        "made_crc32": document_sum(made),
        "crc32": checksum(base.rows),
    }
    with taking_place(path) as beside:
        rows.rechunk().write_parquet(beside, metadata={KEY: json.dumps(about, sort_keys=True)}, row_group_size=1 << 20)


def load_cases(path: Path, hands: bool = False) -> CaseBase:
    """The case base in `path`.

    hands   load the references to hands too, which explain but are not played by; old files do not have them
    """
    about = _read_about(path)
    schema = SCHEMA_WITH_HANDS if hands and about["layout"] > 1 else SCHEMA
    try:
        description = Description(**about["description"])
        with _unheard():
            rows = pl.read_parquet(path, columns=list(schema))
        letters = {"action": list(description.alphabet), "texture": list(TEXTURES)}
        rows = rows.with_columns(
            pl.col(name).replace_strict(known, range(len(known)), return_dtype=pl.UInt8)
            for name, known in letters.items()
        )
        base = CaseBase(rows.select(*schema).cast(schema), description, dict(about["made"]))
        check_base(base, about.get("crc32"))
        if about.get("made_crc32") not in (None, document_sum(base.provenance)):
            raise FormatError("its provenance differs from what was written: the file is damaged or was edited")
        return base
    except (KeyError, TypeError, AttributeError, ValueError, *_OF_POLARS) as error:
        raise FormatError(f"{path} is not a complete case base: {_first_line(error)}") from None


def is_case_base(path: Path) -> bool:
    """Whether a file says that it holds cases; only its metadata are read."""
    try:
        _read_about(path)
    except (FormatError, OSError):
        return False
    return True


def _read_about(path: Path) -> dict[str, Any]:
    try:
        with _unheard():
            text = pl.read_parquet_metadata(path).get(KEY)
    except FileNotFoundError:
        raise
    except (OSError, *_OF_POLARS) as error:
        raise FormatError(f"{path} is no Parquet file: {_first_line(error)}") from None
    if text is None:
        raise FormatError(f"{path} holds no cases: its metadata lack {KEY!r}; `kibitz cases build` writes such files")
    try:
        about: Any = parse_json(text)
        layout = about["layout"]
    except (ValueError, TypeError, KeyError):
        raise FormatError(f"{path} is not a complete case base: its metadata are damaged") from None
    if layout not in KNOWN:
        known = " and ".join(map(str, KNOWN))
        raise FormatError(f"{path}: cases of layout {layout}, but this version reads {known}: build them again")
    found: dict[str, Any] = about
    return found


@contextmanager
def _unheard() -> Iterator[None]:
    """Nothing gets to standard error: where a file is damaged, Polars writes there what it raises, and a backtrace."""
    with _UNHEARD:  # two at once would leave it so
        try:
            kept = os.dup(2)
        except OSError:  # there is none
            yield
            return
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _first_line(error: BaseException) -> str:
    """What Polars says, without the plan of its query; where it panics, that means something to its authors only."""
    if isinstance(error, pl.exceptions.PanicException):
        return "the file is damaged"
    return (str(error) or repr(error)).splitlines()[0]


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
