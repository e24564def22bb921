"""Threads for kernels that let go of the interpreter lock, which end soon after Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event

Check = Callable[[], None]
"""To be called between pieces of work of half a second at most: raises where nobody wants the result any more."""


class Stopped(Exception):  # noqa: N818 - nothing is wrong
    """Raised in a thread whose work nobody wants any more."""


@contextmanager
def stoppable_threads(threads: int) -> Iterator[tuple[ThreadPoolExecutor, Check]]:
    """A pool of threads, and what their work calls now and then; whatever ends the block early ends them too.

    A thread cannot be interrupted: who leaves a pool waits for everything that was begun in it. Kernels that may have
    to be compiled are called once before, by the thread that Ctrl-C does interrupt.
    """
    stopped = Event()

    def check() -> None:
        if stopped.is_set():
            raise Stopped

    with ThreadPoolExecutor(threads) as pool:
        try:
            yield pool, check
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
