"""Measurements of one system of chapter 6, in parts that are spread over processes, and what so many matches show.

The thesis tells of about 0.09 chips that adaptation gains (section 6.6.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, sqrt
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.runs import Rollouts
from kibitz.learning.exploiters import Contest, Guest
from kibitz.learning.exploiters.measuring import (
    EFFECT,
    WIDTH,
    Adaptation,
    Performance,
    Rate,
    compare,
    entropy_by_name,
    measure_modelled,
    measure_real,
)
from kibitz.learning.population import Play, Population
from kibitz.learning.rollouts import MatchSimulation, RolloutReport, RolloutSettings
from kibitz.statistics import Z_95

PARTS = 16  # of a measurement, each with a seed of its own
BLOCKS = 20  # of matches, one of which is left out at a time


def meet_model(guest: Guest, matches: int, effort: Effort) -> Performance:
    """What a guest wins against its model, in `matches` matches or a few more."""
    return _joined(list(effort.executor.map(partial(_modelled, guest, _share(matches)), range(PARTS))))


def adapt_to_model(guest: Guest, matches: int, effort: Effort) -> Adaptation:
    """The same with memory and without."""
    return _adaptation(effort.executor.map(partial(_adapted, guest, _share(matches)), range(PARTS)))


def adapt_to_bots(guest: Guest, population: Population, play: Play, matches: int, effort: Effort) -> Adaptation:
    """With memory and without against a population."""
    measure = partial(_adapted_to_bots, guest, population, play, _share(matches))
    return _adaptation(effort.executor.map(measure, range(PARTS)))


def _adaptation(parts: Iterable[Adaptation]) -> Adaptation:
    """Measurements of other matches as one."""
    adaptive, control = zip(*((each.adaptive, each.control) for each in parts), strict=True)
    return Adaptation(_joined(adaptive), _joined(control))


def curves_of(found: Adaptation) -> list[float]:
    """With memory, without, and the difference, float64[3, bins + 1, 2] in one row: by bin of deals, then over all."""
    curves = (
        [*found.adaptive.by_deal(), found.adaptive.mean],
        [*found.control.by_deal(), found.control.mean],
        [*found.by_deal(), found.gain],
    )
    return [number for curve in curves for rate in curve for number in rate]


def name_entropy(found: Performance) -> Rate:
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
    return plan.measured(path, effort, path.name)


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
    return _adaptation([found])


def _joined(parts: Sequence[Performance]) -> Performance:
    """Measurements of other matches as one."""
    return Performance(*map(np.concatenate, zip(*parts, strict=True)))


Z_80 = 0.8416  # normal deviate that is exceeded with a chance of 20 %
SEEN = Z_95 + Z_80  # standard errors of an effect that a two-sided test at 5 % finds with a chance of 80 %


class Power(NamedTuple):
    """Spreads of matches with memory and without, in small blinds.

    matches      that were played
    deviation    of a deal, which is that of a point of figure 6-7 over matches
    paired       of the difference that memory makes in a bin of deals, over matches; of the bin with the largest
    rise         last bin less the first, with memory, and its standard error
    """

    matches: float
    deviation: float
    paired: float
    rise: float
    rise_error: float

    @classmethod
    def of(cls, found: Adaptation) -> Power:
        """Of matches that were measured."""
        chips = found.adaptive.chips
        rise = Rate.of(chips[:, -WIDTH:].mean(axis=1) - chips[:, :WIDTH].mean(axis=1))
        paired = max(each.error for each in found.by_deal()) * np.sqrt(len(chips))
        return cls(float(len(chips)), found.adaptive.deviation, float(paired), *rise)

    @property
    def rise_spread(self) -> float:
        """Standard deviation of the rise over matches."""
        return self.rise_error * sqrt(self.matches)


def least_effect(spread: float, matches: float) -> float:
    """The least difference that so many matches show with a chance of 80 % (5 %, two-sided)."""
    return SEEN * spread / sqrt(matches)


def matches_needed(spread: float, effect: float = EFFECT) -> int:
    """Matches that show such an effect with a chance of 80 %."""
    return ceil((SEEN * spread / effect) ** 2)
