"""Making a population as a plan: drawn at once, or calibrated to table 6-1, by a search over distributions.

Candidates differ in means and spreads alone: the normal numbers behind the bots and the deals of their matches stay the
same, so that the loss is a smooth function as far as that can be, and a run can be repeated and resumed to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.files import plain
from kibitz.learning.fields import seed_field
from kibitz.learning.population.bots import Population, population_artefact
from kibitz.learning.population.drawing import START, Distribution, draw_population, make_switchable
from kibitz.learning.population.matches import STATISTICS, Between, Play, between_bots, play_matches
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting

Floats = npt.NDArray[np.float64]
# Sweeney 2012, table 6-1: the average bot of Poker Academy, and standard deviations between bots.
MEANS = np.array([0.0, 8.38, 35.0, 28.4, 27.5, 45.7, 0.90])
DEVIATIONS = np.array([0.17, 1.25, 8.1, 6.4, 5.1, 3.8, 0.35])
WIDTH, NARROWEST, WIDEST = 0.05, 0.008, 0.2  # of steps, in parts of each parameter's range: the first, and bounds
NEAR = 0.3  # part of a printed deviation that ours may differ by
SAMPLE = 375  # matches of the thesis's sample: deviations of means are those of so many deals
STAYING = ("trials", "respect", "caution", "adapt")  # parameters that are not searched
CALIBRATED = "calibrated"
ROUNDS = 600  # where none are given
PLACES = [(family, name) for family, draws in START.items() for name in sorted(draws)]


def measure(population: Population, seed: int, samples: int = 1, threads: int = 1) -> Between:
    """Means and deviations between bots, each the mean over samples of `SAMPLE` matches with other deals."""
    plays = [Play(seed=seed + number) for number in range(samples)]
    found = [between_bots(population, play_matches(population, SAMPLE, play, threads)) for play in plays]
    return Between(*(np.mean(each, axis=0) for each in zip(*found, strict=True)))


def misses(found: Between) -> tuple[Floats, Floats]:
    """How far means are from the printed ones, in printed deviations, and deviations, in parts of `NEAR`: both within
    -1 .. 1 in the box. The deviation of means is one of the seven.
    """
    return (found.means - MEANS) / DEVIATIONS, (found.deviations / DEVIATIONS - 1) / NEAR


def is_inside(found: Between) -> bool:
    """Whether a population is inside the box of table 6-1."""
    return bool((np.abs(misses(found)) <= 1).all())


def loss_of(found: Between) -> float:
    """The sum of squared misses, and of their fourth powers, so that none stays large."""
    every = np.nan_to_num(np.concatenate(misses(found)), nan=100.0, posinf=100.0, neginf=-100.0)
    return float((every**2 + every**4).sum())


class Point(NamedTuple):
    """Where a search stands.

    moments        float64[n, 2], mean and spread of each of PLACES: the best distributions
    found          their statistics
    loss, width    their loss and the width of the next step
    """

    moments: Floats
    found: Between
    loss: float
    width: float


def as_distribution(moments: Floats) -> Distribution:
    """The distributions with these means and spreads."""
    made: Distribution = {family: {} for family in START}
    for (family, name), (mean, spread) in zip(PLACES, moments.tolist(), strict=True):
        made[family][name] = START[family][name]._replace(mean=mean, spread=spread)
    return made


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
        self.point: Point | None = None

    def step(self) -> Report | None:
        """The next round, before the first of all what the search begins with: the distributions `START`."""
        if self.plan.preset != CALIBRATED or (self.point is not None and self.done >= self.plan.goal):
            return None
        if self.point is None:
            self.point = self._judged(np.array([START[family][name][:2] for family, name in PLACES]), WIDTH)
        else:
            self.done += 1
            self.point = self._next(self.point)
        row = {"round": self.done, "loss": self.point.loss, "width": self.point.width}
        return Report(self.done, self.plan.goal, f"calibration, loss {self.point.loss:.2f}", row)

    def _judged(self, moments: Floats, width: float) -> Point:
        """A candidate with what its bots do."""
        population = draw_population(as_distribution(moments), self.plan.seed)
        found = measure(population, self.plan.seed, self.plan.samples or 1, self.plan.workers)
        return Point(moments, found, loss_of(found), width)

    def _next(self, point: Point) -> Point:
        """Where the search stands after another round.

        A round moves a third of all means and spreads at random; the step grows with a success and shrinks with a
        failure, so that one candidate in five is better (Rechenberg's rule).
        """
        rng = np.random.Generator(np.random.Philox(key=np.array([self.plan.seed, self.done], dtype=np.uint64)))
        moments = point.moments.copy()
        for row, (family, name) in zip(moments, PLACES, strict=True):
            _, _, low, high = START[family][name]
            steps, chosen = rng.standard_normal(2), rng.random(2) < 1 / 3
            if name not in STAYING:  # rounded so that a file has the same numbers
                moved = row + point.width * (high - low) * steps * chosen * (1, 0.5)
                row[:] = [round(each, 6) for each in np.clip(moved, (low, 0), (high, (high - low) / 4)).tolist()]
        candidate = self._judged(moments, min(point.width * 1.5, WIDEST))
        if candidate.loss < point.loss:
            return candidate
        return point._replace(width=max(point.width * 1.5**-0.25, NARROWEST))

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
        plan, point = self.plan, self.point
        if point is None:
            return population_artefact(make_switchable(plan.seed))
        distribution = as_distribution(point.moments)
        population = draw_population(distribution, plan.seed)
        made = {
            "seed": plan.seed,
            "rounds": self.done,
            "samples": plan.samples or 1,
            "inside": is_inside(point.found),
            "loss": round(point.loss, 4),
            "statistics": list(STATISTICS),
            "means": np.round(point.found.means, 4).tolist(),
            "deviations": np.round(point.found.deviations, 4).tolist(),
            "distribution": {
                family: {name: list(each) for name, each in draws.items()} for family, draws in distribution.items()
            },
        }
        return population_artefact(replace(population, made=plain(made) | {"bots": len(population)}))
