"""Files that are there whole or not at all, on disks that may be full."""

from __future__ import annotations

import glob
import math
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EINVAL, ENOSYS, EOPNOTSUPP
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import uuid4

import numpy as np
import numpy.typing as npt

from kibitz.files.locking import is_still, try_lock

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTIAL = ".partial"
_DOTS_PER_INCH = 130
_ZEROS = bytes(1 << 20)
_UNSUPPORTED = (EINVAL, ENOSYS, EOPNOTSUPP)
_HEADER_BYTES = 4096  # of an array file, at most: what lies before is not touched


@contextmanager
def taking_place(path: Path) -> Iterator[Path]:
    """A new, empty file beside `path`, to be written, that takes its place at the end; on an error it goes.

    What processes that were killed have left beside `path` is removed. Whoever still writes holds a lock on his file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_partial(path.parent, path.name)
    beside, held = _begin(path)
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        if error.filename == str(beside) or error.filename == beside:
            error.filename, error.filename2 = str(path), None  # what the caller knows of
        raise
    finally:
        beside.unlink(missing_ok=True)
        os.close(held)


def _begin(path: Path) -> tuple[Path, int]:
    """A new file beside `path` and the open file that holds its lock."""
    while True:
        beside = path.with_name(f"{path.name}.{uuid4().hex[:8]}{PARTIAL}")
        held = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
        if try_lock(held) and is_still(beside, held):
            return beside, held
        os.close(held)  # it was taken for a leftover before it was locked


def clear_partial(folder: Path, name: str | None = None) -> None:
    """Remove the files and folders that were begun in `folder`, all or those that were to be `name`, and left alone."""
    for left in folder.glob(f"{'*' if name is None else glob.escape(name)}.{'[0-9a-f]' * 8}{PARTIAL}"):
        with suppress(OSError):
            opened = os.open(left, os.O_RDONLY)
            try:
                if try_lock(opened):
                    shutil.rmtree(left) if left.is_dir() else left.unlink()
            finally:
                os.close(opened)


@contextmanager
def folder_taking_place(path: Path, replace: bool = True) -> Iterator[Path]:
    """The same of a folder: a new one beside `path`, to be filled, before which the one at `path` gives way.

    replace   False keeps what another process has put there meanwhile, and may be reading
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    clear_partial(path.parent, path.name)
    while True:
        beside = path.with_name(f"{path.name}.{uuid4().hex[:8]}{PARTIAL}")
        beside.mkdir()
        with suppress(FileNotFoundError):  # it was taken for a leftover before it was locked
            held = os.open(beside, os.O_RDONLY)
            if try_lock(held) and is_still(beside, held):
                break
            os.close(held)
    old = path.with_name(f"{path.name}.{uuid4().hex[:8]}{PARTIAL}")
    try:
        yield beside
        if replace and path.exists():
            path.rename(old)
        try:
            beside.rename(path)
        except OSError:
            if replace or not path.is_dir():
                raise
    finally:
        for rest in (beside, old):
            shutil.rmtree(rest, ignore_errors=True)
        os.close(held)


def reserve(path: Path, size: int) -> None:
    """Give a new array file of `size` bytes, zeros but for its header, its room on the disk; OSError if there is none.

    What is written to a memory map that has no room ends the process, with no error that could be caught.
    """
    try:
        with open(path, "r+b") as file:
            if not _reserve(file.fileno(), size):
                _write_zeros(file, size)
    except OSError as error:
        error.filename = str(path)
        raise


def _reserve(file: int, size: int) -> bool:
    """Whether the system has reserved the room; False where it cannot do such a thing."""
    if not hasattr(os, "posix_fallocate"):
        return False
    try:
        os.posix_fallocate(file, 0, size)
    except OSError as error:
        if error.errno in _UNSUPPORTED:
            return False
        raise
    return True


def _write_zeros(file: BinaryIO, size: int) -> None:
    """The same by writing the zeros that holes in the file are read as."""
    position = file.seek(_HEADER_BYTES)
    while position < size:
        position += file.write(_ZEROS[: size - position])


def plain(value: Any) -> Any:
    """`value` as JSON can say it: tuples as lists, whole floats as integers, nan and infinities as null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    return value


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path` in UTF-8, whole or not at all."""
    with taking_place(path) as beside:
        beside.write_text(text, encoding="utf-8", newline="\n")


def save_figure(path: Path, figure: Figure) -> None:
    """Write a picture of matplotlib's to `path`, whole or not at all; the ending of its name says in which format."""
    with taking_place(path) as beside:
        figure.savefig(beside, dpi=_DOTS_PER_INCH, format=path.suffix[1:])


def picture(draw: Callable[[], Figure]) -> Callable[[Path], None]:
    """What writes the picture that `draw` makes to a path, as PNG, whatever the path is called."""
    return lambda path: draw().savefig(path, dpi=_DOTS_PER_INCH, format="png")


def svg_text(figure: Figure) -> str:
    """A picture of matplotlib's as SVG, to stand in a page; the same picture gives the same bytes."""
    import matplotlib as mpl

    out = StringIO()
    with mpl.rc_context({"svg.hashsalt": "kibitz"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()[out.getvalue().index("<svg") :]


class _Written:
    """A file of which NumPy knows only that it can be written to, so that the system says what goes wrong."""

    def __init__(self, file: BinaryIO) -> None:
        self.write = file.write


def save_array(path: Path, array: npt.NDArray[Any]) -> None:
    """`np.save`, with an error that names the file and says what is wrong where the disk is full."""
    try:
        with open(path, "wb") as file:
            np.lib.format.write_array(_Written(file), array, allow_pickle=False)
    except OSError as error:
        error.filename = str(path)
        raise
