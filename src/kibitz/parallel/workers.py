"""Worker processes: born deaf to Ctrl-C, which is their parent's business, and gone when their parent is.

The parent holds the writing end of a pipe. When it is closed, by the parent or by its death, the workers end.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from threading import Thread
from typing import Any

_counter: Any = None  # in a worker: what all workers of the pool have done so far, where somebody wants to know


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back until the end of the block; processes that are started within never hear it."""
    if sys.platform == "win32":
        yield
        return
    # Started with the first process otherwise, which would let Ctrl-C through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def begin(lifeline: Connection, counter: Any = None) -> None:
    """What a worker does first: it works on one thread, and only as long as the other end of `lifeline` is open.

    counter   a shared integer for `advance`
    """
    global _counter
    _counter = counter
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ["NUMBA_NUM_THREADS"] = "1"  # numba is imported later
    Thread(target=_end_with, args=(lifeline,), daemon=True).start()


def _end_with(lifeline: Connection) -> None:
    wait([lifeline])
    os._exit(1)


def advance(steps: int) -> None:
    """Say, in a worker, that so much more is done; nothing happens where nobody asked for progress."""
    if _counter is not None:
        with _counter.get_lock():
            _counter.value += steps
