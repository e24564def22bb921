"""Where the work is done: here, in local processes, or on a Ray cluster. Results do not depend on which.

An executor maps a function over tasks and yields the results in the order of the tasks, each as soon as it and all
before it are done. Functions and tasks must be picklable for the last two.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from kibitz.errors import KibitzError

LOST = (
    "a worker process ended in the midst of its work: an agent called os._exit or crashed, it was killed, or memory "
    "ran out"
)

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerLostError(KibitzError):
    """A worker that is gone, and its work with it."""


class Executor(Protocol):
    """Runs independent tasks."""

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]: ...


class InProcess:
    """One task after the other, in this process."""

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        return map(function, tasks)


class Processes:
    """Local worker processes.

    They are spawned, not forked: a fork after a threaded numba kernel has run can hang. Each works on one thread.
    Unfinished work is dropped at once when nobody wants it any more: at an error, at Ctrl-C, when the results are
    not read to their end.
    """

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        from concurrent.futures import Future, ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        from kibitz.arena.workers import begin, interrupts_held

        context = get_context("spawn")
        lifeline, held = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=begin, initargs=(lifeline,))
        waiting: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                with interrupts_held():
                    waiting.append(pool.submit(function, task))
                # Enough ahead to keep every worker busy while the results are taken in order.
                while len(waiting) > 4 * self.workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            pool.shutdown()
        except BrokenProcessPool as error:
            raise WorkerLostError(LOST) from error
        finally:
            held.close()
            pool.shutdown(cancel_futures=True)
            lifeline.close()


class Ray:
    """A Ray cluster: the one `RAY_ADDRESS` names, or one started on this machine (extra `cluster`)."""

    def __init__(self, **init: Any) -> None:
        try:
            import ray
        except ImportError:
            raise KibitzError("Ray is not installed: pip install '.[cluster]' in the project's folder") from None
        self._ray = ray
        if not ray.is_initialized():
            ray.init(**{"log_to_driver": False, "include_dashboard": False, **init})

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        remote = self._ray.remote(function)
        for reference in [remote.remote(task) for task in tasks]:
            try:
                yield self._ray.get(reference)
            except self._ray.exceptions.RayTaskError as error:
                if isinstance(error.cause, KibitzError):  # Ray's own text is the traceback
                    raise error.cause from error
                raise
            except self._ray.exceptions.WorkerCrashedError as error:
                raise WorkerLostError(LOST) from error


EXECUTORS: dict[str, Callable[[], Executor]] = {"in-process": InProcess, "processes": Processes, "ray": Ray}


def load_executor(name: str) -> Executor:
    """The executor called `name`."""
    if name not in EXECUTORS:
        raise KibitzError(f"no executor {name!r}: one of {', '.join(EXECUTORS)}")
    return EXECUTORS[name]()
