"""A plan for tests: a random walk, of which every bit depends on all before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np

from kibitz.files.tables import write_table
from kibitz.plans import HERE, Artefact, Means, Plan, Report, as_json, in_metadata, setting


@dataclass(frozen=True)
class WalkPlan(Plan):
    """Walk at random."""

    kind: ClassVar[str] = "walk"

    start: str = setting(help="Where it starts", argument=True)
    steps: int = setting(100, "Number of steps", at_least=1, at_most=10**6, free=True)
    rate: float = setting(0.5, "Length of a step", unit="chips", above=0)
    shape: Literal["line", "ring"] = setting("line", "Where it walks")
    seed: int = setting(0, "Seed of the walk", at_least=0)
    weights: tuple[float, ...] = setting((), "Weight of each direction", at_least=0, option="weight")
    until: float | None = setting(None, "Height at which to stop", free=True)
    backwards: bool = setting(False, "Walk backwards")

    def begin(self, means: Means = HERE) -> Walk:
        return Walk(self)


class Walk:
    """Ten steps at a time; every fiftieth is a row of the curve."""

    def __init__(self, plan: WalkPlan) -> None:
        self.plan, self.done, self.position = plan, 0, np.zeros(3)

    def step(self) -> Report | None:
        if self.done >= self.plan.steps:
            return None
        for _ in range(min(10, self.plan.steps - self.done)):
            draws = np.random.default_rng([self.plan.seed, self.done]).normal(size=3)
            self.position = np.sin(self.position * 3 + draws) * self.plan.rate
            self.done += 1
        row = {"done": self.done, "height": float(self.position[0])} if self.done % 50 == 0 else None
        return Report(self.done, self.plan.steps, "walking", row)

    def arrays(self) -> Mapping[str, Any]:
        return {"position": self.position}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.done, self.position = done, arrays["position"].copy()

    def artefact(self, curve: Any) -> Artefact:
        return Artefact("walk", {"shape": self.plan.shape}, {"height": float(self.position[0])}, {"end": self.position})


@dataclass(frozen=True)
class TrailPlan(WalkPlan):
    """Walk at random, and keep the end in one file."""

    kind: ClassVar[str] = "walk trail"
    leaves = "file"

    table: bool = setting(False, "A file of Parquet instead of JSON")

    def begin(self, means: Means = HERE) -> Trail:
        return Trail(self)


class Trail(Walk):
    """The same walk."""

    def artefact(self, curve: Any) -> Artefact:
        end = self.position.tolist()
        write = partial(_write_table, end) if self.plan.table else as_json
        return Artefact("trail", {"end": end}, {"height": end[0]}, alone=write)


def _write_table(end: list[float], place: Path, manifest: Mapping[str, Any]) -> None:
    import polars as pl

    write_table(pl.DataFrame({"end": end}), place, in_metadata(manifest))
