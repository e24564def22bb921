"""A plan of plans: named cells that an executor does in any order, and what is gathered from them.

Finished cells are kept: their results in the checkpoint, the artefacts of those that are plans in folders of their own.
A worker that is lost costs the cells it had in hand, which are done again; results do not depend on who did what.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, ClassVar, NamedTuple
from zipfile import ZipFile

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import parse_json
from kibitz.files.locking import LOCK
from kibitz.parallel import Executor, InProcess, WorkerLostError
from kibitz.plans.artefacts import Artefact, kind_of, read_manifest
from kibitz.plans.carry_out import carry_out
from kibitz.plans.checkpoints import Place
from kibitz.plans.plan import HERE, Array, Means, Plan, Report, Row

Job = Callable[[], Any]  # picklable, such as a frozen dataclass with __call__; its result is what JSON can say
Results = Mapping[str, Any]
MOST_TRIES = 3  # of a cell whose worker is lost


@dataclass(frozen=True)
class CellsPlan(Plan):
    """A plan that consists of cells.

    Its checkpoints come soon after another: they cost little beside the cells, and others read along in them.
    """

    checkpoint_seconds: ClassVar[float] = 1.0

    @abstractmethod
    def cells(self, means: Means, results: Results) -> Mapping[str, Job | Plan]:
        """All cells that can be told by now, given the results of those that are finished; nothing is done yet.

        It is asked at first, and again whenever all that it has told are finished, so that later cells may depend on
        earlier ones; then it tells those too. What it says of a cell is the same whenever it is asked.

        A plan is carried out in `means.folder`/name, and its result is what is `made` of its artefact. A job that
        leaves a folder does so there too, where it may find what an interrupted one has left.
        """

    @abstractmethod
    def gather(self, results: Results, means: Means) -> Artefact:
        """What is kept of all results; they come in the order of `cells`. Names of plans may be parts of it."""

    def executor(self) -> Executor:
        """What suits the cells where nobody says what is to compute them."""
        return InProcess()

    def begin(self, means: Means = HERE) -> Cells:
        return Cells(self, means)


class Cells:
    """The run of a plan of plans: every step is a cell that is finished.

    results   of the finished cells, by name
    """

    def __init__(self, plan: CellsPlan, means: Means) -> None:
        self.plan, self.means = plan, means
        self.results: dict[str, Any] = {}
        self.jobs = plan.cells(means, self.results)
        self._executor = means.executor or plan.executor()
        self._lost: Counter[str] = Counter()
        self._finished: Iterator[tuple[str, Any]] | None = None

    @property
    def done(self) -> int:
        """Finished cells."""
        return len(self.results)

    def step(self) -> Report | None:
        """The next cell that is finished."""
        while True:
            if self._finished is None:
                if not (names := self._unfinished()):
                    return None
                self._finished = self._do(names)
            try:
                with self.means.interruptible():
                    name, result = next(self._finished)
                    if isinstance(result, _Sent):
                        result = result.unpack(self.means.folder, name)
            except StopIteration:
                self._finished = None
                continue
            except WorkerLostError:
                self._again()
                continue
            result = self.results[name] = parse_json(json.dumps(result))  # as it will be read from a checkpoint
            figures = _figures(result)
            return Report(self.done, len(self.jobs), name, {"cell": name, **figures} if figures else None)

    def _unfinished(self) -> list[str]:
        """The cells that are left; the plan is asked for more if none is."""
        if all(name in self.results for name in self.jobs):
            self.jobs = self.plan.cells(self.means, self.results)
        return [name for name in self.jobs if name not in self.results]

    def _do(self, names: list[str]) -> Iterator[tuple[str, Any]]:
        named = len(self.jobs) > 1  # an error need not say which is the only cell
        results = self._executor.map(_call, ((name if named else "", self._job(name)) for name in names))
        yield from zip(names, results, strict=True)

    def _job(self, name: str) -> Job:
        job = self.jobs[name]
        if not isinstance(job, Plan):
            return job
        return _Within(job, None if self.means.folder is None else Path(os.path.abspath(self.means.folder)), name)

    def _again(self) -> None:
        """Give the unfinished cells to new workers; the first of them was among those that were lost."""
        first = next(name for name in self.jobs if name not in self.results)
        self._lost[first] += 1
        if self._lost[first] == MOST_TRIES:
            raise WorkerLostError(f"the worker of {first} was lost {MOST_TRIES} times: it crashed, or memory ran out")
        self._finished = None

    def arrays(self) -> Mapping[str, Array]:
        """The results as JSON, in bytes."""
        text = json.dumps(self.results) if self.results else ""
        return {"results": np.frombuffer(text.encode(), dtype=np.uint8)}

    def restore(self, done: int, arrays: Mapping[str, Array]) -> None:
        """Go on after the cells that are finished."""
        found = results_of(arrays)
        self.jobs = self.plan.cells(self.means, found)
        if unknown := [name for name in found if name not in self.jobs]:
            raise KibitzError(f"the checkpoint has a cell {unknown[0]!r}, which this plan does not have")
        self.results = found

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """What the plan gathers."""
        return self.plan.gather({name: self.results[name] for name in self.jobs}, self.means)


def results_of(arrays: Mapping[str, Array]) -> Any:
    """The results of the finished cells by name, from the arrays of a checkpoint."""
    return parse_json(arrays["results"].tobytes()) if arrays["results"].size else {}


@dataclass(frozen=True)
class _Within:
    """A cell that is a plan: it goes on from its checkpoint, and is not done again if it is finished there.

    A worker on a machine that does not have the folder works in one of its own, and sends what it has made.
    """

    plan: Plan
    folder: Path | None
    name: str

    def __call__(self) -> dict[str, Any] | _Sent:
        if self.folder is None or (self.folder / LOCK).exists():  # which the driver holds
            return self._made(self.folder)
        with tempfile.TemporaryDirectory() as own:
            made = self._made(Path(own))
            packed = shutil.make_archive(str(Path(own) / "packed"), "zip", own, self.name)
            return _Sent(made, Path(packed).read_bytes())

    def _made(self, folder: Path | None) -> dict[str, Any]:
        out = None if folder is None else folder / self.name
        resume = out is not None and Place(out, self.plan.leaves == "file").checkpoint.exists()
        if out is not None and not resume and kind_of(out):  # of a run that needed no checkpoint
            made: dict[str, Any] = read_manifest(out)["made"]
            if self.plan.is_of(made):
                return made
        *_, last = carry_out(self.plan, out, resume=resume, means=Means(executor=InProcess()))  # this is a worker
        assert last.artefact is not None
        return dict(last.artefact.made)


class _Sent(NamedTuple):
    """What a cell on another machine has made: its result, and its folder or file as an archive."""

    made: dict[str, Any]
    packed: bytes

    def unpack(self, folder: Path | None, name: str) -> dict[str, Any]:
        """Lay it where it would have been made."""
        assert folder is not None
        with tempfile.TemporaryDirectory(dir=folder) as beside, ZipFile(BytesIO(self.packed)) as found:
            found.extractall(beside)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (Path(beside) / name).rename(folder / name)
        return self.made


def _call(cell: tuple[str, Job]) -> Any:
    name, job = cell
    try:
        return job()
    except KibitzError as error:
        if not name:
            raise
        raise KibitzError(f"{name}: {error}", settings=error.settings) from error


def _figures(result: Any) -> dict[str, Any]:
    """The flat ones among what a cell has found, for its row of the curve."""
    found = result if isinstance(result, Mapping) else {"result": result}
    return {name: value for name, value in found.items() if value is None or isinstance(value, int | float | str)}
