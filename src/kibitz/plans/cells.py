"""A plan of plans: named cells that an executor does in any order, and what is gathered from them.

Finished cells are kept in the checkpoint. A worker that is lost costs the cells it had in hand, which are done again;
results do not depend on who did what.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import parse_json
from kibitz.parallel import WorkerLostError
from kibitz.plans.artefacts import Artefact
from kibitz.plans.plan import HERE, Array, Means, Plan, Report, Row

Job = Callable[[], Any]  # picklable, such as a frozen dataclass with __call__; its result is what JSON can say
MOST_TRIES = 3  # of a cell whose worker is lost


@dataclass(frozen=True)
class CellsPlan(Plan):
    """A plan that consists of cells."""

    @abstractmethod
    def cells(self, means: Means) -> Mapping[str, Job]:
        """What is to be done, by name. A cell that leaves a folder does so in `means.folder`."""

    @abstractmethod
    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        """What is kept of all results; they come in the order of `cells`."""

    def begin(self, means: Means = HERE) -> Cells:
        return Cells(self, means)


class Cells:
    """The run of a plan of plans: every step is a cell that is finished.

    results   of the finished cells, by name
    """

    def __init__(self, plan: CellsPlan, means: Means) -> None:
        self.plan, self.means = plan, means
        self.jobs = dict(plan.cells(means))
        self.results: dict[str, Any] = {}
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
                self._finished = self._do([name for name in self.jobs if name not in self.results])
            try:
                name, result = next(self._finished)
            except StopIteration:
                return None
            except WorkerLostError:
                self._again()
                continue
            self.results[name] = parse_json(json.dumps(result))  # as it will be read from a checkpoint
            row = {"cell": name, **result} if isinstance(result, Mapping) else {"cell": name, "result": result}
            return Report(self.done, len(self.jobs), name, row)

    def _do(self, names: list[str]) -> Iterator[tuple[str, Any]]:
        results = self.means.executor.map(_call, (self.jobs[name] for name in names))
        yield from zip(names, results, strict=True)

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
        found = parse_json(arrays["results"].tobytes()) if arrays["results"].size else {}
        if unknown := [name for name in found if name not in self.jobs]:
            raise KibitzError(f"the checkpoint has a cell {unknown[0]!r}, which this plan does not have")
        self.results = found

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """What the plan gathers."""
        return self.plan.gather({name: self.results[name] for name in self.jobs}, self.means)


def _call(job: Job) -> Any:
    return job()
