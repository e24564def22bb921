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
    """GAME, --menu, --suits, --cards and --boards."""
    command = click.option(
        "--boards",
        default=10_000,
        show_default=True,
        type=click.IntRange(0),
        help="Vector solvers of bucketed hold'em: boards on which buckets meet; 0 for all of them.",
    )(command)
    command = click.option(
        "--cards",
        default="",
        help="Hold'em: the card abstraction, such as 5-bucket or IR-100. [default: all hands told apart]",
    )(command)
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


def make_problem(game: str, menus: tuple[str, ...], suits: str, cards: str, boards: int, seed: int) -> Problem:
    """The problem those options describe."""
    menu = menus if len(menus) > 1 else menus[0] if menus else "full"
    return Problem(load_game(game), menu, suits == "merged", cards, boards, seed)


def find_strategy(folder: Path) -> Path:
    """The strategy in a folder, or in the folder that `kibitz solve --out` made."""
    return folder / "strategy" if (folder / "strategy").is_dir() else folder
