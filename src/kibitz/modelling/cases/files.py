"""Case bases as artefacts: one Parquet file that any table reader opens, with its provenance in the metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from kibitz.errors import FormatError
from kibitz.files.tables import read_table, write_table
from kibitz.modelling.cases.base import KEYS, SCHEMA, SCHEMA_WITH_HANDS, CaseBase, checksum
from kibitz.modelling.cases.betting import NEXT_ROUND
from kibitz.modelling.cases.features import TEXTURES, Description
from kibitz.modelling.cases.strength import BOARD_CARDS
from kibitz.plans import Artefact, in_metadata, read_manifest, save_artefact

KIND = "cases"
_NEEDED = ("players", "logs")  # of the provenance, to read the rows
_FIGURES = ("kibitz", "expert", "hands", "decisions", "others", "hidden", "unplayed", "bad")  # the rest of it


def cases_artefact(base: CaseBase, content: Any = None) -> Artefact:
    """What is kept of a case base; its provenance is what was measured, but for what its rows need to be read."""
    made = json.loads(json.dumps(base.provenance))
    about = {"description": asdict(base.description), "rows": checksum(base.rows)}
    about |= {name: made.pop(name) for name in _NEEDED if name in made}
    made.pop("kibitz", None)  # every manifest says it
    return Artefact(KIND, about, made, alone=partial(_write, base), content=content)


def save_cases(base: CaseBase, path: Path) -> None:
    """Write `base` to `path`, whole or not at all; older cases there are replaced, anything else is not."""
    save_artefact(cases_artefact(base), path)


def _write(base: CaseBase, path: Path, manifest: Mapping[str, Any]) -> None:
    """The same cases give the same bytes. Actions and textures are written as letters."""
    letters = pl.Series(list(base.description.alphabet)), pl.Series(list(TEXTURES))
    rows = base.rows.with_columns(
        action=letters[0].gather(base.rows["action"]), texture=letters[1].gather(base.rows["texture"])
    )
    write_table(rows, path, in_metadata(manifest))


def load_cases(path: Path, hands: bool = False) -> CaseBase:
    """The case base in `path`.

    hands   load the references to hands too, which explain but are not played by
    """
    manifest = read_manifest(path, KIND)
    about, made = manifest["about"], manifest["made"]
    schema = SCHEMA_WITH_HANDS if hands else SCHEMA
    try:
        description = Description(**about["description"])
        letters = {"action": list(description.alphabet), "texture": list(TEXTURES)}
        rows = read_table(path, list(schema)).with_columns(
            pl.col(name).replace_strict(known, range(len(known)), return_dtype=pl.UInt8)
            for name, known in letters.items()
        )
        known = {"kibitz": manifest["kibitz"], **made, **about}
        provenance = {name: known[name] for name in sorted((*_NEEDED, *_FIGURES)) if name in known}
        base = CaseBase(rows.select(*schema).cast(schema), description, provenance)
        check_base(base, about["rows"])
        return base
    except (KeyError, TypeError, AttributeError, ValueError, pl.exceptions.PolarsError) as error:
        reason = str(error).splitlines()[0] if str(error) else repr(error)
        raise FormatError(f"{path} is not a complete case base: {reason}") from None


def check_base(base: CaseBase, written: int) -> None:
    """Refuse a base that retrieval would misread; `written` is the checksum it was kept with."""
    rows, made = base.rows, base.provenance
    if rows.select(*SCHEMA).null_count().sum_horizontal().sum():
        raise FormatError("values are missing")
    if checksum(rows) != written:
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
        players = [int(size) for size in made["players"]]
    except (KeyError, TypeError, ValueError):
        whole, players = False, []
    if not whole or not isinstance(made.get("hands"), int) or not players:
        raise FormatError("it does not say where the cases come from")
    if len(players) > 1:
        tables = " and ".join(map(str, players))
        raise FormatError(f"cases of tables for {tables} players are mixed up in it: build them again for one size")
