"""What commands that learn have in common: the folder of a run, how it goes on, and learning rates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._files import writing
from kibitz.cli._options import Command, Finite, all_of, seed_option
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.learning import Learning

MAX_LEARNED = 10**12
AGENT = click.Path(path_type=Path, exists=True, file_okay=False)  # a folder that is there


def hands_option(default: int, text: str = "Number of deals.") -> Callable[[Command], Command]:
    """`--hands`, the length of a run."""
    return click.option("--hands", default=default, show_default=True, type=click.IntRange(1, MAX_LEARNED), help=text)


def run_options(seed_text: str, made: str = "agent") -> Callable[[Command], Command]:
    """The folder of a run, its seed, and whether it goes on."""
    folder = click.Path(path_type=Path, file_okay=False)
    return all_of(
        click.option("--out", type=folder, required=True, help=f"Folder for the {made}."),
        seed_option(seed_text),
        click.option("--resume", is_flag=True, help="Continue from the last checkpoint in --out."),
    )


def check_run(out: Path, resume: bool) -> None:
    """Refuse a folder that a run cannot begin or go on in, before anything is read or printed."""
    from kibitz.learning.campaign import check_folder

    with writing(out):
        check_folder(out, resume)


def seats_of(players: int | str) -> int | str:
    """The players at a table as `--players` says them: a number from 2 to 10, or irc for the mix."""
    from kibitz.learning.tables import MIXED

    is_number = isinstance(players, str) and players.isascii() and players.isdecimal() and len(players) < 4
    seats = int(players) if is_number else players
    if seats == MIXED or (isinstance(seats, int) and 2 <= seats <= 10):
        return seats
    raise KibitzError(f"--players {players}: a number from 2 to 10 is needed, or {MIXED} for a mix")


def batch_option(default: int) -> Callable[[Command], Command]:
    """Deals between two steps."""
    kind = click.IntRange(1, 100_000)
    return click.option("--batch", default=default, show_default=True, type=kind, help="Deals per step.")


def rate_options(rate: float | None = None, told: str = "") -> Callable[[Command], Command]:
    """Learning rates of the policy, with a default, one that is only told, or those of the library."""
    twice = "  [default: twice --rate]" if rate is not None or told else ""
    return all_of(
        click.option(
            "--rate",
            default=rate,
            show_default=rate is not None,
            type=Finite(0),
            help=f"Learning rate of bet features, values and beliefs.{_default(told)}",
        ),
        click.option("--card-rate", type=Finite(0), help=f"Learning rate of card features.{twice}"),
    )


def halving_option(default: float | None = None, told: str = "") -> Callable[[Command], Command]:
    """How soon rates fall."""
    return click.option(
        "--halving",
        default=default,
        show_default=default is not None,
        type=Finite(0),
        help=f"Deals after which rates are halved; 0 for constant rates.{_default(told)}",
    )


def learning_of(base: Learning, options: dict[str, Any], *names: str) -> Learning:
    """The settings of `base` but for those that `rate_options` and the options of `names` say."""
    given = {name: options[name] for name in ("rate", "card_rate", *names) if options[name] is not None}
    if "rate" in given:
        given.setdefault("card_rate", 2 * given["rate"])
    return replace(base, **given)


def _default(told: str) -> str:
    return f"  [default: {told}]" if told else ""
