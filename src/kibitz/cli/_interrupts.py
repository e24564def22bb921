"""Ctrl-C while kernels are loaded: the compiler calls back into Python, and what is raised there is lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

COMPILER = "llvmlite"
AGAIN_SECONDS = 0.05


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let Ctrl-C through as soon as the compiler is not at work; not where somebody else handles or ignores it."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, _interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    while frame is not None:
        if frame.f_globals.get("__name__", "").partition(".")[0] == COMPILER:
            again = threading.Timer(AGAIN_SECONDS, os.kill, (os.getpid(), number))
            again.daemon = True
            again.start()
            return
        frame = frame.f_back
    raise KeyboardInterrupt
