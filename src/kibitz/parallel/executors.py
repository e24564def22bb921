"""Where the work is done: here, in local processes, or on a Ray cluster. Results do not depend on which.

An executor maps a function over tasks and yields the results in the order of the tasks, each as soon as it and all
before it are done. Functions and tasks must be picklable for the last two.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from kibitz.errors import KibitzError
from kibitz.progress import Count

if TYPE_CHECKING:
    from concurrent.futures import Future

LOST = (
    "a worker process ended in the midst of its work: it crashed, an agent in it called os._exit, it was killed, or "
    "memory ran out"
)

POLL = 0.2  # seconds between looks at progress and Ctrl-C while results are waited for

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

    progress   is told, now and then while results are waited for, how far all tasks together have come: the sum of what
               they gave to `kibitz.parallel.workers.advance`
    """

    def __init__(self, workers: int | None = None, progress: Count | None = None) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._progress = progress

    def map(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        from concurrent.futures import ProcessPoolExecutor
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        from kibitz.parallel.workers import begin, interrupts_held

        context = get_context("spawn")
        lifeline, held = context.Pipe(duplex=False)
        counter = context.Value("q", 0) if self._progress else None
        pool = ProcessPoolExecutor(self.workers, mp_context=context, initializer=begin, initargs=(lifeline, counter))
        waiting: deque[Future[Result]] = deque()
        try:
            for task in tasks:
                with interrupts_held():
                    waiting.append(pool.submit(function, task))
                # Enough ahead to keep every worker busy while the results are taken in order.
                while len(waiting) > 4 * self.workers:
                    yield self._result(waiting.popleft(), counter)
            while waiting:
                yield self._result(waiting.popleft(), counter)
            pool.shutdown()
        except BrokenProcessPool as error:
            raise WorkerLostError(LOST) from error
        finally:
            held.close()
            pool.shutdown(cancel_futures=True)
            lifeline.close()

    def _result(self, future: Future[Result], counter: Any) -> Result:
        """What `future` comes to; progress is told while it is waited for.

        Waiting without an end would be deaf to Ctrl-C where Polars is loaded: its handler restarts system calls.
        """
        from concurrent.futures import wait

        while wait([future], POLL).not_done:
            if self._progress:
                self._progress(counter.value)
        return future.result()


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
