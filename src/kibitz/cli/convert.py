"""`kibitz convert`: hand histories from one format to another."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import click

from kibitz.games import load_game
from kibitz.io.convert import WRITERS
from kibitz.io.convert import convert as convert_records
from kibitz.io.files import read_records


@click.command()
@click.argument("path", metavar="IN", type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Choice(list(WRITERS)), help="Format to write.")
@click.option(
    "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write; standard output otherwise."
)
@click.option("--game", help="The game of logs that do not name it, or name another.")
@click.option("--lossy", is_flag=True, help="Leave out what the format cannot say, and report how much that was.")
def convert(path: Path, to: str, out: Path | None, game: str | None, lossy: bool) -> None:
    """Write the hands of IN (any format, told by content) as ACPC log lines or PHH.

    What the format cannot say is an error, unless --lossy.
    """
    unplayed: list[str] = []
    records = read_records(path, load_game(game) if game else None, unplayed.append if lossy else None)
    with _target(out) as target:
        conversion = convert_records(records, to, target, lossy=lossy)
    click.echo(f"{conversion.written} hands written", err=True)
    for reason, count in conversion.losses.most_common():
        click.echo(f"{count} x {reason}", err=True)
    if unplayed:
        click.echo(f"{len(unplayed)} x games that are not played here, first {unplayed[0]}", err=True)


@contextmanager
def _target(out: Path | None) -> Iterator[TextIO]:
    """Standard output, or a file written beside `out` and renamed when it is complete."""
    if out is None:
        yield sys.stdout
        return
    handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as target:
            yield target
        os.chmod(name, 0o666 & ~_umask())  # a temporary file is private, the result need not be
        os.replace(name, out)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
