"""Progress bars on standard error, for terminals of 80 columns and more; nothing is drawn where there is none."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kibitz.progress import Count

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn, TaskID
    from rich.table import Column

NARROW = 100  # columns of a terminal on which bars are short


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar for so many pieces of work; yields a function that moves it on."""
    from rich.progress import MofNCompleteColumn, TimeElapsedColumn, TimeRemainingColumn

    # A single piece does not tell how long it will take.
    clock = TimeRemainingColumn if total > 1 else TimeElapsedColumn
    with _bar(label, total, MofNCompleteColumn(table_column=_fixed()), clock(table_column=_fixed())) as (bar, task):

        def advance(steps: int) -> None:
            if steps:
                bar.update(task, advance=steps)

        yield advance


@contextmanager
def stages(first: str = "starting", elapsed: bool = False) -> Iterator[Callable[[str, float, float | None], None]]:
    """A bar for work in named stages; yields what to call with (stage, done, total).

    first   : what it says until then
    elapsed : show the time that has passed and not the one that is left, where that cannot be told
    """
    if not (sys.stderr.isatty() or os.environ.get("FORCE_COLOR")):  # as the library of bars has it
        yield lambda _stage, _done, _total: None
        return
    from rich.progress import TaskProgressColumn, TimeElapsedColumn, TimeRemainingColumn

    figures: tuple[ProgressColumn, ...] = (TimeRemainingColumn(table_column=_fixed()),)
    if elapsed:
        figures = (TaskProgressColumn(table_column=_fixed()), TimeElapsedColumn(table_column=_fixed()))
    with _bar(first, None, *figures) as (bar, task):

        def move(stage: str, done: float, total: float | None) -> None:
            bar.update(task, description=stage, completed=done, total=total)

        yield move


@contextmanager
def counting(label: str) -> Iterator[Count]:
    """A moving line that says `label` and how many hands were read; yields what to call with their number.

    Nothing is drawn, nor imported for it, when standard error is not a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda _hands: None
        return
    from rich.markup import escape

    from kibitz.cli._console import MovingConsole

    name = escape(label)
    with MovingConsole().status(name) as status:
        yield lambda hands: status.update(f"{name}: {hands:,} hands")


def _fixed() -> Column:
    """A column that keeps its width when the line becomes too long."""
    from rich.table import Column

    return Column(no_wrap=True)


@contextmanager
def _bar(label: str, total: float | None, *figures: ProgressColumn) -> Iterator[tuple[Progress, TaskID]]:
    """What is done, the bar and `figures`, on one line; a label too long for it is cut."""
    from rich.progress import BarColumn, Progress, ProgressColumn, Task
    from rich.text import Text

    from kibitz.cli._console import MovingConsole

    class Label(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(task.description, overflow="ellipsis", no_wrap=True)

    console = MovingConsole()
    columns = (Label(), BarColumn(20 if console.width < NARROW else 40, table_column=_fixed()), *figures)
    with Progress(
        *columns,
        console=console,
        transient=True,
        disable=not console.is_terminal,
        redirect_stdout=sys.stdout.isatty(),  # what is printed into a pipe stays out of the bar's way
    ) as bar:
        yield bar, bar.add_task(label, total=total)
