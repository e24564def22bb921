"""The file a series writes as it goes, so that it can be stopped and resumed.

The first line describes the series, each further line is one finished match. A line that was cut off by a crash is
dropped and played again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz.arena.series import Key, Outcomes, Series
from kibitz.arena.statistics import Moments
from kibitz.errors import KibitzError


class Ledger:
    """The finished matches of a series, in memory and on disk."""

    def __init__(self, path: Path, series: Series, resume: bool = False) -> None:
        """Open `path` for `series`; an existing file is continued with `resume` and an error without."""
        self.path = path
        self.outcomes: Outcomes = {}
        if path.exists():
            if not resume:
                raise KibitzError(f"{path} exists: continue it with --resume, or choose another folder with --out")
            self._load(series)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(series.describe()) + "\n")

    def add(self, key: Key, moments: tuple[Moments, ...]) -> None:
        """Record one finished match."""
        self.outcomes[key] = moments
        with self.path.open("a") as file:
            file.write(_format(key, moments) + "\n")

    def _load(self, series: Series) -> None:
        lines = self.path.read_text().split("\n")
        self._check_header(lines[0], series)
        known = set(series.keys)
        for number, line in enumerate(lines[1:-1], 2):  # the last piece is empty, or a line cut off in the middle
            try:
                key, moments = _parse(json.loads(line))
            except (ValueError, KeyError, TypeError):
                raise KibitzError(f"{self.path}:{number}: not a finished match: {line[:60]!r}") from None
            if key not in known:
                raise KibitzError(f"{self.path}:{number}: match {key} does not belong to this series")
            self.outcomes[key] = moments
        if lines[-1]:
            whole = "\n".join(lines[:-1]) + "\n"
            beside = self.path.with_suffix(".partial")
            beside.write_text(whole)
            beside.replace(self.path)

    def _check_header(self, line: str, series: Series) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            raise KibitzError(f"{self.path}: the first line does not describe a series: {line[:60]!r}") from None
        for field, value in series.describe().items():
            if header.get(field) != value:
                raise KibitzError(
                    f"{self.path} was played with {field} = {header.get(field)!r}, now it is {value!r}: "
                    "resume with the same settings, or choose another folder with --out"
                )


def _format(key: Key, moments: tuple[Moments, ...]) -> str:
    table, match = key
    sums = [[agent.count, agent.total, agent.squares] for agent in moments]
    return json.dumps({"table": list(table), "match": match, "moments": sums})


def _parse(record: Any) -> tuple[Key, tuple[Moments, ...]]:
    key = (tuple(int(agent) for agent in record["table"]), int(record["match"]))
    return key, tuple(Moments(*(int(part) for part in sums)) for sums in record["moments"])
