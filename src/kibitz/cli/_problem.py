"""Options that name the game to solve and its abstraction."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from kibitz.cli._options import MAX_DRAWS
from kibitz.errors import KibitzError

Command = Callable[..., Any]


def abstraction_options(command: Command) -> Command:
    """--menu, --suits, --cards and --boards."""
    command = click.option(
        "--boards",
        default=10_000,
        show_default=True,
        type=click.IntRange(0, MAX_DRAWS),
        help="Number of sampled boards for the joint bucket distribution (vector solvers with --cards); 0 for all.",
    )(command)
    command = click.option(
        "--cards",
        multiple=True,
        help="Card abstraction of hold'em, such as 5-bucket or IR-100; once for all players, or once for each.  "
        "[default: none, all hands are distinct]",
    )(command)
    command = click.option(
        "--suits",
        type=click.Choice(["merged", "kept"]),
        default="merged",
        show_default=True,
        help="Whether hands that differ only by a permutation of suits are merged; merging is lossless.",
    )(command)
    return click.option(
        "--menu",
        "menus",
        multiple=True,
        help="Menu of bet sizes, such as fcpa or '0.5, 1, all-in'; once for all players, or once for each.  "
        "[default: full]",
    )(command)


def of_which_game(folder: Path) -> str:
    """What follows an exploitability of the strategy in `folder` and its unit; nothing where its game is exact."""
    from kibitz.strategy.files import read_solved

    with suppress(KibitzError):
        return read_solved(folder).of_which()
    return ""
