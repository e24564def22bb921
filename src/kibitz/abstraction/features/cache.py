"""Where large tables are kept between runs: the user's cache folder, or $KIBITZ_CACHE.

Tables are written beside their name and renamed, and memory-mapped when they are read, so that processes share them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.amounts import format_bytes
from kibitz.errors import KibitzError
from kibitz.files import clear_partial, load_array, reserve, taking_place

Array = npt.NDArray[Any]

_FULL = (EDQUOT, EFBIG, ENOSPC)


def cache_folder() -> Path:
    """$KIBITZ_CACHE, or `kibitz` in the place where this platform keeps what can be made again."""
    chosen = os.environ.get("KIBITZ_CACHE")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "kibitz" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "kibitz"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kibitz"


def read_table(path: Path, shape: tuple[int, ...], dtype: npt.DTypeLike) -> Array | None:
    """The table in `path`, memory-mapped; None where there is none, or not one of this shape and type."""
    try:
        table = load_array(path)
    except (OSError, ValueError):  # absent, or cut short
        return None
    return table if table.shape == shape and table.dtype == np.dtype(dtype) else None


def make_table(path: Path, shape: tuple[int, ...], dtype: npt.DTypeLike, fill: Callable[[Array], None]) -> Array:
    """The table in `path`, which `fill` writes where it is not there yet."""
    table = read_table(path, shape, dtype)
    if table is not None:
        return table
    clear_partial(path.parent)  # of tables that other runs were killed over: they may fill the disk
    size = prod(shape) * np.dtype(dtype).itemsize
    with caching(path, size), taking_place(path) as beside:
        table = np.lib.format.open_memmap(beside, mode="w+", dtype=np.dtype(dtype), shape=shape)
        reserve(
            beside, table.offset + size
        )  # before anything is written: a full disk is an error now, and a crash later
        fill(table)
        table.flush()
        del table
    return load_array(path)


@contextmanager
def caching(path: Path, size: int) -> Iterator[None]:
    """What the system refuses while `size` bytes are kept as `path` in the cache, with what to do about it."""
    try:
        yield
    except OSError as error:
        better = "with room" if error.errno in _FULL else "that can be written"
        raise KibitzError(
            f"{path.name} needs {format_bytes(size)} in the cache folder {path.parent}: {error.strerror or error}; set "
            f"KIBITZ_CACHE to a folder {better}"
        ) from None
