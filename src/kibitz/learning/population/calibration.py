"""Calibration of a population to table 6-1: a search over the distributions from which parameters are drawn.

Candidates differ in means and spreads alone: the normal numbers behind the bots and the deals of their matches stay the
same, so that the loss is a smooth function as far as that can be, and a run can be repeated and resumed to the bit.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.files import plain
from kibitz.learning.population.bots import Population
from kibitz.learning.population.drawing import START, Distribution, draw_population
from kibitz.learning.population.matches import Play, play_matches
from kibitz.learning.population.styles import STATISTICS, Between, between_bots

Floats = npt.NDArray[np.float64]
# Sweeney 2012, table 6-1: the average bot of Poker Academy, and standard deviations between bots.
MEANS = np.array([0.0, 8.38, 35.0, 28.4, 27.5, 45.7, 0.90])
DEVIATIONS = np.array([0.17, 1.25, 8.1, 6.4, 5.1, 3.8, 0.35])
WIDTH, NARROWEST, WIDEST = 0.05, 0.008, 0.2  # of steps, in parts of each parameter's range: the first, and bounds
NEAR = 0.3  # part of a printed deviation that ours may differ by
SAMPLE = 375  # matches of the thesis's sample: deviations of means are those of so many deals
STAYING = ("trials", "respect", "caution", "adapt")  # parameters that are not searched
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

    @property
    def distribution(self) -> Distribution:
        """The distributions."""
        made: Distribution = {family: {} for family in START}
        for (family, name), (mean, spread) in zip(PLACES, self.moments.tolist(), strict=True):
            made[family][name] = START[family][name]._replace(mean=mean, spread=spread)
        return made


class Search(NamedTuple):
    """A search: the seed of bots, steps and matches, and how many samples of `SAMPLE` matches each candidate plays."""

    seed: int
    samples: int = 1
    threads: int = 1

    def judged(self, moments: Floats, width: float) -> Point:
        """A candidate with what its bots do."""
        point = Point(moments, Between(MEANS, DEVIATIONS), 0.0, width)
        found = measure(draw_population(point.distribution, self.seed), *self)
        return point._replace(found=found, loss=loss_of(found))

    def start(self) -> Point:
        """Where it begins: the distributions `START`."""
        return self.judged(np.array([START[family][name][:2] for family, name in PLACES]), WIDTH)

    def after(self, point: Point, done: int) -> Point:
        """Where it stands after round `done`, from 1.

        A round moves a third of all means and spreads at random; the step grows with a success and shrinks with a
        failure, so that one candidate in five is better (Rechenberg's rule).
        """
        rng = np.random.Generator(np.random.Philox(key=np.array([self.seed, done], dtype=np.uint64)))
        moments = point.moments.copy()
        for row, (family, name) in zip(moments, PLACES, strict=True):
            _, _, low, high = START[family][name]
            steps, chosen = rng.standard_normal(2), rng.random(2) < 1 / 3
            if name not in STAYING:  # rounded so that a file has the same numbers
                moved = row + point.width * (high - low) * steps * chosen * (1, 0.5)
                row[:] = [round(each, 6) for each in np.clip(moved, (low, 0), (high, (high - low) / 4)).tolist()]
        candidate = self.judged(moments, min(point.width * 1.5, WIDEST))
        if candidate.loss < point.loss:
            return candidate
        return point._replace(width=max(point.width * 1.5**-0.25, NARROWEST))

    def population(self, point: Point, done: int) -> Population:
        """The population of a point, with what was measured of it."""
        made = {
            "seed": self.seed,
            "rounds": done,
            "samples": self.samples,
            "inside": is_inside(point.found),
            "loss": round(point.loss, 4),
            "statistics": list(STATISTICS),
            "means": np.round(point.found.means, 4).tolist(),
            "deviations": np.round(point.found.deviations, 4).tolist(),
            "distribution": {
                family: {name: list(each) for name, each in draws.items()}
                for family, draws in point.distribution.items()
            },
        }
        population = draw_population(point.distribution, self.seed)
        return replace(population, made=plain(made) | {"bots": len(population)})
