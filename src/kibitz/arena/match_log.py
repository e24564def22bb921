"""The log file of a match that is being played."""

from __future__ import annotations

from pathlib import Path
from typing import Self, TextIO

from kibitz.errors import KibitzError


class MatchLog:
    """Opens its file with the first line and writes every line through, so that no finished hand is ever lost.

    A match that nobody comes to leaves an older file alone.

    hands : hands written so far
    """

    def __init__(self, path: Path) -> None:
        if not path.parent.is_dir():
            raise KibitzError(f"cannot log to {path}: there is no folder {path.parent}")
        self.path = path
        self.hands = 0
        self._file: TextIO | None = None

    def write(self, line: str) -> None:
        """Add `line` and its end."""
        try:
            if self._file is None:
                self._file = self.path.open("w", encoding="utf-8")
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise KibitzError(f"cannot log to {self.path}: {error.strerror}") from None
        self.hands += line.startswith("STATE:")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
