"""What the commands print: JSON for machines, text for people that fits 80 columns."""

from __future__ import annotations

import json
import sys
import textwrap
from math import isfinite
from typing import Any

import click

from kibitz.cli._streams import CONTROLS, bare

COLUMNS = 80


def print_json(value: Any) -> None:
    """Print `value` as one JSON document on standard output, escaped as far as the terminal needs it."""
    from kibitz.files import plain  # with it comes numpy, which commands without JSON may do without

    text = json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False)
    if CONTROLS.search(text) or not _can_say(text):
        text = json.dumps(plain(value), indent=2, allow_nan=False)
    click.echo(text)


def _can_say(text: str) -> bool:
    try:
        text.encode(bare(sys.stdout).encoding)
    except UnicodeEncodeError:
        return False
    return True


def number(value: float, decimals: int, form: str = "") -> str:
    """A number with so many decimals, with what else `form` asks for; a dash for one that is not known."""
    return f"{value:{form}.{decimals}f}" if isfinite(value) else "–"


def folded(text: str, indent: int = 2, before: str = "") -> str:
    """`text` on as many lines of 80 columns as it takes, after the first with an indent; words are not broken.

    before : what the first line begins with, as it is
    """
    wrapper = textwrap.TextWrapper(COLUMNS, before, " " * indent, break_long_words=False, break_on_hyphens=False)
    return wrapper.fill(text)
