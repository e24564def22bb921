"""Learners as runs: so many deals in batches, a row of the curve every so many, and what is kept in the end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar, Protocol

import numpy as np

from kibitz.files import plain
from kibitz.learning.model import ModelError
from kibitz.learning.settings import Learning
from kibitz.learning.training import MOST_DEALS
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row

Arrays = Mapping[str, Any]
PIECE_SECONDS = 0.5  # of a step, about: Ctrl-C waits for its end
SUMS = "sums_"  # in front of the names of a learner's sums


class Reported(Protocol):
    """What a learner has seen since its last report."""

    def describe(self) -> dict[str, Any]: ...


class Learner(Protocol):
    """What learns from simulated deals: self-play, a best response or an exploiter.

    sums   since the last report, by name
    """

    deals: int
    seconds: float
    learning: Learning
    sums: dict[str, Any]

    def describe(self) -> dict[str, Any]: ...

    def advance(self, batches: int) -> None: ...

    def report(self) -> Reported: ...

    def arrays(self) -> Arrays: ...

    def restore(self, deals: int, seconds: float, arrays: dict[str, Any]) -> None: ...


class LearningRun:
    """A learner that goes on until `hands` deals are done; weights do not depend on how its steps are cut.

    every   deals between rows of the curve
    keep    what is kept of it in the end
    """

    def __init__(self, learner: Learner, hands: int, every: int, keep: Callable[[], Artefact], stage: str = "") -> None:
        if not 1 <= hands <= MOST_DEALS:
            raise ModelError(f"{hands} hands: a number from 1 to 2^53 is needed", settings=("hands",))
        self.learner, self.hands, self.every = learner, hands, every
        self._keep, self._stage = keep, stage
        self._rate = 0.0  # batches a second of the last piece

    @property
    def done(self) -> int:
        """Deals."""
        return self.learner.deals

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to learn from."""
        return self.done >= self.hands

    def step(self) -> Report | None:
        """About half a second of batches, up to the next row of the curve."""
        if self.is_over:
            return None
        size = self.learner.learning.batch
        goal = min(self.done - self.done % self.every + self.every, self.hands)
        count = min(-(-(goal - self.done) // size), max(1, int(PIECE_SECONDS * self._rate)))
        begun = perf_counter()
        self.learner.advance(count)
        self._rate = count / max(perf_counter() - begun, 1e-6)
        row = plain(self.learner.report().describe()) if self.done >= goal else None
        return Report(self.done, self.hands, self._stage, row)

    def arrays(self) -> Arrays:
        sums = {f"{SUMS}{name}": each for name, each in self.learner.sums.items()}
        return {**self.learner.arrays(), **sums, "seconds": np.array([self.learner.seconds])}

    def restore(self, done: int, arrays: Arrays) -> None:
        self.learner.restore(done, float(arrays["seconds"][0]), dict(arrays))
        for name in self.learner.sums:
            self.learner.sums[name] = arrays[f"{SUMS}{name}"].copy()

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        return self._keep()


@dataclass(frozen=True)
class InPython(Plan):
    """A run of what was made in Python, and no command could make: `carry_out(InPython(learner, run), folder)`.

    learner   says what the run is: two that say the same come to the same
    """

    kind: ClassVar[str] = "in Python"

    learner: Any
    run: Any

    def describe(self) -> dict[str, Any]:
        found: dict[str, Any] = plain(self.learner.describe())
        return found

    def begin(self, means: Means = HERE) -> Any:
        return self.run
