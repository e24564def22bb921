"""What is said of the game that a figure is of."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from kibitz.errors import KibitzError


def of_which_game(folder: Path) -> str:
    """What follows an exploitability of the strategy in `folder` and its unit; nothing where its game is exact."""
    from kibitz.strategy.files import read_solved

    with suppress(KibitzError):
        return read_solved(folder).of_which()
    return ""
