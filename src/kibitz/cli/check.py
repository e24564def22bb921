"""`kibitz hands check`: hand histories checked against the rules."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from kibitz.amounts import plural
from kibitz.cli._bars import counting
from kibitz.cli._errors import describe, with_options
from kibitz.cli._output import print_json
from kibitz.errors import KibitzError
from kibitz.games import Game, load_game
from kibitz.io.files import UnknownFormatError, files_in
from kibitz.io.replay import ReplayReport, replay_file


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--game", help="Game of the logs, by name or file; needed if they name none or the wrong one.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of {file, hands, differences, ...}.")
@click.option(
    "--first", default=10, show_default=True, type=click.IntRange(min=0), help="Number of differences to show per file."
)
def replay(files: tuple[Path, ...], game: str | None, as_json: bool, first: int) -> None:
    """Check every hand of FILES against the rules: cards, betting, winnings, seeds and scores.

    FILES are ACPC logs and transcripts, PHH or PokerStars files, compressed files, tar archives or folders. The format
    is detected from the content.

    The exit status is 0 if nothing differs, 1 if something does, and 2 if a file cannot be read or a folder contains
    no hands.
    """
    rules = load_game(game) if game else None
    status = 0
    found: list[dict[str, object]] = []

    def refuse(path: Path, reason: str) -> None:
        click.echo(f"kibitz hands check: {reason}", err=True)
        found.append({"file": str(path), "hands": 0, "differences": None, "error": reason})

    for given in files:
        before = len(found)
        for path in _expand(given):
            try:
                report = _replay_one(path, rules, first)
            except (KibitzError, OSError) as error:
                if path != given and isinstance(error, UnknownFormatError):
                    click.echo(f"kibitz hands check: skipped: {error}", err=True)
                else:
                    refuse(path, describe(error) if isinstance(error, OSError) else with_options(error))
                    status = 2
                continue
            found.append(_as_dict(report))
            status = max(status, int(report.differences > 0))
            if not as_json:
                _print(report)
        if len(found) == before:
            refuse(given, f"{given}: no hand histories found")
            status = 2
    if as_json:
        print_json(found)
    sys.exit(status)


def _expand(path: Path) -> list[Path]:
    """The file, or every file in the folder by itself, so that each gets a line."""
    return files_in(path) if path.is_dir() else [path]


def _replay_one(path: Path, game: Game | None, first: int) -> ReplayReport:
    with counting(path.name) as progress:
        return replay_file(path, game, first=first, progress=progress)


def _print(report: ReplayReport) -> None:
    hands, differences = plural(report.hands, "hand"), plural(report.differences, "difference")
    click.echo(f"{report.file}: {report.hands} {hands}, {report.differences} {differences}")
    for difference in report.first:
        click.echo(f"  {difference}")
    if report.differences > len(report.first) > 0:
        click.echo(f"  and {report.differences - len(report.first)} more")
    for note in report.notes:
        click.echo(f"  note: {note}")


def _as_dict(report: ReplayReport) -> dict[str, object]:
    return {**report._asdict(), "first": [difference._asdict() for difference in report.first]}
