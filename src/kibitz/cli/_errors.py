"""What ends a command early, told in one sentence with exit status 2 and without a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from kibitz.errors import KibitzError


@contextmanager
def in_one_sentence() -> Iterator[None]:
    """Bad input, and what the system refuses, as the errors that are printed as a sentence."""
    try:
        yield
    except KibitzError as error:
        raise click.UsageError(str(error), ctx=None) from None
    except BrokenPipeError:  # whoever read the output has seen enough
        raise
    except OSError as error:
        _drop_stuck_output()
        raise click.UsageError(describe(error), ctx=None) from None
    except MemoryError as error:
        raise click.UsageError(f"there is not enough memory for that: {error}".rstrip(": "), ctx=None) from None


def describe(error: OSError) -> str:
    """The file it is about, and what went wrong with it."""
    if isinstance(error, FileNotFoundError):
        return f"{error.filename or error}: no such file"
    if error.filename is not None:
        return f"{error.filename}: {reason(error)}"
    return f"cannot write the output: {reason(error)}"


def reason(error: OSError) -> str:
    """What went wrong, in the words of the system."""
    return error.strerror or str(error)


def check_streams() -> None:
    """Refuse to work where nobody gets the result; messages that nobody reads are dropped."""
    if sys.stdout is None:
        raise click.UsageError("cannot write standard output: it is closed", ctx=None)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the program runs


def drop(stream: TextIO) -> None:
    """Let what `stream` holds and gets from now on go nowhere; Python would try once more at the end, and complain."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _drop_stuck_output() -> None:
    try:
        sys.stdout.flush()
    except OSError:
        drop(sys.stdout)
