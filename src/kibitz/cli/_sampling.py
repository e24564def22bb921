"""Options of responses by sampling, which games of three and more players need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from kibitz.cli._options import MAX_HANDS, Command, all_of, is_given
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.responses.multiplayer import Sampling

NAMES = ("hands", "profile", "storage")


def sampling_options(command: Command) -> Command:
    """Add the options to a command; they come as `hands`, `profile` and `storage`."""
    return all_of(
        click.option(
            "--hands",
            default=1_000_000,
            show_default=True,
            type=click.IntRange(2, MAX_HANDS),
            help="Number of hands to measure each seat with (three or more players).",
        ),
        click.option(
            "--profile",
            type=click.Choice(["average", "current"]),
            default="average",
            show_default=True,
            help="Strategy that the response plays (three or more players).",
        ),
        click.option(
            "--storage",
            type=click.Choice(["double", "single", "half"]),
            default="double",
            show_default=True,
            help="Precision of the sums, 16, 8 or 4 bytes a pair (three or more players).",
        ),
    )(command)


def make_sampling(options: dict[str, Any], threads: int = 1) -> Sampling:
    """How responses are to be sampled."""
    from kibitz.responses.multiplayer import Sampling

    named = {name: options[name] for name in ("hands", "seed", "storage", "profile")}
    return Sampling(options["iterations"] or Sampling.iterations, threads=threads, **named)


def check_players(players: int, two_only: tuple[str, ...]) -> None:
    """Refuse options that are for another number of players; two_only = those that are for two."""
    for name in NAMES if players == 2 else two_only:
        if is_given(name):
            wanted = "three or more" if players == 2 else "two"
            raise KibitzError(f"--{name.replace('_', '-')} is for {wanted} players, not {players}")
