"""`kibitz abstract`: card and action abstractions."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.amounts import counted
from kibitz.cli._bars import stages
from kibitz.cli._files import writing
from kibitz.cli._options import seed_option
from kibitz.cli._output import COLUMNS, folded, print_json
from kibitz.cli.abstract_bets import bets

if TYPE_CHECKING:
    from kibitz.abstraction import CardAbstraction, Notation
    from kibitz.abstraction.report import RoundReport

HEADINGS = ("round", "buckets", "empty", "smallest", "largest", "in first bucket", "in last bucket")


@click.group()
def abstract() -> None:
    """Build card abstractions and learn bet sizes."""


abstract.add_command(bets)


@abstract.command(short_help="Build a card abstraction of hold'em.")
@click.argument("notation")
@click.option("--game", help="Game whose information sets are counted with these buckets.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), help="Folder for the abstraction.  [default: the cache]"
)
@seed_option("Seed for sampling and for the initial clusters.")
@click.option(
    "--threads",
    default=2,
    show_default=True,
    type=click.IntRange(1),
    help="Number of threads; the buckets do not depend on it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print {notation, counts, rounds, folder, ...} as JSON.")
def cards(notation: str, game: str | None, out: Path | None, seed: int, threads: int, as_json: bool) -> None:
    """Build the card abstraction NOTATION of hold'em and print its buckets.

    NOTATION is, for example, 5-bucket, 12-bucket, IR-100, 'IR KE-KO 169-9000-9000-9000', 'PR EHS 5-5-5-5', one-bucket
    or lossless. IR stands for imperfect recall, PR for perfect recall.

    Abstractions are kept in the cache folder ($KIBITZ_CACHE, or the platform's) and built only once.
    """
    from kibitz.abstraction import load_abstraction, parse_notation, save_abstraction
    from kibitz.abstraction.build import check_buildable
    from kibitz.abstraction.files import abstraction_folder, check_replaceable, is_saved
    from kibitz.abstraction.report import report_rounds

    parsed = parse_notation(notation)
    check_buildable(parsed)
    if out is not None:
        check_replaceable(out)  # before the work, not after it
    infosets = None if game is None else _count_infosets(game, parsed)
    folder = abstraction_folder(parsed, seed)
    if not (as_json or is_saved(folder)):
        click.echo(folded(_expectation(parsed, threads)), err=True)
    with stages(elapsed=True) as progress:
        abstraction = load_abstraction(str(parsed), seed, threads, progress)
    if out is not None:
        with writing(out):
            save_abstraction(abstraction, out)
    rounds = report_rounds(abstraction)
    if as_json:
        print_json(_document(abstraction, rounds, out or folder, infosets))
    else:
        click.echo(_text(abstraction, rounds, out or folder))
        if infosets is not None:
            click.echo(f"{game}: {infosets:,} information sets")


def _count_infosets(game: str, notation: Notation) -> int:
    from kibitz.games import load_game
    from kibitz.tree.size import size_report

    return size_report(load_game(game), states=notation.counts).infosets


def _expectation(notation: Notation, threads: int) -> str:
    from kibitz.abstraction.report import estimate_cost
    from kibitz.amounts import format_bytes

    cost = estimate_cost(notation)
    seconds = counted(round(max(cost.seconds / threads, 1)), "second")
    text = (
        f"{notation}: about {seconds} on {counted(threads, 'free core')}, "
        f"{format_bytes(cost.memory)} of memory, {format_bytes(cost.disk)} on disk"
    )
    return text + f", {format_bytes(cost.features)} for features shared with other abstractions" * (cost.features > 0)


def _document(
    abstraction: CardAbstraction, rounds: list[RoundReport], folder: Path, infosets: int | None
) -> dict[str, Any]:
    return {
        "notation": abstraction.name,
        "perfect_recall": abstraction.perfect_recall,
        "counts": abstraction.counts.tolist(),
        "fingerprint": abstraction.fingerprint,
        "folder": str(folder),
        "rounds": [asdict(each) for each in rounds],
        "infosets": infosets,
        "made": abstraction.provenance,
    }


def _text(abstraction: CardAbstraction, rounds: list[RoundReport], folder: Path) -> str:
    """A table of rounds, in chances per cent, and where the buckets are."""
    recall = "perfect" if abstraction.perfect_recall else "imperfect"
    rows = [HEADINGS]
    for each in rounds:
        masses = ("", "", "")
        if each.smallest is not None and each.largest is not None:
            masses = (f"{each.empty:,}", f"{each.smallest:.3%}", f"{each.largest:.3%}")
        rows.append((each.name, f"{each.buckets:,}", *masses, each.weakest, each.strongest))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [f"{abstraction.name}, {recall} recall, fingerprint {abstraction.fingerprint}"]
    between = " " * (2 if sum(widths) + 2 * len(widths) - 2 <= COLUMNS else 1)
    for row in rows:
        numbers = [f"{cell:>{width}}" for cell, width in zip(row[1:5], widths[1:5], strict=True)]
        words = [f"{cell:<{width}}" for cell, width in zip(row[5:], widths[5:], strict=True)]
        lines.append(between.join([f"{row[0]:<{widths[0]}}", *numbers, *words]).rstrip())
    return "\n".join([*lines, f"saved in {folder}"])
