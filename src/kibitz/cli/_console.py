"""Tables and colours on standard output, and what moves on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from kibitz.cli._output import COLUMNS
from kibitz.cli._streams import printable


class _SafeConsole(Console):
    """A console that draws, and lets no text draw: control characters in what it is given are written out."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """The segments of `renderable`."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


class ResultConsole(_SafeConsole):
    """80 columns where the output is not a terminal."""

    def __init__(self) -> None:
        super().__init__(highlight=False, width=None if sys.stdout.isatty() else COLUMNS)

    def on_broken_pipe(self) -> None:
        """Leave it to those who know the exit status for it."""
        raise


class MovingConsole(_SafeConsole):
    """For bars and lines that move, on standard error."""

    def __init__(self) -> None:
        super().__init__(stderr=True)
