"""Measurements of one system of chapter 6, in parts that are spread over processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import sqrt
from pathlib import Path

import numpy as np

from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.making import executor
from kibitz.experiments.sweeney2012.runs import Rollouts, Work
from kibitz.learning.exploiters import Contest, Guest
from kibitz.learning.exploiters.adaptation import Adaptation, compare, entropy_by_name
from kibitz.learning.exploiters.measuring import Hosted, Performance, Rate, measure_modelled, measure_real
from kibitz.learning.exploiters.rollouts import MatchSimulation
from kibitz.learning.population import Play, Population
from kibitz.learning.rollouts import RolloutReport, RolloutSettings

PARTS = 16  # of a measurement, each with a seed of its own
BLOCKS = 20  # of matches, one of which is left out at a time


def meet_model(guest: Guest, matches: int, workers: int) -> Performance:
    """What a guest wins against its model, in `matches` matches or a few more."""
    return _joined(list(executor(workers).map(partial(_modelled, guest, _share(matches)), range(PARTS))))


def adapt_to_model(guest: Guest, matches: int, workers: int) -> Adaptation:
    """The same with memory and without."""
    parts = list(executor(workers).map(partial(_adapted, guest, _share(matches)), range(PARTS)))
    return Adaptation(_joined([each.adaptive for each in parts]), _joined([each.control for each in parts]))


def adapt_to_bots(guest: Guest, population: Population, play: Play, matches: int, workers: int) -> Adaptation:
    """With memory and without against a population."""
    measure = partial(_adapted_to_bots, guest, population, play, _share(matches))
    parts = list(executor(workers).map(measure, range(PARTS)))
    return Adaptation(_joined([each.adaptive for each in parts]), _joined([each.control for each in parts]))


def curves_of(found: Adaptation) -> list[float]:
    """With memory, without, and the difference, float64[3, bins + 1, 2] in one row: by bin of deals, then over all."""
    curves = (
        [*found.adaptive.by_deal(), found.adaptive.mean],
        [*found.control.by_deal(), found.control.mean],
        [*found.by_deal(), found.gain],
    )
    return [number for curve in curves for rate in curve for number in rate]


def name_entropy(found: Hosted) -> Rate:
    """Bits of uncertainty about the type of a bot whose name is known, with a jackknife standard error over matches."""
    count = min(BLOCKS, len(found.chips))
    block = np.arange(len(found.chips)) % count
    others = [entropy_by_name(found.believed[block != b], found.seating[block != b]) for b in range(count)]
    error = sqrt((count - 1) * float(np.var(others)))
    return Rate(entropy_by_name(found.believed, found.seating), error)


def roll_out(guest: Guest, settings: RolloutSettings, effort: Effort, path: Path) -> RolloutReport:
    """The rollout errors of a guest among players of its model; single decisions are kept in `path`, and resumed."""
    simulation = MatchSimulation(guest, Contest(players=int(settings.seats)), settings.seed, effort.threads)
    plan = Rollouts(simulation, settings, simulation.describe(settings))
    return plan.measured(path, Work.of(effort), path.name)


def played(matches: int) -> int:
    """How many matches are played where so many are asked for: as many in every part."""
    return PARTS * _share(matches)


def _share(matches: int) -> int:
    return -(-matches // PARTS)


def _modelled(guest: Guest, matches: int, part: int) -> Performance:
    return measure_modelled(guest, Contest(), matches, part)


def _adapted(guest: Guest, matches: int, part: int) -> Adaptation:
    return compare(guest, lambda each: measure_modelled(each, Contest(), matches, part))


def _adapted_to_bots(guest: Guest, population: Population, play: Play, matches: int, part: int) -> Adaptation:
    own = replace(play, seed=1000 * (play.seed + 1) + part)
    found = compare(guest, lambda each: measure_real(each, population, matches, own))
    # What is believed in each deal would be most of what a process sends.
    return Adaptation(_joined([found.adaptive]), _joined([found.control]))


def _joined(parts: Sequence[Performance]) -> Performance:
    """Measurements of other matches as one."""
    return Performance(np.concatenate([each.chips for each in parts]), np.concatenate([each.styles for each in parts]))
