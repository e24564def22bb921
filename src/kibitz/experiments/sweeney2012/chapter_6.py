"""Chapter 6: opponent models fitted to records, and exploiters of a population, by target and structure.

Poker Academy, whose bots the thesis played, cannot be had. The population is our own (`kibitz population`), calibrated
to the printed statistics of those bots: printed figures stand beside ours as a reference, not as a mark to be hit.
"""

from __future__ import annotations

from math import nan, sqrt

from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import SUBSTITUTE, Cells, Effort, Experiment, Found, PublishedTable
from kibitz.experiments.sweeney2012.chapter_5 import error_cells, style_cells, substitute
from kibitz.experiments.sweeney2012.making import EXPLOITERS, SELF_PLAY, SIZES, model_of
from kibitz.experiments.sweeney2012.printed import TABLES
from kibitz.experiments.sweeney2012.systems import ADDED, notes_if_not_run, rollouts_at, study_of

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


def table_6_2(effort: Effort) -> Experiment:
    """Fit, modelled and real results of the ten systems."""

    def find() -> Cells:
        study = study_of(effort)
        for system in SYSTEMS:
            fit, modelled, real = study.fit(model_of(system)), study.modelled(system), study.real(system)
            yield system, "fit %", substitute(100 * fit.share, 100 * fit.share_error, REASON)
            yield system, "model mean", substitute(modelled.mean, modelled.error, REASON)
            yield system, "model s.d.", substitute(modelled.sd, nan, REASON)
            yield system, "deals", substitute(real.deals, nan, REASON)
            yield system, "mean", substitute(real.mean, real.error, REASON)
            yield system, "s.d.", substitute(real.sd, nan, REASON)

    fits = (
        "Fit: mean negative log-likelihood of held-out decisions with imputed cards, as a share of that of equally "
        "likely legal actions. Standard errors are over matches. Figure 6-3 draws the means.",
    )
    return Experiment(TABLES["table-6.2"], find, (*fits, *notes_of(effort)))


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


def table_6_3(effort: Effort) -> Experiment:
    """Styles of the systems against the population."""

    def find() -> Cells:
        study = study_of(effort)
        for system in SYSTEMS:
            yield from style_cells(system, study.style(system), REASON)

    return Experiment(TABLES["table-6.3"], find, notes_of(effort))


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
