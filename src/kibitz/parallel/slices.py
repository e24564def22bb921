"""Work on long arrays: slices on several threads, with progress."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import as_completed

from kibitz.parallel.threads import stoppable_threads
from kibitz.progress import Progress, silent

_MANY = 8  # slices a thread, of which one is worth doing first


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
