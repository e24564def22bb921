"""How long work tells how far it has come: the caller passes a function, and draws what it is told, or nothing."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Told the stage of the work, how much of it is done, and how much there is: `progress("river strengths", 3, 10)`."""

Count = Callable[[int], None]
"""Told how much is done so far, where nobody knows how much there is, such as hands of logs."""


def silent(_stage: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""
