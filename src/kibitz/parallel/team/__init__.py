"""Threads that run one kernel together: a task counter and a barrier in shared memory.

Handing out tasks from Python costs tens of microseconds each, under the interpreter lock. A team enters its kernel once
and shares out the work inside it, so that tasks of a few microseconds are worth sharing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait

import numpy as np
import numpy.typing as npt

Control = npt.NDArray[np.int64]
LINE = 8  # entries of a cache line: counters that several threads change stand apart
STOP = 3 * LINE  # place in the control array; 0 .. 2 are the kernels' own
SIZE = 4 * LINE
STEP_SECONDS = 0.2  # of waiting at a time: where a library has set signals to restart calls, a longer wait is deaf


def available_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Team:
    """`size` threads for kernels that release the interpreter lock and keep to `_kernels.take` and `_kernels.meet`."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._pool = ThreadPoolExecutor(size)

    def run(self, kernel: Callable[[Control, int], None]) -> None:
        """Call kernel(control, member) on every member's thread and wait for all.

        If a member fails or the caller is interrupted, the others stop at their next task; then the error is raised.
        """
        control: Control = np.zeros(SIZE, dtype=np.int64)

        def work(member: int) -> None:
            try:
                kernel(control, member)
            except BaseException:
                control[STOP] = 1  # or the others would wait for this one for ever
                raise

        members = [self._pool.submit(work, member) for member in range(self.size)]
        try:
            _wait(members)
        except BaseException:
            control[STOP] = 1
            _wait_out(members)
            raise
        for member in members:
            member.result()


def _wait(members: list[Future[None]]) -> None:
    while wait(members, STEP_SECONDS).not_done:
        pass


def _wait_out(members: list[Future[None]]) -> None:
    """Wait until nobody writes any more, however often the caller is interrupted: it is only a task's time."""
    while True:
        try:
            _wait(members)
            return
        except KeyboardInterrupt:
            continue
