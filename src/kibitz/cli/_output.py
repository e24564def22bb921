"""What the commands share: JSON for machines on stdout, everything else for people on stderr or as text."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from kibitz.cli._errors import drop


def plain(value: Any) -> Any:
    """`value` as JSON can say it: tuples as lists, whole floats as integers, nan and infinities as null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def print_json(value: Any) -> None:
    """Print `value` as one JSON document on standard output."""
    click.echo(json.dumps(plain(value), indent=2, ensure_ascii=False, allow_nan=False))


def tell(text: str, nl: bool = True) -> None:
    """Print `text` on standard error, if anybody is there to read it: what is under way goes on without."""
    try:
        click.echo(text, err=True, nl=nl)
    except OSError:
        drop(sys.stderr)


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on standard error; yields a function that moves it on.

    Nothing is drawn when standard error is not a terminal.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        # The kernels of a fresh installation compile during the first piece of work.
        task = bar.add_task(f"{label} (starting; a first run compiles)", total=total)

        def advance(steps: int) -> None:
            if steps:
                bar.update(task, advance=steps, description=label)

        yield advance


@contextmanager
def stages() -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on standard error for work in named stages; yields what to call with (stage, done, total)."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("starting; a first run compiles", total=None)

        def tell(stage: str, done: int, total: int) -> None:
            bar.update(task, description=stage, completed=done, total=total)

        yield tell
