"""Ctrl-C while kernels are loaded: the compiler calls back into Python from C, and what is raised there may be lost."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

COMPILER = ("llvmlite", "numba")
AGAIN_SECONDS = 0.05
MOST_TRIES = 40
UNHEARD_SECONDS = 1.0  # in which a command that has heard it is over


@contextmanager
def interrupts_kept() -> Iterator[None]:
    """Let Ctrl-C through when the compiler is not at work, or has been for two seconds since.

    Not where somebody else handles or ignores it.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    handler = _Patient()
    signal.signal(signal.SIGINT, handler)
    try:
        yield
    finally:
        handler.rest()
        signal.signal(signal.SIGINT, signal.default_int_handler)


class _Patient:
    """A handler that asks again soon while the compiler works."""

    def __init__(self) -> None:
        self._tries = 0
        self._again: threading.Timer | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        is_compiling = _is_compiling(frame)
        if self._tries >= MOST_TRIES or not is_compiling:
            self.rest()
            if is_compiling:  # it may be lost in there: if nobody has heard it, it is said once more
                self._ask_in(UNHEARD_SECONDS, number)
            raise KeyboardInterrupt
        if self._again is not None and not self._again.finished.is_set():
            return  # pressed again, meanwhile
        self._tries += 1
        self._ask_in(AGAIN_SECONDS, number)

    def _ask_in(self, seconds: float, number: int) -> None:
        self._again = threading.Timer(seconds, self._ask, (number,))
        self._again.daemon = True
        self._again.start()

    def _ask(self, number: int) -> None:
        if self._again is not None:
            self._again.finished.set()
        os.kill(os.getpid(), number)

    def rest(self) -> None:
        """Ask no more."""
        if self._again is not None:
            self._again.cancel()
        self._tries, self._again = 0, None


def _is_compiling(frame: FrameType | None) -> bool:
    while frame is not None:
        if str(frame.f_globals.get("__name__")).partition(".")[0] in COMPILER:
            return True
        frame = frame.f_back
    return False
