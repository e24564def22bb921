"""What the commands share: JSON for machines on stdout, everything else for people on stderr or as text."""

from __future__ import annotations

import json
import math
from typing import Any

import click


def plain(value: Any) -> Any:
    """`value` as JSON can say it: tuples as lists, whole floats as integers, nan as null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        if math.isnan(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def print_json(value: Any) -> None:
    """Print `value` as one JSON document on standard output."""
    click.echo(json.dumps(plain(value), indent=2, ensure_ascii=False))
