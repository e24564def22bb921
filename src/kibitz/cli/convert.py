"""`kibitz hands convert`: hand histories from one format to another."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import TextIO, cast

import click

from kibitz.amounts import counted
from kibitz.cli._files import replacing
from kibitz.cli._streams import bare, tell
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.io.convert import WRITERS
from kibitz.io.convert import convert as convert_records
from kibitz.io.files import read_records

HELD = 1 << 26  # characters kept in memory until all are known


@click.command()
@click.argument("path", metavar="IN", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Choice(list(WRITERS)), help="Output format.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write.  [default: standard output]"
)
@click.option("--game", help="Game of the logs, by name or file; needed if they name none or the wrong one.")
@click.option("--lossy", is_flag=True, help="Drop what the format cannot express, and report how much was dropped.")
def convert(path: Path, to: str, out: Path | None, game: str | None, lossy: bool) -> None:
    """Convert the hands of IN to ACPC log lines or PHH.

    The input format is detected from the content. If the output format cannot express a hand, nothing is written and
    the command fails, unless --lossy is given.
    """
    unplayed: list[str] = []
    besides: Counter[str] = Counter()
    records = read_records(path, load_game(game) if game else None, unplayed.append if lossy else None, besides.update)
    with replacing(out) if out is not None else _whole_output() as target:
        conversion = convert_records(records, to, target, lossy=lossy)
        target.flush()
    tell(f"{counted(conversion.written, 'hand')} written")
    for changes in (conversion.losses, conversion.additions):
        for reason, count in sorted(changes.items(), key=lambda change: (-change[1], change[0])):
            tell(f"{count} x {reason}")
    if unplayed:
        tell(f"{len(unplayed)} x games that Kibitz does not play, first {unplayed[0]}")
    if besides:
        tell(f"dropped, since only hands are written: {', '.join(counted(besides[each], each) for each in besides)}")


@contextmanager
def _whole_output() -> Iterator[TextIO]:
    """A text that goes to standard output once it is complete."""
    with SpooledTemporaryFile(HELD, "w+", encoding="utf-8", newline="") as held:
        yield cast(TextIO, held)
        out = bare(sys.stdout)
        held.seek(0)
        for line in held:
            _check(line, out.encoding)
        held.seek(0)
        # A program gets the hands as they are, a terminal as it can bear them.
        shutil.copyfileobj(held, sys.stdout if out.isatty() else out)


def _check(line: str, encoding: str) -> None:
    try:
        line.encode(encoding)
    except UnicodeEncodeError as error:
        sign = line[error.start]
        raise KibitzError(
            f"standard output is {encoding}, which cannot encode {sign!a}: write to a file with --out"
        ) from None
