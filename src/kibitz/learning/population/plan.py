"""Making a population as a plan."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import parse_json
from kibitz.learning.fields import seed_field
from kibitz.learning.population.bots import population_artefact
from kibitz.learning.population.calibration import (
    Point,
    Search,
    calibrated,
    next_round,
    point_from_json,
    point_to_json,
    start,
)
from kibitz.learning.population.drawing import make_switchable
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting

CALIBRATED = "calibrated"
ROUNDS = Search.rounds  # where none are given


@dataclass(frozen=True)
class PopulationPlan(Plan):
    """Draw a population with a seed and save it in --out.

    calibrated: parameters come from distributions; a random search moves these until the means of the style statistics
    and their standard deviations between bots are those of table 6-1. switchable: types that need different counters.
    """

    kind: ClassVar[str] = "population make"
    leaves: ClassVar[Literal["folder", "file"]] = "file"

    preset: Literal["calibrated", "switchable"] = setting(CALIBRATED, "Kind of population")
    rounds: int | None = setting(None, "Candidates of the search", at_least=0, free=True, unsaid=f"{ROUNDS}")
    samples: int | None = setting(
        None, "Samples of 375 matches that each candidate plays", at_least=1, at_most=100, unsaid="1"
    )
    seed: int = seed_field("Seed for parameters, steps and matches")
    workers: int = setting(1, "Number of threads", at_least=1, free=True)

    @property
    def search(self) -> Search:
        """How the search is done."""
        return Search(self.seed, ROUNDS if self.rounds is None else self.rounds, self.samples or Search.samples)

    def begin(self, means: Means = HERE) -> CalibrationRun | Drawn:
        if self.preset == CALIBRATED:
            return CalibrationRun(self.search, self.workers)
        for name in ("rounds", "samples"):
            if (value := getattr(self, name)) is not None:
                raise KibitzError(f"--{name} {value} with --preset {self.preset}: nothing is searched for")
        return Drawn(self.seed)


class CalibrationRun:
    """A search that goes on until so many rounds are done."""

    def __init__(self, search: Search, threads: int = 1) -> None:
        self.search, self.threads = search, threads
        self.point: Point | None = None

    @property
    def done(self) -> int:
        """Rounds."""
        return self.point.done if self.point is not None else 0

    def step(self) -> Report | None:
        """The next round, before the first of all what the search begins with."""
        if self.point is None:
            self.point = start(self.search, self.threads)
        elif self.done >= self.search.rounds:
            return None
        else:
            self.point = next_round(self.search, self.point, self.threads)
        row = {"round": self.done, "loss": self.point.loss, "width": self.point.width}
        return Report(self.done, self.search.rounds, f"calibration, loss {self.point.loss:.2f}", row)

    def arrays(self) -> Mapping[str, Any]:
        """The point as JSON, in bytes."""
        text = json.dumps(point_to_json(self.point)) if self.point is not None else ""
        return {"point": np.frombuffer(text.encode(), dtype=np.uint8)}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        if arrays["point"].size:
            self.point = point_from_json(parse_json(arrays["point"].tobytes()))

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        assert self.point is not None
        return population_artefact(calibrated(self.search, self.point))


class Drawn:
    """A population that is there as soon as it is drawn."""

    done = 0

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def step(self) -> Report | None:
        return None

    def arrays(self) -> Mapping[str, Any]:
        return {}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        pass

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        return population_artefact(make_switchable(self.seed))
