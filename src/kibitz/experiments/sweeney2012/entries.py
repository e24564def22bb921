"""Sections 5.3 and 5.4: entries in competitions as printed, and a structure that looks ahead beside the plain one.

The entries of others are not to be had, so their results are quoted. What looking ahead changes is measured at tables
of three, over several training runs: one run of each says little.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import nan
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kibitz.agents.learned import LearnedAgent
from kibitz.arena.chance import ACPC
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings
from kibitz.experiments.claims import of_samples
from kibitz.experiments.ledger import open_ledger
from kibitz.experiments.published import OURS, QUOTE, SUBSTITUTE, Cells, Effort, Experiment, Found, experiment
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.games import load_game
from kibitz.learning import Learning, Model, SelfPlay, Structure, load_model, save_model
from kibitz.learning.rollouts import RolloutSettings, Simulation, measure_errors
from kibitz.plans import kind_of

SEATS, GAME = 3, "holdem-limit-3p"
COLUMN = "small blinds"
MBB = 500  # a small blind


class Size(NamedTuple):
    """How much is done at a preset.

    runs        training runs of each structure
    deals       that each learns from
    decisions, samples   of rollout errors
    hands       deals of a match, each in all seat permutations
    """

    runs: int
    deals: int
    decisions: int
    samples: int
    hands: int


SIZES = {
    "smoke": Size(2, 1_280, 10, 20, 10),
    "short": Size(3, 1_000_000, 300, 300, 1_000),
    "full": Size(10, 5_000_000, 2_000, 1_000, 6_000),
}


class Pair(NamedTuple):
    """A plain agent and one that looks ahead, from the same seed: RI errors, and what the latter wins per hand from two
    of the former, all in small blinds.
    """

    plain: float
    aware: float
    won: float


@experiment(TABLES["table-5.3"])
def table_5_3(_effort: Effort) -> Cells:
    """The competition of 2008."""
    for row in TABLES["table-5.3"].rows:
        yield row, COLUMN, QUOTE


def section_5_4(effort: Effort) -> Experiment:
    """Plain and self-aware agents at tables of three."""
    size, published = SIZES[effort.preset], TABLES["section-5.4"]
    published = replace(published, bounds=dict.fromkeys(published.rows, (nan,)))  # ours stand with their ±

    def find() -> Cells:
        reason = f"our own agents after {size.deals:,} deals, not the entries"
        plain, aware, won = zip(*pairs(effort), strict=True)
        better = np.subtract(plain, aware)
        for row, values in (("RI error, plain", plain), ("RI error, self-aware", aware), ("difference", better)):
            yield row, COLUMN, Found(*of_samples(values), SUBSTITUTE, reason)
        yield "self-aware wins from two plain ones", COLUMN, Found(*of_samples(won), OURS)
        for row in list(published.rows)[4:]:
            yield row, COLUMN, QUOTE

    notes = (
        f"{size.runs} training runs of each structure, {size.deals:,} deals at tables of three; RI errors of "
        f"{size.decisions:,} decisions, {size.samples:,} samples each; matches of {size.hands:,} deals in all seat "
        f"permutations, seeds {effort.seed} to {effort.seed + size.runs - 1}. Ranges are 95 % intervals over training "
        "runs.",
        "The thesis calls its difference smaller than the standard deviation of the calculations (L1319).",
    )
    return Experiment(published, find, notes)


def pairs(effort: Effort) -> list[Pair]:
    """What was measured of each training run."""
    size = SIZES[effort.preset]
    described = {"size": size._asdict(), "seed": effort.seed, "learning": Learning().describe()}
    ledger = open_ledger("sweeney2012", f"section-5.4-{effort.preset}", described, effort, is_open=True)
    jobs = {
        f"RI plain, RI self-aware, won: seed {seed}": partial(_measure, size, effort.folder, seed)
        for seed in range(effort.seed, effort.seed + size.runs)
    }
    return [Pair(*each) for each in ledger.measure(jobs, effort, "self-aware and plain agents")]


def _measure(size: Size, folder: Path | None, seed: int) -> Pair:
    plain, aware = (_train(size.deals, folder, seed, is_aware) for is_aware in (False, True))
    settings = RolloutSettings(size.decisions, size.samples, seats=SEATS, seed=seed)
    simulations = (Simulation(model, seats=SEATS, seed=seed) for model in (plain, aware))
    errors = [measure_errors(each, settings).of_stage().improvement for each in simulations]
    players = (
        partial(LearnedAgent, aware, "self-aware"),
        *(partial(LearnedAgent, plain, f"plain {number}") for number in (1, 2)),
    )
    series = Series(load_game(GAME), players, size.hands, 1, seed, cards=ACPC)
    (estimates,) = Standings(series, dict(play_series(series))).estimates.values()
    return Pair(errors[0], errors[1], estimates[0].mean / MBB)


def _train(deals: int, folder: Path | None, seed: int, is_aware: bool) -> Model:
    """An agent of three seats, from the folder if it is there."""
    place = folder / f"{'aware' if is_aware else 'plain'}-{deals}-{seed}" if folder is not None else None
    if place is not None and kind_of(place) == "learned":
        return load_model(place)
    trainer = SelfPlay(SEATS, seed, structure=Structure(self_aware=is_aware))
    trainer.train(deals)
    if place is not None:
        save_model(trainer.model, place)
    return trainer.model
