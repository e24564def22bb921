"""Kernels: numba compiles them when they are first called and keeps them on disk, whatever state that disk is in.

Kernel modules take `njit` from here. Numba itself is imported when the first of them is, and not with this module.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

Say = Callable[[str], None]

COMPILING = "Compiling kernels, this once ..."
KEPT_KERNELS = "KIBITZ_KERNELS"  # environment: NUMBA_CACHE_DIR, or "", of who keeps kernels that others may only read


class CompilingWarning(UserWarning):
    """Compiled kernels that are not kept where they should be."""


class _Notices:
    """What is worth telling, each once in a process."""

    def __init__(self) -> None:
        self._say: Say | None = None
        self._told: set[str] = set()

    def tell_with(self, say: Say | None) -> None:
        self._say = say
        self._told.clear()

    def begin(self) -> None:
        """Something is being compiled: worth a word to people who wait at a terminal, not to programs."""
        if self._say is not None and self._is_new("compiling"):
            self._say(COMPILING)

    def trouble(self, text: str) -> None:
        """The cache is not as it should be; all works, and starts more slowly than it might."""
        if not self._is_new("trouble"):
            return
        if self._say is not None:
            self._say(text)
        else:
            warnings.warn(text, CompilingWarning, stacklevel=2)

    def _is_new(self, what: str) -> bool:
        is_new = what not in self._told
        self._told.add(what)
        return is_new


notices = _Notices()


def tell_with(say: Say | None) -> None:
    """From now on say once when kernels are compiled, and once when they cannot be kept; None: warn of the latter."""
    notices.tell_with(say)


def njit(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """`numba.njit`, with or without options of it, and with two of ours.

    cache     the kernel is kept on disk, and found there if whole. Those are the ones that Python calls; the others are
              helpers for kernels alone: the code that would unpack Python's arguments for them takes longer to compile
              than they do, and is left out
    borrows   neither it nor what it calls makes an array. Then nothing counts who holds the arrays, which numba does
              whenever one gets a name, by an atomic instruction each: in short functions a third of the time.
              False: it does make some, whoever calls it. A helper that does not say is like the kernel that calls it
    """
    import numba

    from kibitz.compiling.cache import keep, listen
    from kibitz.compiling.helpers import make_helper

    kept = options.pop("cache", False)
    borrows = options.pop("borrows", None)
    if borrows is not None:
        options["_nrt"] = not borrows
    options["no_cfunc_wrapper"] = True  # nothing of ours is called from C
    listen()

    def compiled(function: Callable[..., Any]) -> Any:
        if not kept:
            return make_helper(function, options)
        dispatcher = numba.njit(**options)(function)
        keep(dispatcher)
        return dispatcher

    return compiled if function is None else compiled(function)
