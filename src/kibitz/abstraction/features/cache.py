"""Where large tables are kept between runs: the user's cache folder, or $KIBITZ_CACHE.

Tables are written beside their name and renamed, and memory-mapped when they are read, so that processes share them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


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
        table: Array = np.load(path, mmap_mode="r")
    except (OSError, EOFError, ValueError):  # absent, or cut short
        return None
    return np.asarray(table) if table.shape == shape and table.dtype == np.dtype(dtype) else None


def make_table(path: Path, shape: tuple[int, ...], dtype: npt.DTypeLike, fill: Callable[[Array], None]) -> Array:
    """The table in `path`, which `fill` writes where it is not there yet."""
    table = read_table(path, shape, dtype)
    if table is not None:
        return table
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.{uuid4().hex[:8]}.partial")
    try:
        table = np.lib.format.open_memmap(beside, mode="w+", dtype=np.dtype(dtype), shape=shape)
        fill(table)
        table.flush()
        del table
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    return np.asarray(np.load(path, mmap_mode="r"))
