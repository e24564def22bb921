"""Chapter 6: the population, opponent models fitted to records, and exploiters by target and structure.

Poker Academy, whose bots the thesis played, cannot be had. The population is our own (`kibitz opponents
population`): its 43 bots were calibrated to table 6-1, so that agreement with that table is no finding. Printed figures
of later tables stand beside ours as a reference, not as a mark to be hit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from kibitz.experiments.claims import of_samples
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import (
    ARITHMETIC,
    SUBSTITUTE,
    Cells,
    Effort,
    Experiment,
    Found,
    PublishedTable,
    experiment,
)
from kibitz.experiments.sweeney2012.chapter_5 import error_cells, style_cells, substitute
from kibitz.experiments.sweeney2012.making import EXPLOITERS, SELF_PLAY, SIZES, model_of
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.experiments.sweeney2012.systems import ADDED, Result, notes_if_not_run, rollouts_at, study_of
from kibitz.learning.population import Play, between_bots, load_population, play_matches
from kibitz.learning.population.calibration import misses
from kibitz.learning.population.matches import STATISTICS, Between
from kibitz.statistics import Group, dunnett_c

BY = ("match", "seat")
DEALS = 120  # of a match


class Samples(NamedTuple):
    """Samples that are played, and matches of each; the thesis has one sample of 375."""

    samples: int
    matches: int


SAMPLES = {"smoke": Samples(2, 30), "short": Samples(8, 375), "full": Samples(40, 375)}


def table_6_1(effort: Effort) -> Experiment:
    """Means and standard deviations between bots, kinds drawn once a match or for every seat."""
    size = SAMPLES[effort.preset]

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


def _samples(effort: Effort, size: Samples, kind_by: str) -> list[Between]:
    population, found = load_population("calibrated"), []
    for number in range(size.samples):
        effort.tell(f"bots, kind by {kind_by}", number, size.samples)
        play = Play(seed=1000 * effort.seed + number, kind_by=kind_by)
        found.append(between_bots(population, play_matches(population, size.matches, play, effort.threads)))
    return found


SYSTEMS = (SELF_PLAY, *EXPLOITERS)
REASON = "the population of this package, not Poker Academy"


def notes_of(effort: Effort) -> tuple[str, ...]:
    """How systems are made."""
    size = SIZES[effort.preset]
    return (
        "The population, the records, the models and the exploiters are ours; Poker Academy cannot be had. "
        f"{size.matches:,} recorded matches of 120 deals, a fifth of them held out; exploiters learn from "
        f"{size.learning:,} deals (the thesis: until 50 million bring nothing more); seed {effort.seed}.",
    )


@experiment(TABLES["table-6.2"], notes_of)
def table_6_2(effort: Effort) -> Cells:
    """Fit, modelled and real results of the ten systems."""
    study = study_of(effort)
    for system in SYSTEMS:
        fit, modelled, real = study.fit(model_of(system)), study.modelled(system), study.real(system)
        yield system, "fit %", substitute(100 * fit.share, 100 * fit.share_error, REASON)
        yield system, "model mean", substitute(modelled.mean, modelled.error, REASON)
        yield system, "model s.d.", substitute(modelled.sd, nan, REASON)
        yield system, "deals", substitute(real.deals, nan, REASON)
        yield system, "mean", substitute(real.mean, real.error, REASON)
        yield system, "s.d.", substitute(real.sd, nan, REASON)


def figure_6_3(effort: Effort) -> Experiment:
    """Means against the population with two standard errors, the systems by their means."""
    table = _printed_means()

    def find() -> Cells:
        study = study_of(effort)
        for system in table.rows:
            mean, error, *_ = study.real(system)
            yield system, "mean", Found(mean, mean - 2 * error, mean + 2 * error, SUBSTITUTE, REASON)

    def draw() -> str:
        study = study_of(effort)
        results = sorted(((study.real(system), system) for system in SYSTEMS), key=lambda each: each[0].mean)
        printed = [table.printed(system, "mean") for _, system in results]
        with picture(3.6) as (axes, text):
            for points, label, colour, shift in (
                ([(each.mean, 2 * each.error) for each, _ in results], "ours", COLOURS[0], 0.12),
                (printed, "printed, against Poker Academy", COLOURS[1], -0.12),
            ):
                means, bars = zip(*points, strict=True)
                places = [place + shift for place in range(len(results))]
                axes.errorbar(means, places, xerr=bars, fmt="o", color=colour, label=label, capsize=3, ms=4)
            axes.set_yticks(range(len(results)), [system for _, system in results])
            axes.set(xlabel="small blinds per hand, two standard errors", title="Systems against the population")
            axes.legend(frameon=False)
        return text[0]

    how = (
        "Of the figure nothing is printed: its means are those of table 6-2, two standard errors follow from the "
        "standard deviations and numbers of deals there. Ours are over matches.",
    )
    return Experiment(table, find, (*how, *notes_of(effort)), draw)


def _printed_means() -> PublishedTable:
    """Figure 6-3 made anew from table 6-2."""
    results = sorted(TABLES["table-6.2"].rows.items(), key=lambda each: each[1][4])
    means: dict[str, tuple[float, ...]] = {system: (row[4],) for system, row in results}
    bars: dict[str, tuple[float, ...]] = {system: (2 * row[5] / sqrt(row[3]),) for system, row in results}
    source = "Sweeney 2012, figure 6-3: means against Poker Academy ± two standard errors, small blinds per deal"
    return PublishedTable(source, "system", ("mean",), means, 0.0, 3, bounds=bars)


@experiment(TABLES["table-6.3"], notes_of)
def table_6_3(effort: Effort) -> Cells:
    """Styles of the systems against the population."""
    for system in SYSTEMS:
        yield from style_cells(system, study_of(effort).style(system), REASON)


def table_6_4(effort: Effort) -> Experiment:
    """Rollout errors of PT-EL among players of its model."""

    def find() -> Cells:
        report = study_of(effort).exploiter_rollouts()
        if report is not None:
            yield from error_cells(report, REASON)

    decisions, samples = ADDED[effort.preset].rollouts
    how = (
        f"{decisions:,} decisions of PT-EL in matches of 120 deals whose other five players are of the PT model, "
        f"{samples:,} samples each in 10 folds; ranges are 95 % intervals. Unseen cards are drawn uniformly, types of "
        "opponents by what is believed of them before the deal; samples are weighted by the chance of what opponents "
        "did with them. The thesis does not tell its numbers. Later deals of the match do not count.",
    )
    not_run = notes_if_not_run(effort, rollouts_at(effort.preset))
    return Experiment(TABLES["table-6.4"], find, (*how, *not_run, *notes_of(effort)))


Wins = dict[str, list[str]]
SIGNIFICANCE = TABLES["table-6.2-significance"]
OURS = replace(
    SIGNIFICANCE,
    source="Sweeney 2012, section 6.6: systems that each one beats significantly (Dunnett's C, 5 %), beside ours",
    notes=(
        "Our systems against the population of this package; printed is what Poker Academy gave. Self-play among ten "
        "systems (45 pairs), the others among nine (36 pairs). Samples are matches: means and standard errors are "
        "those of table-6.2. All systems meet the same cards and bots, which Dunnett's C does not use: it takes means "
        "as independent.",
    ),
)


@experiment(SIGNIFICANCE)
def table_6_2_significance(_effort: Effort) -> Cells:
    """Which of the printed means differ: all ten systems compared, then the nine without self-play."""
    systems = {name: Group(row[4], row[5], int(row[3])) for name, row in TABLES["table-6.2"].rows.items()}
    over_self_play, among_others = _compare(systems)
    for name in SIGNIFICANCE.rows:
        yield name, "self-play", Found(float(SELF_PLAY in over_self_play[name]), open=ARITHMETIC)
        yield (
            name,
            "others",
            Found(float(len(among_others[name])), open=ARITHMETIC, reason=", ".join(among_others[name])),
        )


@experiment(OURS)
def table_6_2_significance_ours(effort: Effort) -> Cells:
    """Which of our systems differ, beside which of the printed ones do."""
    real = study_of(effort).real
    over_self_play, among_others = _compare({name: group_of(real(name)) for name in (SELF_PLAY, *OURS.rows)})
    for name in OURS.rows:
        worse = ", ".join(among_others[name]) or "none"
        yield name, "self-play", Found(float(SELF_PLAY in over_self_play[name]), open=SUBSTITUTE)
        yield name, "others", Found(float(len(among_others[name])), open=SUBSTITUTE, reason=f"better than {worse}")


def group_of(found: Result) -> Group:
    """The matches of a system, which are independent of each other; its deals are not."""
    matches = round(found.deals / DEALS)
    return Group(found.mean, found.error * sqrt(matches), matches)


def _compare(systems: Mapping[str, Group]) -> tuple[Wins, Wins]:
    """The systems that each one is significantly better than: among all, and among all but self-play."""
    return _wins(systems), _wins({name: group for name, group in systems.items() if name != SELF_PLAY})


def _wins(groups: Mapping[str, Group]) -> Wins:
    names = [*groups]
    found: Wins = {name: [] for name in names}
    for each in dunnett_c([*groups.values()]):
        if each.significant:
            better, worse = (each.first, each.second) if each.difference > 0 else (each.second, each.first)
            found[names[better]].append(names[worse])
    return found
