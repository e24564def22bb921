"""What was measured, by name: computed once, also after an interruption, and kept in one compact file.

The same format comes with the package (`computed/NAME.json.gz`) and lies in the folders of efforts; it says the plan,
seed, version and device of its cells.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import wraps
from importlib.resources import as_file, files
from math import isfinite, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.experiments.published import Effort
from kibitz.files import parse_json, shown, taking_place
from kibitz.parallel import Executor
from kibitz.plans import Artefact, CellsPlan, Means
from kibitz.plans.cells import Job

FORMAT, SUFFIX = "kibitz measures 2", ".json.gz"
_SCRATCH: list[TemporaryDirectory[str]] = []  # folders that nobody wants to keep; they go when the program ends
Found = TypeVar("Found")
Numbers = tuple[float, ...]


class MissingError(KibitzError):
    """Something was not measured, and is not to be measured now."""


@dataclass
class Ledger:
    """Cells by name: numbers in a row, or a document as JSON says it.

    made      what decides them, and who computed them: the command, the machine and the version
    path      where they are kept; None keeps nothing
    is_open   whether what is missing is computed
    """

    made: dict[str, Any]
    path: Path | None = None
    is_open: bool = True
    found: dict[str, Any] = field(default_factory=dict)

    def get(self, name: str, compute: Callable[[], Iterable[float]]) -> Numbers:
        """The numbers of that name, computed and written unless they are known."""
        found: Numbers = self._get(name, compute)
        return found

    def document(self, name: str, compute: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """The same of a document."""
        return dict(self._get(name, compute))

    def _get(self, name: str, compute: Callable[[], Any]) -> Any:
        if name not in self.found:
            if not self.is_open:
                raise MissingError(f"{name} was not measured before: the preset full computes it")
            self.put(name, compute())
        return self.found[name]

    def put(self, name: str, cell: Mapping[str, Any] | Iterable[float]) -> None:
        """Keep what was just found."""
        self.found[name] = dict(cell) if isinstance(cell, Mapping) else tuple(map(float, cell))
        if self.path is not None:
            self.save(self.path)

    def measure(self, jobs: Mapping[str, Job], effort: Effort, stage: str) -> list[Any]:
        """The cells of some jobs, those that are missing done on the effort's executor and kept as they come."""
        missing = {name: job for name, job in jobs.items() if name not in self.found}
        known = len(jobs) - len(missing)
        for done, (name, cell) in enumerate(finish(missing, effort.executor), known + 1):
            self.put(name, cell)
            effort.tell(stage, done, len(jobs))
        return [self.found[name] for name in jobs]

    def has(self, names: Iterable[str]) -> bool:
        """Whether all of them are known."""
        return all(name in self.found for name in names)

    def save(self, path: Path) -> None:
        """Write everything to `path`, whole or not at all."""
        plan = {key: each for key, each in self.made.items() if key != "machine"}
        head = {"format": FORMAT, "version": __version__, "seed": plan.get("seed", 0)}
        head |= {"device": self.made.get("machine", "cpu"), "plan": plan}
        cells = {name: plain(cell) for name, cell in self.found.items()}
        text = json.dumps(head | {"cells": cells}, separators=(",", ":"), allow_nan=False)
        with taking_place(path) as beside:
            beside.write_bytes(gzip.compress(text.encode(), mtime=0))


@dataclass(frozen=True)
class _Jobs(CellsPlan):
    """Named jobs, each told once all that it needs is finished."""

    kind = "jobs"
    jobs: Mapping[str, Job]
    needs: Mapping[str, Collection[str]]

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Job]:
        waiting = self.jobs.keys() - results.keys()
        return {name: job for name, job in self.jobs.items() if not waiting & set(self.needs.get(name, ()))}

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        raise NotImplementedError("whoever finishes them keeps what is found")


def finish(
    jobs: Mapping[str, Job], executor: Executor, needs: Mapping[str, Collection[str]] | None = None
) -> Iterator[tuple[str, Any]]:
    """Do some jobs as the cells of a plan; each name with its result, as soon as it is there.

    needs   of jobs that must wait, the names of others
    """
    run = _Jobs(jobs, needs or {}).begin(Means(executor=executor))
    while (report := run.step()) is not None:
        yield report.stage, run.results[report.stage]


def measured(name: str, read: Callable[[Numbers], Found]) -> Callable[[Callable[..., Any]], Callable[..., Found]]:
    """A method that computes a cell of its object's `ledger`; what it returns then is how the cell is read.

    name   of the cell, with places for the arguments
    """

    def decorate(compute: Callable[..., Any]) -> Callable[..., Found]:
        @wraps(compute)
        def method(self: Any, *arguments: Any) -> Found:
            return read(self.ledger.get(name.format(*arguments), lambda: compute(self, *arguments)))

        return method

    return decorate


def plain(cell: Any) -> Any:
    """As JSON says it: a number that is not there is null."""
    if isinstance(cell, dict):
        return {key: plain(each) for key, each in cell.items()}
    if isinstance(cell, list | tuple):
        return [plain(each) for each in cell]
    return None if isinstance(cell, float) and not isfinite(cell) else cell


def load_ledger(path: Path) -> Ledger:
    """The cells in `path`."""
    try:
        document = parse_json(gzip.decompress(path.read_bytes()))
        if document["format"] != FORMAT:
            raise KibitzError(f"{path} holds no measures: its format is {shown(document['format'])}, not {FORMAT!r}")
        found = {
            name: cell if isinstance(cell, dict) else tuple(nan if x is None else float(x) for x in cell)
            for name, cell in document["cells"].items()
        }
        return Ledger({**document["plan"], "machine": document["device"]}, path, found=found)
    except KibitzError:
        raise
    except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise KibitzError(f"{path} holds no measures: {type(error).__name__} {error}") from None


def stored_ledger(paper: str, name: str) -> Ledger | None:
    """What comes with the package."""
    found = files(f"kibitz.experiments.{paper}") / "computed" / f"{name}{SUFFIX}"
    if not found.is_file():
        return None
    with as_file(found) as path:
        return load_ledger(path)


def open_ledger(paper: str, name: str, described: dict[str, Any], effort: Effort, *, is_open: bool) -> Ledger:
    """The cells of that name for an effort: those that come with the package, or lie in its folder, or none yet.

    paper       in whose package they come
    described   what decides the cells; those of anything else are not taken, and refused in the effort's own folder
    """
    path = effort.folder / effort.preset / f"{name}{SUFFIX}" if effort.folder is not None else None
    ledger = Ledger({**described, "machine": "cpu"}, path, is_open)
    # Who gives a seed wants other samples.
    stored = None if effort.preset == "smoke" or effort.seed else stored_ledger(paper, name)
    if stored is not None and not _difference(stored.made, described):
        ledger.made, ledger.found = stored.made, dict(stored.found)
    if path is not None and (old := path.with_suffix("")).exists():
        raise KibitzError(f"{old} is of an earlier version: remove it, or choose another folder", settings=("out",))
    if path is not None and path.exists():
        before = load_ledger(path)
        if said := _difference(before.made, described):
            raise KibitzError(f"{path} was made with other settings: {said}; choose another folder", settings=("out",))
        ledger.made = before.made
        ledger.found.update(before.found)
    return ledger


def _difference(made: dict[str, Any], described: dict[str, Any]) -> str:
    """The first setting in which they differ, in words; nothing where they are the same."""
    theirs, ours = {key: made[key] for key in made if key != "machine"}, json.loads(json.dumps(described))
    for key in {**ours, **theirs}:
        if theirs.get(key) != ours.get(key):
            return f"its {key} is {theirs.get(key)!r:.300}, here it is {ours.get(key)!r:.300}"
    return ""


def work_folder(effort: Effort, *parts: str) -> Path:
    """Where the work of an effort lies: in its folder, or in one that goes when the program ends."""
    if effort.folder is not None:
        return effort.folder.joinpath(*parts)
    _SCRATCH.append(TemporaryDirectory(prefix="kibitz-"))
    return Path(_SCRATCH[-1].name)
