"""Chapter 6: the population in place of Poker Academy's beside table 6-1.

Poker Academy is not to be had. Our 43 bots were calibrated to table 6-1, so that agreement with it is no finding; what
holds of bots in later tables is said of this population.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.experiments.claims import of_samples
from kibitz.experiments.published import SUBSTITUTE, Cells, Effort, Experiment, Found
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.learning.population import Play, between_bots, load_population, play_matches
from kibitz.learning.population.calibration import misses
from kibitz.learning.population.styles import STATISTICS, Between

BY = ("match", "seat")
DEALS = 120  # of a match


class Size(NamedTuple):
    """Samples that are played, and matches of each; the thesis has one sample of 375."""

    samples: int
    matches: int


SIZES = {"smoke": Size(2, 30), "short": Size(8, 375), "full": Size(40, 375)}


def table_6_1(effort: Effort) -> Experiment:
    """Means and standard deviations between bots, kinds drawn once a match or for every seat."""
    size = SIZES[effort.preset]

    def find() -> Cells:
        for kind_by in BY:
            samples = _samples(effort, size, kind_by)
            whole = Between(*(np.mean(each, axis=0) for each in zip(*samples, strict=True)))
            for part, name, missed in zip((0, 1), ("average bot", "s.d. between bots"), misses(whole), strict=True):
                for place, column in enumerate(STATISTICS):
                    found = of_samples([each[part][place] for each in samples])
                    where = "inside" if abs(missed[place]) <= 1 else "outside"
                    reason = f"our own bots, calibrated to this table with kinds drawn by match: {where} its box"
                    yield f"{name}, kind by {kind_by}", column, Found(*found, SUBSTITUTE, reason)

    notes = (
        f"The shipped population `calibrated`: {size.samples} samples of {size.matches} matches of {DEALS} deals, "
        f"seed {effort.seed}; every bot counts once. Ranges are 95 % intervals of the mean over samples.",
        "Box: means within one printed standard deviation between bots, deviations within 30 % of the printed ones.",
        "Deviations between bots contain the sampling error of so many deals, as those of the thesis do.",
    )
    return Experiment(TABLES["table-6.1"], find, notes)


def _samples(effort: Effort, size: Size, kind_by: str) -> list[Between]:
    population, found = load_population("calibrated"), []
    for number in range(size.samples):
        effort.tell(f"bots, kind by {kind_by}", number, size.samples)
        play = Play(seed=1000 * effort.seed + number, kind_by=kind_by)
        found.append(between_bots(population, play_matches(population, size.matches, play, effort.threads)))
    return found
