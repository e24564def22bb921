"""Making a population as a plan."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from kibitz.errors import KibitzError
from kibitz.learning.fields import seed_field
from kibitz.learning.population.bots import population_artefact
from kibitz.learning.population.calibration import Point, Search
from kibitz.learning.population.drawing import make_switchable
from kibitz.learning.population.styles import Between
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting

CALIBRATED = "calibrated"
ROUNDS = 600  # where none are given


@dataclass(frozen=True)
class PopulationPlan(Plan):
    """Draw a population with a seed and save it in --out.

    calibrated: parameters come from distributions; a random search moves these until the means of the style statistics
    and their standard deviations between bots are those of table 6-1. switchable: types that need different counters.
    """

    kind: ClassVar[str] = "opponents population make"
    leaves: ClassVar[Literal["folder", "file"]] = "file"

    preset: Literal["calibrated", "switchable"] = setting(CALIBRATED, "Kind of population")
    rounds: int | None = setting(None, "Candidates of the search", at_least=0, free=True, unsaid=f"{ROUNDS}")
    samples: int | None = setting(
        None, "Samples of 375 matches that each candidate plays", at_least=1, at_most=100, unsaid="1"
    )
    seed: int = seed_field("Seed for parameters, steps and matches")
    workers: int = setting(1, "Number of threads", at_least=1, free=True)

    @property
    def goal(self) -> int:
        """Rounds of the search."""
        return ROUNDS if self.rounds is None else self.rounds

    def begin(self, means: Means = HERE) -> PopulationRun:
        for name in ("rounds", "samples") if self.preset != CALIBRATED else ():
            if (value := getattr(self, name)) is not None:
                raise KibitzError(f"--{name} {value} with --preset {self.preset}: nothing is searched for")
        return PopulationRun(self)


class PopulationRun:
    """A search that goes on until so many rounds are done; a population that is not searched for is there at once."""

    def __init__(self, plan: PopulationPlan) -> None:
        self.plan, self.done = plan, 0
        self.search = Search(plan.seed, plan.samples or 1, plan.workers)
        self.point: Point | None = None

    def step(self) -> Report | None:
        """The next round, before the first of all what the search begins with."""
        if self.plan.preset != CALIBRATED or (self.point is not None and self.done >= self.plan.goal):
            return None
        if self.point is None:
            self.point = self.search.start()
        else:
            self.done += 1
            self.point = self.search.after(self.point, self.done)
        row = {"round": self.done, "loss": self.point.loss, "width": self.point.width}
        return Report(self.done, self.plan.goal, f"calibration, loss {self.point.loss:.2f}", row)

    def arrays(self) -> Mapping[str, Any]:
        """The point; empty arrays before there is one."""
        if self.point is None:
            return {name: np.zeros(0) for name in ("moments", "found", "step")}
        moments, found, loss, width = self.point
        return {"moments": moments, "found": np.array(found), "step": np.array([loss, width])}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.done = done
        if len(arrays["step"]):
            loss, width = arrays["step"].tolist()
            self.point = Point(np.array(arrays["moments"]), Between(*np.array(arrays["found"])), loss, width)

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        if self.point is None:
            return population_artefact(make_switchable(self.plan.seed))
        return population_artefact(self.search.population(self.point, self.done))
