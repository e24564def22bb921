"""Files and folders that commands write: whole or not at all, and errors that name the path as it was given."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar

from kibitz.cli._errors import reason
from kibitz.errors import KibitzError
from kibitz.files import taking_place

Step = TypeVar("Step")


def cannot_write(path: Path, error: OSError) -> KibitzError:
    """What to raise when `path`, as the user wrote it, cannot be written."""
    return KibitzError(f"cannot write {path}: {reason(error)}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Whatever the system refuses in there is told of `path`: for calls that do nothing but save to it."""
    try:
        yield
    except OSError as error:
        raise cannot_write(path, error) from None


@contextmanager
def writing_tables(path: Path) -> Iterator[None]:
    """The same of Parquet files: a full disk is an error of their library, not of the system."""
    from polars.exceptions import ComputeError

    try:
        yield
    except ComputeError as error:
        raise KibitzError(f"cannot write {path}: {error}") from None


def plain_target(path: Path) -> Path:
    """Where `path` leads, for the library to write beside and rename: a link is followed, a device or pipe refused."""
    with writing(path):
        if path.exists() and not path.is_file():
            raise KibitzError(f"cannot write {path}: it is no plain file")
        return Path(os.path.realpath(path)) if path.is_symlink() else path


@contextmanager
def folder_for(path: Path | None, given: Path | None = None) -> Iterator[None]:
    """The folder `path` is there, and goes away again if it was not and the work fails before anything lies in it.

    given   what errors name, where the user did not give the folder but a file in it
    """
    if path is None:
        yield
        return
    with writing(given or path):
        missing = [each for each in (path, *path.parents) if not each.is_dir()]
        if missing and missing[-1].exists():
            raise KibitzError(f"cannot write {given or path}: {missing[-1]} is no folder")
        path.mkdir(parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # something lies in there
            for folder in missing:
                folder.rmdir()
        raise


@contextmanager
def replacing(path: Path) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when it is complete.

    What is there and no plain file, such as a pipe or a device, is written to as it is, and a link stays a link.
    """
    with ExitStack() as placing:
        with writing(path):
            straight = path.exists() and not path.is_file()
            target = Path(os.path.realpath(path))
            os.stat(f"{target.parent}/.")  # which has to be there, and a folder
            raw = _Written(path if straight else placing.enter_context(taking_place(target)), path)
        with io.TextIOWrapper(io.BufferedWriter(raw), encoding="utf-8", newline="\n") as file:
            yield file
        with writing(path):
            placing.close()


def write_whole(path: Path, text: str) -> None:
    """Write `text` to `path`, whole or not at all."""
    with replacing(path) as file:
        file.write(text)


class _Written(io.FileIO):
    """A file that is open for writing; its errors name the path that the user gave."""

    def __init__(self, path: Path, given: Path) -> None:
        super().__init__(path, "w")
        self._given = given

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise cannot_write(self._given, error) from None
