"""A plan is a value: what is wanted, in whole. A run is the work; see `carry_out`, the driver of both."""

from __future__ import annotations

import json
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.parallel import Executor
from kibitz.plans.artefacts import Artefact
from kibitz.plans.kinds import INPUTS, named
from kibitz.plans.settings import settings_of
from kibitz.progress import Progress as Tell
from kibitz.progress import silent

Array = npt.NDArray[Any]
Row = Mapping[str, Any]  # of a curve: plain numbers and texts by name


class Report(NamedTuple):
    """How far a run is.

    done, goal   in the run's own unit: iterations, deals, cells; goal is None if it cannot be told
    stage        what is being done, in words
    row          of the curve, if something was measured
    artefact     what the run has made: of the last report only
    """

    done: float
    goal: float | None = None
    stage: str = ""
    row: Row | None = None
    artefact: Artefact | None = None


def _unheard(_line: str) -> None:
    """What is said where nobody listens."""


@dataclass(frozen=True)
class Means:
    """With what a plan is carried out; results do not depend on it.

    tell           hears of what takes long before the first step and after the last
    say            hears, a line at a time, what is about to be done and how much memory it takes
    executor       does the cells of a plan of plans; None for the one that suits them
    folder         what the run leaves: the cells' own folders are kept in there; None if nothing is kept
    interruptible  a block in the midst of a step, where the run is whole and waits: Ctrl-C ends it at once
    """

    tell: Tell = silent
    say: Callable[[str], None] = _unheard
    executor: Executor | None = None
    folder: Path | None = None
    interruptible: Callable[[], AbstractContextManager[None]] = nullcontext


HERE = Means()


class Run(Protocol):
    """The work of a plan, in steps.

    All that the future of a run depends on is in `done` and `arrays()`: a run that has `restore`d them goes on to the
    same bits, however its steps were cut. An array that is empty at first may grow.
    """

    @property
    def done(self) -> int:
        """How much is done: iterations, deals, cells."""

    def step(self) -> Report | None:
        """About a second of work; None when there is no more to do."""

    def arrays(self) -> Mapping[str, Array]:
        """All that the run is."""

    def restore(self, done: int, arrays: Mapping[str, Array]) -> None:
        """Go on from there."""

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """What is kept in the end, given all rows that were reported; `made` holds what was measured.

        It may take long, and is done again if it is interrupted.
        """


def rows_of(run: Run) -> Iterator[Row]:
    """Do all of a run, in memory alone; yields the rows of its curve."""
    while (report := run.step()) is not None:
        if report.row is not None:
            yield report.row


@dataclass(frozen=True)
class Plan(ABC):
    """What is wanted, in whole: a frozen dataclass of `setting`s. Its docstring is the help of its command."""

    kind: ClassVar[str]
    """Name of its command, and of the plan in `made`."""

    checkpoint_seconds: ClassVar[float] = 10.0
    """Between two checkpoints, at least."""

    is_watched: ClassVar[bool] = False
    """Whether others read along in its checkpoints: then there is one from the start."""

    leaves: ClassVar[Literal["folder", "file"]] = "folder"
    """What is kept of it: its checkpoint lies in the folder, or beside the file."""

    resumes: ClassVar[bool] = True
    """Whether a run can be continued; one that cannot has no checkpoint."""

    anytime: ClassVar[bool] = False
    """Whether what an interrupted run has so far is worth having: then it leaves that."""

    def __post_init__(self) -> None:
        for each in settings_of(type(self)):
            object.__setattr__(self, each.name, each.check(getattr(self, each.name)))

    def __getstate__(self) -> dict[str, Any]:
        """Its settings alone: what was worked out from them stays in this process."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def describe(self) -> dict[str, Any]:
        """All settings, as JSON can say them."""
        return {each.name: _plain(getattr(self, each.name)) for each in settings_of(type(self))}

    def inputs(self) -> dict[str, Any]:
        """The content of what it is made from, by setting: fingerprints, which stay the same where folders move."""
        told = ((each, getattr(self, each.name)) for each in settings_of(type(self)) if each.input)
        return {each.name: _content(each.input, value) for each, value in told if value not in (None, "", ())}

    def identity(self) -> dict[str, Any]:
        """What makes two runs the same: a checkpoint is continued only by a plan with the same identity."""
        return {"plan": self.kind} | self._bound(self.describe() | self.inputs())

    def is_of(self, made: Mapping[str, Any]) -> bool:
        """Whether this is the plan that a manifest tells of; what is free may differ."""
        told = {**made.get("plan", {}), **made.get("inputs", {})}
        ours = json.loads(json.dumps(self.describe() | self.inputs()))
        return bool(told.get("kind") == self.kind and self._bound(told | ours) == self._bound(told))

    def _bound(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """What is said of the settings that are not free."""
        free = {each.name for each in settings_of(type(self)) if each.free}
        return {name: value for name, value in said.items() if name not in free}

    def command(self) -> str:
        """What to type for it: the name of its command and all settings that are not so by default."""
        words = [*self.kind.split(), *(["--out", "FILE"] if self.leaves == "file" else [])]
        for each in sorted(settings_of(type(self)), key=lambda each: not each.argument):
            value = getattr(self, each.name)
            if each.is_required or value != each.default:
                words += each.words(value)
        return shlex.join(["kibitz", *words])

    @abstractmethod
    def begin(self, means: Means = HERE) -> Run:
        """Load, check, allocate; nothing is written."""


def _content(kind: str, value: Any) -> Any:
    """What an input is by its content; a list of them for a list."""
    if isinstance(value, tuple):
        return [_content(kind, each) for each in value]
    return named(INPUTS[kind])(value)


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Path):
        return str(value)
    return value.item() if isinstance(value, np.generic) else value
