"""The file to which a measurement of rollout errors writes decisions as it goes, so that it can be resumed.

The first line describes the measurement, each further line holds some decisions with a checksum. A line that was cut
off by a crash is dropped and measured again; any other damage is refused.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import document_sum, fingerprint, parse_json, sealed, shown, write_text
from kibitz.learning.model import Model
from kibitz.learning.rollouts.settings import RolloutSettings
from kibitz.learning.tables import TableRules

Row = tuple[int, tuple[float, ...]]
"""A measured decision: its stage, and sample, LFO and RI error and effective number of samples."""

_NUMBERS = 4  # of a decision, beside its stage


class RolloutLedger:
    """The decisions measured so far, in memory and on disk, in the order in which they are chosen."""

    def __init__(self, path: Path, run: dict[str, Any], resume: bool = False) -> None:
        """Open `path` for what `describe_run` says; an existing file is continued with `resume`, and an error without.

        A file whose first line was never finished counts as none.
        """
        self.path, self.rows = path, list[Row]()
        lines = _read_lines(path)
        header, whole = json.dumps(run), lines[:-1]  # what follows the last line break is empty, or was cut off
        if not whole:
            if resume:
                raise KibitzError(f"{path} holds nothing to continue: begin a run, or name another", settings=("out",))
            write_text(path, header + "\n")
            return
        if not resume:
            raise KibitzError(f"{path} exists: continue it, or choose another folder", settings=("resume", "out"))
        self._check(whole[0], json.loads(header))
        for number, line in enumerate(whole[1:], 2):
            self._take(number, line)
        if lines[-1]:
            write_text(path, "\n".join(whole) + "\n")

    def add(self, rows: list[Row]) -> None:
        """Record the next decisions."""
        record = {"first": len(self.rows), "decisions": [[stage, *errors] for stage, errors in rows]}
        self.rows += rows
        with self.path.open("a") as file:
            file.write(json.dumps(sealed(record)) + "\n")

    def _check(self, line: str, run: dict[str, Any]) -> None:
        try:
            found = parse_json(line)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise KibitzError(f"{self.path}: the first line does not describe a measurement: {shown(line)}")
        for name in {**run, **found}:
            if found.get(name) != run.get(name):
                raise KibitzError(
                    f"{self.path} was measured with {name} = {shown(found.get(name))}, here it is "
                    f"{shown(run.get(name))}: resume with the same settings, or choose another folder",
                    settings=("out",),
                )

    def _take(self, number: int, line: str) -> None:
        """Take the decisions of a line."""
        try:
            record = parse_json(line)
            checksum = record.pop("crc32")
            rows = [(int(stage), tuple(map(float, errors))) for stage, *errors in record["decisions"]]
            right = checksum == document_sum(record) and record["first"] == len(self.rows)
        except (ValueError, TypeError, KeyError, AttributeError):
            rows, right = [], False
        if not right or any(not 0 <= stage <= 3 or len(errors) != _NUMBERS for stage, errors in rows):
            raise KibitzError(
                f"{self.path}:{number}: not the decisions that belong there: {shown(line)}; without this line and all "
                "that follow, they are measured again"
            )
        self.rows += rows


def describe_run(model: Model, rules: TableRules, settings: RolloutSettings) -> dict[str, Any]:
    """All that decides the errors: the first line of a ledger."""
    structure = json.dumps(model.structure.describe(), sort_keys=True)
    return {
        "kibitz": "rollout errors",
        "model": fingerprint(structure, model.flat),
        **asdict(rules),
        **asdict(settings),
    }


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")
    except FileNotFoundError:
        return [""]
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}") from None
