"""`kibitz convert`: hand histories from one format to another."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path

import click

from kibitz.cli._files import replacing
from kibitz.cli._output import plural
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
    with replacing(out) if out is not None else nullcontext(sys.stdout) as target:
        conversion = convert_records(records, to, target, lossy=lossy)
        target.flush()
    click.echo(f"{conversion.written} {plural(conversion.written, 'hand')} written", err=True)
    for reason, count in sorted(conversion.losses.items(), key=lambda loss: (-loss[1], loss[0])):
        click.echo(f"{count} x {reason}", err=True)
    if unplayed:
        click.echo(f"{len(unplayed)} x games that are not played here, first {unplayed[0]}", err=True)
