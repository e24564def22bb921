"""`kibitz abstract`: card and action abstractions."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.abstraction.plan import CardsPlan
from kibitz.cli._output import COLUMNS, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.cli.abstract_bets import bets

if TYPE_CHECKING:
    from kibitz.abstraction import CardAbstraction, Notation
    from kibitz.abstraction.report import RoundReport

HEADINGS = ("round", "buckets", "empty", "smallest", "largest", "in first bucket", "in last bucket")


@click.group()
def abstract() -> None:
    """Build card abstractions and learn bet sizes."""


abstract.add_command(bets)


@abstract.add_command
@plan_command(CardsPlan, "Print {notation, counts, rounds, folder, ...} as JSON.")
def cards(work: Work[CardsPlan]) -> None:
    """Print the buckets, and how many information sets a game has with them."""
    from kibitz.abstraction.files import abstraction_folder

    plan = work.plan
    infosets = None if plan.game is None else _count_infosets(plan.game, plan.parsed)
    found: CardAbstraction = work.made().content
    _print(found, work.out or abstraction_folder(plan.parsed, plan.seed), work.as_json, infosets)
    if infosets is not None and not work.as_json:
        click.echo(f"{plan.game}: {infosets:,} information sets")


def show_cards(folder: Path, _node: str, as_json: bool) -> None:
    """The buckets of a card abstraction."""
    from kibitz.abstraction.files import read_abstraction

    _print(read_abstraction(folder), folder, as_json)


def _print(found: CardAbstraction, folder: Path, as_json: bool, infosets: int | None = None) -> None:
    from kibitz.abstraction.report import report_rounds

    rounds = report_rounds(found)
    if as_json:
        print_json(_document(found, rounds, folder, infosets))
    else:
        click.echo(_text(found, rounds, folder))


def _count_infosets(game: str, notation: Notation) -> int:
    from kibitz.games import load_game
    from kibitz.tree.size import size_report

    return size_report(load_game(game), states=notation.counts).infosets


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
