"""Calibration of a population to table 6-1: a search over the distributions from which parameters are drawn.

Candidates differ in means and spreads alone: the normal numbers behind the bots and the deals of their matches stay the
same, so that the loss is a smooth function as far as that can be, and a run can be repeated and resumed to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.files import plain
from kibitz.learning.population.bots import Population
from kibitz.learning.population.drawing import START, Distribution, Draw, draw_population
from kibitz.learning.population.matches import Play, play_matches
from kibitz.learning.population.styles import STATISTICS, Between, between_bots

Floats = npt.NDArray[np.float64]
# Sweeney 2012, table 6-1: the average bot of Poker Academy, and standard deviations between bots.
MEANS = np.array([0.0, 8.38, 35.0, 28.4, 27.5, 45.7, 0.90])
DEVIATIONS = np.array([0.17, 1.25, 8.1, 6.4, 5.1, 3.8, 0.35])
NARROWEST, WIDEST = 0.008, 0.2  # steps
NEAR = 0.3  # part of a printed deviation that ours may differ by
SAMPLE = 375  # matches of the thesis's sample: deviations of means are those of so many deals
STAYING = ("trials", "respect", "caution", "adapt")  # parameters that are not searched


@dataclass(frozen=True)
class Search:
    """How a search is done.

    seed      of bots, steps and matches
    rounds    candidates; samples, of `SAMPLE` matches each that a candidate plays
    width     first step, in parts of each parameter's range
    """

    seed: int = 2012
    rounds: int = 600
    samples: int = 1
    width: float = 0.05

    def __post_init__(self) -> None:
        if self.rounds < 0 or self.samples < 1 or self.seed < 0:
            raise KibitzError(
                f"{self.rounds} rounds, {self.samples} samples, seed {self.seed}: positive numbers are needed",
                settings=("rounds", "samples", "seed"),
            )


class Point(NamedTuple):
    """Where a search stands: rounds done, the best distributions, their loss and statistics, and the step's width."""

    done: int
    distribution: Distribution
    loss: float
    found: Between
    width: float


def measure(population: Population, search: Search, threads: int = 1, first: int = 0) -> Between:
    """Means and deviations between bots, each the mean over samples of `SAMPLE` matches with other deals."""
    found = [
        between_bots(population, play_matches(population, SAMPLE, Play(seed=search.seed + first + number), threads))
        for number in range(search.samples)
    ]
    return Between(*(np.mean(each, axis=0) for each in zip(*found, strict=True)))


def misses(found: Between) -> tuple[Floats, Floats]:
    """How far means are from the printed ones, in printed deviations, and deviations, in parts of `NEAR`: both within
    -1 .. 1 in the box. The deviation of means is one of the seven.
    """
    return (found.means - MEANS) / DEVIATIONS, (found.deviations / DEVIATIONS - 1) / NEAR


def is_inside(found: Between) -> bool:
    """Whether a population is inside the box of table 6-1."""
    means, deviations = misses(found)
    return bool((np.abs(means) <= 1).all() and (np.abs(deviations) <= 1).all())


def loss_of(found: Between) -> float:
    """The sum of squared misses, and of their fourth powers, so that none stays large."""
    every = np.concatenate(misses(found))
    every = np.nan_to_num(every, nan=100.0, posinf=100.0, neginf=-100.0)
    return float((every**2 + every**4).sum())


def start(search: Search, threads: int = 1) -> Point:
    """Where a search begins: the distributions `START`."""
    found = measure(draw_population(START, search.seed), search, threads)
    return Point(0, START, loss_of(found), found, search.width)


def next_round(search: Search, point: Point, threads: int = 1) -> Point:
    """Where it stands after another round.

    A round moves a third of all means and spreads at random; the step grows with a success and shrinks with a failure,
    so that one candidate in five is better (Rechenberg's rule).
    """
    rng = np.random.Generator(np.random.Philox(key=np.array([search.seed, point.done + 1], dtype=np.uint64)))
    candidate = _moved(point.distribution, point.width, rng)
    found = measure(draw_population(candidate, search.seed), search, threads)
    loss = loss_of(found)
    if loss < point.loss:
        return Point(point.done + 1, candidate, loss, found, min(point.width * 1.5, WIDEST))
    return point._replace(done=point.done + 1, width=max(point.width * 1.5**-0.25, NARROWEST))


def _moved(distribution: Distribution, width: float, rng: np.random.Generator) -> Distribution:
    """A candidate near a distribution."""
    moved: Distribution = {}
    for family, draws in distribution.items():
        moved[family] = {}
        for name, each in sorted(draws.items()):
            steps, chosen = rng.standard_normal(2), rng.random(2) < 1 / 3
            span = width * (each.high - each.low)
            mean = np.clip(each.mean + span * steps[0] * chosen[0], each.low, each.high)
            spread = np.clip(each.spread + span * steps[1] * chosen[1] / 2, 0, (each.high - each.low) / 4)
            moved[family][name] = each if name in STAYING else replace_draw(each, float(mean), float(spread))
    return moved


def replace_draw(draw: Draw, mean: float, spread: float) -> Draw:
    """The draw with another mean and spread, rounded so that a file has the same numbers."""
    return draw._replace(mean=round(mean, 6), spread=round(spread, 6))


def calibrated(search: Search, point: Point) -> Population:
    """The population of a point, with what was measured of it."""
    made = {
        "seed": search.seed,
        "rounds": point.done,
        "samples": search.samples,
        "inside": is_inside(point.found),
        "loss": round(point.loss, 4),
        "statistics": list(STATISTICS),
        "means": np.round(point.found.means, 4).tolist(),
        "deviations": np.round(point.found.deviations, 4).tolist(),
        "distribution": _plain(point.distribution),
    }
    population = draw_population(point.distribution, search.seed)
    return replace(population, made=plain(made) | {"bots": len(population)})


def point_to_json(point: Point) -> dict[str, Any]:
    """All that a point is."""
    found = [each.tolist() for each in point.found]
    return {**point._asdict(), "distribution": _plain(point.distribution), "found": found}


def point_from_json(told: dict[str, Any]) -> Point:
    """The same point again."""
    distribution = {
        family: {name: Draw(*each) for name, each in draws.items()} for family, draws in told["distribution"].items()
    }
    between = Between(*(np.array(each) for each in told["found"]))
    return Point(told["done"], distribution, told["loss"], between, told["width"])


def _plain(distribution: Distribution) -> dict[str, dict[str, list[float]]]:
    return {family: {name: list(each) for name, each in draws.items()} for family, draws in distribution.items()}
