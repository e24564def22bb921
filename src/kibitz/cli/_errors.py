"""What ends a command early, told in one sentence and without a traceback; its kind is the exit status.

2 stands for bad input and for what the system refuses, `INTERRUPTED` for Ctrl-C, `UNREAD` for a reader of the output
who has left. Ctrl-C while kernels are loaded is kept for later: the compiler calls back into Python from C, and what is
raised there may be lost.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
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


COMPILER = ("llvmlite", "numba")
AGAIN_SECONDS = 0.05
MOST_TRIES = 40
UNHEARD_SECONDS = 1.0  # in which a command that has heard it is over


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let Ctrl-C through when the compiler is not at work, or has been for two seconds since.

    Not where somebody else handles or ignores it.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    handler = _Patient()
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        handler.rest()
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Patient:
    """A handler that asks again soon while the compiler works."""

    def __init__(self) -> None:
        self._tries = 0
        self._again: threading.Timer | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        is_compiling = _is_compiling(frame)
        if self._tries >= MOST_TRIES or not is_compiling:
            self.rest()
            if is_compiling:  # it may be lost in there: if nobody has heard it, it is said once more
                self._ask_in(UNHEARD_SECONDS, number)
            raise KeyboardInterrupt
        if self._again is not None and not self._again.finished.is_set():
            return  # pressed again, meanwhile
        self._tries += 1
        self._ask_in(AGAIN_SECONDS, number)

    def _ask_in(self, seconds: float, number: int) -> None:
        self._again = threading.Timer(seconds, self._ask, (number,))
        self._again.daemon = True
        self._again.start()

    def _ask(self, number: int) -> None:
        if self._again is not None:
            self._again.finished.set()
        os.kill(os.getpid(), number)

    def rest(self) -> None:
        """Ask no more."""
        if self._again is not None:
            self._again.cancel()
        self._tries, self._again = 0, None


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in COMPILER:
            return True
        frame = frame.f_back
    return False
