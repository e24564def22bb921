"""Compiling the vector kernels with straight-line code packed into vectors.

The sums of `_kernels._terminal` are eight named numbers; only with LLVM's SLP pass do they become one register. Numba
leaves that pass off by default. It is switched on here for the moment in which the kernels may be compiled, and for
nothing else in the process.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def packed() -> Iterator[None]:
    """Whatever numba compiles meanwhile is packed."""
    from numba import config

    before = config.SLP_VECTORIZE
    config.SLP_VECTORIZE = 1
    try:
        yield
    finally:
        config.SLP_VECTORIZE = before
