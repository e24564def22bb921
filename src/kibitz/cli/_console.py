"""Tables and colours on standard output."""

from __future__ import annotations

import sys

from rich.console import Console

from kibitz.cli._output import COLUMNS


class ResultConsole(Console):
    """80 columns where the output is not a terminal."""

    def __init__(self) -> None:
        super().__init__(highlight=False, width=None if sys.stdout.isatty() else COLUMNS)

    def on_broken_pipe(self) -> None:
        """Leave it to those who know the exit status for it."""
        raise
