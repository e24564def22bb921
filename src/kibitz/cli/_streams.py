"""Standard output and standard error: nobody reading them, and everything that is written getting through."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import TextIO, cast

import click

from kibitz.cli._terminal import PYTHONS_CHOICE, Shown


def check_streams() -> None:
    """Refuse to work where nobody gets the result; messages that nobody reads are dropped.

    Characters that the terminal's encoding does not have are replaced, both ways.
    """
    if sys.stdout is None:
        raise click.UsageError("cannot write standard output: it is closed", ctx=None)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs
    sys.stdout = _shown(_buffered(sys.stdout))
    sys.stderr = _shown(sys.stderr)
    if getattr(sys.stdin, "errors", "") in PYTHONS_CHOICE:
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]


def _shown(stream: TextIO) -> TextIO:
    return stream if isinstance(stream, Shown) else cast(TextIO, Shown(stream))


def _buffered(stream: TextIO) -> TextIO:
    """`stream` with a buffer, where PYTHONUNBUFFERED has left it without.

    Such a stream takes a text that is written in part for written, so that a reader who leaves goes unnoticed.
    """
    raw = getattr(stream, "buffer", None)
    if not isinstance(raw, io.RawIOBase):
        return stream
    return io.TextIOWrapper(io.BufferedWriter(raw), stream.encoding, stream.errors, write_through=True)


def drop(stream: TextIO) -> None:
    """Let what `stream` holds and gets from now on go nowhere; Python would try once more at the end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError):  # no file of the system lies behind it
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def drop_stuck(stream: TextIO) -> None:
    """The same, if what `stream` holds cannot be written."""
    try:
        stream.flush()
    except OSError:
        drop(stream)


def tell(text: str, nl: bool = True) -> None:
    """Print `text` on standard error, if anybody is there to read it: what is under way goes on without."""
    try:
        click.echo(text, err=True, nl=nl)
    except OSError:
        drop(sys.stderr)
