"""Where a manifest is: a file of a folder, or within the one file that an artefact is, of JSON or Parquet."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kibitz.files import parse_json, read_json
from kibitz.files.tables import table_metadata

MANIFEST = "manifest.json"
KEY = "kibitz"  # in the metadata of a Parquet file
_PARQUET = b"PAR1"


def read_document(place: Path) -> Any:
    """The manifest of the folder or file `place`, unchecked; None of a file that has none, OSError without a file."""
    if os.path.isdir(place):  # a name that is too long for one is no folder
        return read_json(place / MANIFEST)
    with place.open("rb") as file:
        begin = file.read(4)
    if begin == _PARQUET:
        return parse_json(table_metadata(place).get(KEY, "null"))
    return read_json(place) if begin[:1] == b"{" and place.name != MANIFEST else None


def as_json(place: Path, manifest: Mapping[str, Any]) -> None:
    """Write an artefact of which `about` is all as a file of JSON."""
    place.write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8", newline="\n")


def in_metadata(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The metadata of a Parquet file that has this manifest."""
    return {KEY: json.dumps(manifest)}
