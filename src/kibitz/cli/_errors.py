"""What ends a command early, told in one sentence and without a traceback; its kind is the exit status.

2 stands for bad input and for what the system refuses, `INTERRUPTED` for Ctrl-C, `UNREAD` for a reader of the output
who has left.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

import click
from click.exceptions import Exit

from kibitz.cli._streams import drop_stuck, tell
from kibitz.errors import KibitzError

INTERRUPTED, UNREAD = 128 + 2, 128 + 13  # as of a program that SIGINT or SIGPIPE has ended


class Interrupted(click.ClickException):
    """Ctrl-C; `message` is what is left to say, if anything."""

    exit_code = INTERRUPTED

    def __init__(self, message: str = "Interrupted.") -> None:
        super().__init__(message)

    def show(self, file: IO[Any] | None = None) -> None:
        if self.message:
            # On a terminal ^C stands in the line already.
            tell("\n" * sys.stderr.isatty() + self.message)


@contextmanager
def in_one_sentence() -> Iterator[None]:
    """Whatever ends a command early, as the errors that are printed as a sentence."""
    try:
        yield
    except KibitzError as error:
        raise click.UsageError(with_options(error), ctx=None) from None
    except BrokenPipeError:
        raise Exit(leave_unread()) from None
    except OSError as error:
        drop_stuck(sys.stdout)
        raise click.UsageError(describe(error), ctx=None) from None
    except MemoryError as error:
        raise click.UsageError(f"there is not enough memory for that: {error}".rstrip(": "), ctx=None) from None
    except KeyboardInterrupt:
        raise Interrupted from None


def with_options(error: KibitzError) -> str:
    """What the library says, and the options for what it would have set otherwise: they have the same names."""
    options = ", ".join(f"--{name.replace('_', '-')}" for name in error.settings)
    return f"{error} ({options})" if options else str(error)


def leave_unread() -> int:
    """Drop what nobody reads any more; the exit status for that."""
    drop_stuck(sys.stdout)
    drop_stuck(sys.stderr)
    return UNREAD


def describe(error: OSError) -> str:
    """The file it is about, and what went wrong with it."""
    if isinstance(error, FileNotFoundError):
        return f"{error.filename or error}: no such file"
    if isinstance(error, ConnectionError):  # of a cluster, say: nothing was to be written
        return str(error)
    if error.filename is not None:
        return f"{error.filename}: {reason(error)}"
    return f"cannot write the output: {reason(error)}"


def reason(error: OSError) -> str:
    """What went wrong, in the words of the system."""
    return error.strerror or str(error)
