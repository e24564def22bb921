"""`kibitz hands export`: hand histories as Parquet tables."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.amounts import counted, plural
from kibitz.cli._files import folder_for, writing_tables
from kibitz.games import load_game


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
