"""The files of a match that is being played: its log, and any other that grows line by line."""

from __future__ import annotations

import os
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Self

from kibitz.errors import KibitzError


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before the work whose result it is for; nothing is opened."""
    if not path.parent.is_dir():
        raise KibitzError(f"cannot write {path}: there is no folder {path.parent}")
    if path.is_dir():
        raise KibitzError(f"cannot write {path}: it is a folder")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise KibitzError(f"cannot write {path}: it is not allowed")


def check_new(path: Path) -> None:
    """Refuse a file in which something stands already; pipes and devices keep nothing that could be lost."""
    if path.is_file() and path.stat().st_size:
        raise KibitzError(f"{path} exists: choose another name, or overwrite it", settings=("overwrite",))


class LineFile:
    """Opens its file with the first line and writes every line through: whole, or not at all when the disk is full.

    A place where nothing can be written, and an older file unless `overwrite`, are refused at once. A match that nobody
    comes to leaves an older file alone.
    """

    def __init__(self, path: Path, overwrite: bool = False) -> None:
        check_writable(path)
        if not overwrite:
            check_new(path)
        self.path = path
        self._overwrite = overwrite
        self._file: FileIO | None = None
        self._size = 0

    def write(self, line: str) -> None:
        """Add `line` and its end."""
        data = f"{line}\n".encode()
        try:
            if self._file is None:
                if not self._overwrite:
                    check_new(self.path)  # another match may have begun it while this one waited for its players
                self._file = FileIO(self.path, "w")
            self._write_through(self._file, data)
        except OSError as error:
            raise KibitzError(f"cannot write {self.path}: {error.strerror}") from None
        self._size += len(data)

    def _write_through(self, file: FileIO, data: bytes) -> None:
        try:
            while data:
                data = data[file.write(data) :]
        except OSError:
            with suppress(OSError):  # a pipe keeps the piece it has got
                file.truncate(self._size)
            raise

    @property
    def is_begun(self) -> bool:
        """Whether the file is ours: something was written."""
        return self._file is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()


class MatchLog(LineFile):
    """The log of a match: no hand that was finished is ever lost.

    hands : hands written so far
    """

    def __init__(self, path: Path, overwrite: bool = False) -> None:
        super().__init__(path, overwrite)
        self.hands = 0

    def write(self, line: str) -> None:
        super().write(line)
        self.hands += line.startswith("STATE:")
