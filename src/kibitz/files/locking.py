"""Locks that end with the process that holds them, however it ends.

They are advisory locks of open files (flock). Where a file system has none, everybody gets them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kibitz.errors import KibitzError

LOCK = ".lock"


@contextmanager
def locked(folder: Path | None, name: str = "") -> Iterator[None]:
    """Work in `folder`, which is made if need be, as the only process that does; a second one is refused.

    The lock lies in the folder as long as the work lasts. One that a killed process has left locks nobody out. A folder
    that was made and is left empty goes again.

    name   of what is made in the folder, where others may make other things there meanwhile
    """
    if folder is None:
        yield
        return
    made = _make(folder)
    path = folder / f"{name}{LOCK}"
    held = _hold(path)
    if held is None:
        other = "name" if name else "folder"
        raise KibitzError(
            f"{folder / name} is in use by another run{_whose(path)}: wait until it ends, or choose another {other}"
        )
    try:
        os.truncate(held, 0)
        os.write(held, f"{os.getpid()}\n".encode())
        yield
    finally:
        with suppress(OSError):
            path.unlink()  # while it is still held: nobody else has it
        os.close(held)
        with suppress(OSError):  # the first that holds anything ends it
            for each in made:
                each.rmdir()


def is_empty(folder: Path) -> bool:
    """Whether nothing lies in `folder` but the lock of whoever works there, or there is no such folder."""
    return not folder.exists() or all(path.name == LOCK for path in folder.iterdir())


def _make(folder: Path) -> list[Path]:
    """Make a folder and those above it; the new ones come back, innermost first."""
    try:
        made = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"cannot write {folder}: {error.strerror}") from None
    return made


def is_locked(folder: Path) -> bool:
    """Whether a process works in `folder`, as far as locks can tell."""
    try:
        opened = os.open(folder / LOCK, os.O_RDWR)
    except OSError:
        return False
    try:
        return not try_lock(opened)
    finally:
        os.close(opened)


def _hold(path: Path) -> int | None:
    """An open file that holds the lock `path`; None where another process does."""
    while True:
        opened = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        if not try_lock(opened):
            os.close(opened)
            return None
        if is_still(path, opened):
            return opened
        os.close(opened)  # who had it before has removed it in between


def try_lock(opened: int) -> bool:
    """Lock an open file for this process, until it is closed; False where another process has it."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def is_still(path: Path, opened: int) -> bool:
    """Whether `path` is the file that was opened, and not one that has taken its place."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(opened))
    except FileNotFoundError:
        return False


def _whose(path: Path) -> str:
    """The process that wrote the lock, as far as it can be told."""
    try:
        number = path.read_text()[:20].strip()
    except (OSError, ValueError):
        return ""
    return f" (process {number})" if number.isdecimal() else ""
