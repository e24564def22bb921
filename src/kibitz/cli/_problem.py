"""Options that say what is to be solved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from kibitz.games import load_game
from kibitz.solvers.problem import Problem

Command = Callable[..., Any]


def problem_options(command: Command) -> Command:
    """GAME, --menu and --suits."""
    command = click.option(
        "--suits",
        type=click.Choice(["merged", "kept"]),
        default="merged",
        show_default=True,
        help="Identify hands that differ in suits only; nothing is lost.",
    )(command)
    command = click.option(
        "--menu",
        "menus",
        multiple=True,
        help="Bet sizes, such as fcpa or '0.5, 1, all-in'; once for all players, or once for each. [default: full]",
    )(command)
    return click.argument("game")(command)


def make_problem(game: str, menus: tuple[str, ...], suits: str) -> Problem:
    """The problem those options describe."""
    menu = menus if len(menus) > 1 else menus[0] if menus else "full"
    return Problem(load_game(game), menu, suits == "merged")


def find_strategy(folder: Path) -> Path:
    """The strategy in a folder, or in the folder that `kibitz solve --out` made."""
    return folder / "strategy" if (folder / "strategy").is_dir() else folder
