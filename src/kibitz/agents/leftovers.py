"""Threads that agents from files leave running: Python waits for them at its end, for ever if they never end."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import thread as pools
from contextlib import contextmanager

from kibitz.agents.faults import author_of, authored_names
from kibitz.errors import AgentError

GRACE_SECONDS = 1.0  # for threads that are about to end


@contextmanager
def no_threads_left() -> Iterator[None]:
    """AgentError, which names the agent, if a thread that was started in the block outlives it."""
    before = running()
    yield
    if not authored_names():
        return
    deadline = time.monotonic() + GRACE_SECONDS
    for thread in running() - before:
        thread.join(max(deadline - time.monotonic(), 0.0))
    for thread in running() - before:
        raise AgentError(_blamed(thread))


def running() -> set[threading.Thread]:
    """The threads that the end of the program would wait for, the main one aside.

    Those of a thread pool count only while they work for an agent: idle ones are told to end.
    """
    threads = set(threading.enumerate()) - {threading.main_thread(), threading.current_thread()}
    pooled = set(pools._threads_queues)
    return {thread for thread in threads if not thread.daemon and (thread not in pooled or _author(thread))}


def _author(thread: threading.Thread) -> tuple[str, str] | None:
    return author_of(sys._current_frames().get(thread.ident or 0))


def _blamed(thread: threading.Thread) -> str:
    name, place = _author(thread) or (" or ".join(authored_names()), "")
    where = f" at {place}" if place else ""
    return f"{name} left the thread {thread.name!r} running{where}: end it with the match, or start it with daemon=True"
