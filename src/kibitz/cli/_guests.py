"""Agents as guests of a command: what they print is not the result, and what they leave running does not keep it."""

from __future__ import annotations

import io
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import TextIO, cast

from kibitz.cli._streams import Shown, bare

_former: list[TextIO] = []  # streams that were standard output: whoever lets go of one closes it


@contextmanager
def guests() -> Iterator[None]:
    """Where agents are made and play: what they print goes to standard error, and a thread they leave is an error.

    What they print past Python, and what the programs they start print, goes there from now on.
    """
    from kibitz.agents.faults import no_threads_left

    _keep_standard_output()
    with redirect_stdout(sys.stderr), no_threads_left():
        yield


def _keep_standard_output() -> None:
    """Let results go to standard output by a file descriptor of their own, and all else for it to standard error."""
    stream = bare(sys.stdout)
    try:
        if not isinstance(stream, io.TextIOWrapper) or stream.fileno() != 1:
            return  # it was done before, or results are gathered by another program
        errors = sys.stderr.fileno()
    except OSError:  # no files of the system lie behind them
        return
    stream.flush()
    _former.append(stream)
    own = os.dup(1)
    os.dup2(errors, 1)
    results = io.TextIOWrapper(
        os.fdopen(own, "wb"),
        stream.encoding,
        stream.errors,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )
    sys.stdout = results if stream is sys.stdout else cast(TextIO, Shown(results))


def dismiss(ending: SystemExit, before: set[threading.Thread]) -> None:
    """End the program though agents left threads beside those of `before`: none keeps it, none has the last word."""
    from kibitz.agents.faults import running

    if _former:
        with suppress(OSError):
            sys.stdout.flush()
            _former.append(sys.stdout)
            sys.stdout = sys.stderr
    if running() <= before:
        return
    for stream in (*_former, sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(ending.code if isinstance(ending.code, int) else int(ending.code is not None))
