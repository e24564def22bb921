"""`kibitz hands convert` and `export`: hand histories in another format, or as tables."""

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

from kibitz.amounts import counted, plural
from kibitz.cli._files import folder_for, replacing, writing_tables
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


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path, file_okay=False), help="Folder for the tables.")
@click.option("--game", help="Game of the logs, by name or file; needed if they name none or the wrong one.")
def hands(files: tuple[Path, ...], out: Path, game: str | None) -> None:
    """Write the hands of FILES to two Parquet tables. The input format is detected from the content.

    hands.parquet has one row per hand and actions.parquet one row per action; they join on hand_id.
    """
    from kibitz.io.table import write_tables

    unplayed: list[str] = []
    rules = load_game(game) if game else None
    with folder_for(out), writing_tables(out):
        written = write_tables(files, out, rules, unplayed.append)
    click.echo(f"{out / 'hands.parquet'}: {written.hands} {plural(written.hands, 'hand')}")
    click.echo(f"{out / 'actions.parquet'}: {written.actions} {plural(written.actions, 'action')}")
    if unplayed:
        click.echo(
            f"{counted(len(unplayed), 'file')} of games that Kibitz does not play, first {unplayed[0]}", err=True
        )
