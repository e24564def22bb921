"""The folder of a run: what was asked for, what is done, and what it cost; a run that was stopped goes on there."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import read_json, write_text


class Folder:
    """A folder for one run, described by `plan`; going on with another plan is an error."""

    def __init__(self, path: Path, plan: dict[str, Any]) -> None:
        self.path = path
        _make_folder(path)
        plan = json.loads(json.dumps(plan))  # tuples become lists, as in the file
        before = self.read("plan")
        for key in plan if before is not None else ():
            if key not in before:
                raise KibitzError(
                    f"{path} does not say with which {key} it was begun, now it is {plan[key]!r}: choose another folder"
                )
            if before[key] != plan[key]:
                raise KibitzError(
                    f"{path} was begun with {key} = {before[key]!r}, now it is {plan[key]!r}: go on with the same "
                    "settings, or choose another folder"
                )
        self.write("plan", plan)

    def sub(self, name: str) -> Path:
        """A folder in it."""
        found = self.path / name
        found.mkdir(exist_ok=True)
        return found

    def read(self, name: str) -> Any:
        """The document `name`, None if it is not there yet."""
        path = self.path / f"{name}.json"
        if not path.exists():
            return None
        try:
            return read_json(path)
        except ValueError as error:
            raise KibitzError(f"{path} is not what this experiment writes: {error}; choose another folder") from None

    def write(self, name: str, document: Any) -> None:
        """Keep a document, whole or not at all."""
        self.write_text(f"{name}.json", json.dumps(document, indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """Keep a text, whole or not at all."""
        write_text(self.path / name, text)

    @contextmanager
    def costing(self, stage: str) -> Iterator[None]:
        """Add what is done inside to the cost of a stage: seconds of all processors, and of the clock."""
        cpu, wall = _cpu_seconds(), perf_counter()
        try:
            yield
        finally:
            costs = self.read("cost") or {}
            spent = costs.get(stage, {"cpu": 0.0, "wall": 0.0})
            costs[stage] = {
                "cpu": round(spent["cpu"] + _cpu_seconds() - cpu, 2),
                "wall": round(spent["wall"] + perf_counter() - wall, 2),
            }
            self.write("cost", costs)


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise KibitzError(f"cannot write {path}: {error.strerror}; choose another folder") from None


def _cpu_seconds() -> float:
    """Of this process and those it has waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
