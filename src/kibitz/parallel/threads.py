"""Threads for kernels that let go of the interpreter lock, which end soon after Ctrl-C; long arrays slice by slice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from threading import Event

from kibitz.progress import Progress, silent

_MANY = 8  # slices a thread, of which one is worth doing first

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


def run_slices(
    work: Callable[[int, int], object],
    count: int,
    size: int,
    threads: int = 1,
    stage: str = "",
    progress: Progress = silent,
) -> None:
    """Call `work(start, stop)` for slices of `size` that together cover 0 .. count - 1, on `threads` threads.

    Kernels let go of the interpreter lock, so threads suffice. A result must not depend on which slice comes first.
    """
    bounds = [(start, min(start + size, count)) for start in range(0, count, size)]
    done = 0
    progress(stage, 0, count)
    if threads <= 1 or len(bounds) == 1:
        for start, stop in bounds:
            work(start, stop)
            progress(stage, stop, count)
        return
    if len(bounds) > _MANY * threads:  # who is interrupted while kernels are compiled must not wait for other threads
        start, done = bounds.pop(0)
        work(start, done)
    with stoppable_threads(threads) as (pool, _check):
        running = {pool.submit(work, start, stop): stop - start for start, stop in bounds}
        for future in as_completed(running):
            future.result()
            done += running[future]
            progress(stage, done, count)
