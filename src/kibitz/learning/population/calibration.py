"""Calibration of a population to table 6-1: a search over the distributions from which parameters are drawn.

Candidates differ in means and spreads alone: the normal numbers behind the bots and the deals of their matches stay the
same, so that the loss is a smooth function as far as that can be, and a run can be repeated and resumed to the bit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.files import read_json, write_text
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


def calibrate(search: Search, checkpoint: Path | None = None, threads: int = 1) -> Iterator[Point]:
    """Search from `START` on, one point a round; with a checkpoint, a later call goes on where this one ended.

    A round moves a third of all means and spreads at random; the step grows with a success and shrinks with a failure,
    so that one candidate in five is better (Rechenberg's rule).
    """
    point = _resume(search, checkpoint)
    if point is None:
        found = measure(draw_population(START, search.seed), search, threads)
        point = Point(0, START, loss_of(found), found, search.width)
    yield point
    while point.done < search.rounds:
        rng = np.random.Generator(np.random.Philox(key=np.array([search.seed, point.done + 1], dtype=np.uint64)))
        candidate = _moved(point.distribution, point.width, rng)
        found = measure(draw_population(candidate, search.seed), search, threads)
        loss = loss_of(found)
        if loss < point.loss:
            point = Point(point.done + 1, candidate, loss, found, min(point.width * 1.5, WIDEST))
        else:
            point = point._replace(done=point.done + 1, width=max(point.width * 1.5**-0.25, NARROWEST))
        if checkpoint is not None:
            write_text(checkpoint, json.dumps(_describe(search, point)))
        yield point


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


def calibrated(search: Search, point: Point, title: str) -> Population:
    """The population of a point, with all that it takes to make it again."""
    population = draw_population(point.distribution, search.seed, title)
    settings = f"--seed {search.seed} --rounds {point.done} --samples {search.samples}"
    origin = {
        "command": f"kibitz population make {settings}",
        "seed": search.seed,
        "rounds": point.done,
        "samples": search.samples,
        "loss": round(point.loss, 4),
        "statistics": list(STATISTICS),
        "means": np.round(point.found.means, 4).tolist(),
        "deviations": np.round(point.found.deviations, 4).tolist(),
        "distribution": _plain(point.distribution),
    }
    return replace(population, origin=origin)


def _plain(distribution: Distribution) -> dict[str, dict[str, list[float]]]:
    return {family: {name: list(each) for name, each in draws.items()} for family, draws in distribution.items()}


def _describe(search: Search, point: Point) -> dict[str, Any]:
    return {
        "seed": search.seed,
        "samples": search.samples,
        "width": search.width,
        "done": point.done,
        "distribution": _plain(point.distribution),
        "loss": point.loss,
        "means": point.found.means.tolist(),
        "deviations": point.found.deviations.tolist(),
        "step": point.width,
    }


def _resume(search: Search, checkpoint: Path | None) -> Point | None:
    if checkpoint is None or not checkpoint.exists():
        return None
    try:
        found = read_json(checkpoint)
        same = all(found[name] == getattr(search, name) for name in ("seed", "samples", "width"))
        distribution = {
            family: {name: Draw(*each) for name, each in draws.items()}
            for family, draws in found["distribution"].items()
        }
        between = Between(np.array(found["means"]), np.array(found["deviations"]))
        point = Point(found["done"], distribution, found["loss"], between, found["step"])
    except (ValueError, KeyError, TypeError) as error:
        raise KibitzError(f"{checkpoint}: not a checkpoint of a calibration: {error!r}") from None
    if not same:
        raise KibitzError(f"{checkpoint}: a calibration with another seed, number of samples or width")
    return point
