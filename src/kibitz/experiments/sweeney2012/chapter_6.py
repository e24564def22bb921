"""Chapter 6: opponent models fitted to records, and exploiters of a population, by target and structure.

Poker Academy, whose bots the thesis played, cannot be had. The population is our own (`kibitz population`), calibrated
to the printed statistics of those bots: printed figures stand beside ours as a reference, not as a mark to be hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import nan

import numpy as np

from kibitz.experiments.claims import Claim, Interval, of_estimate, weakest
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import SUBSTITUTE, Effort, Experiment, Found, PublishedTable
from kibitz.experiments.sweeney2012.making import EXPLOITERS, FAMILIES, SELF_PLAY, SIZES, TARGETS, model_of
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6, TABLES
from kibitz.experiments.sweeney2012.systems import Result, Study, study_of
from kibitz.modelling.styles import StyleCounts
from kibitz.statistics import Z_95

Cells = Iterator[tuple[str, str, Found]]
SYSTEMS = (SELF_PLAY, *EXPLOITERS)
STYLES = {"VP$IP": "vpip", "Fold%": "fold", "Ww/oSD": "won_without_showdown", "W$SD": "won_at_showdown"}
BIN = 10  # deals of a point in the curves by deal number


def _notes(effort: Effort) -> tuple[str, ...]:
    size = SIZES[effort.preset]
    return (
        "The population, the records, the models and the exploiters are ours; Poker Academy cannot be had. "
        f"{size.matches:,} recorded matches of 120 deals, a fifth of them held out; exploiters learn from "
        f"{size.learning:,} deals (the thesis: until 50 million bring nothing more); seed {effort.seed}.",
    )


def _substitute(value: float, error: float) -> Found:
    return Found(*of_estimate(value, error), SUBSTITUTE, "the population of this package, not Poker Academy")


def table_6_2(effort: Effort) -> Experiment:
    """Fit, modelled and real results of the ten systems; the picture is figure 6-3."""

    def find() -> Cells:
        study = study_of(effort)
        for system in SYSTEMS:
            fit, modelled, real = study.fit(model_of(system)), study.modelled(system), study.real(system)
            yield system, "fit %", _substitute(100 * fit.share, 100 * fit.share_error)
            yield system, "model mean", _substitute(modelled.mean, modelled.error)
            yield system, "model s.d.", _substitute(modelled.sd, nan)
            yield system, "deals", _substitute(real.deals, nan)
            yield system, "mean", _substitute(real.mean, real.error)
            yield system, "s.d.", _substitute(real.sd, nan)

    def draw() -> str:
        study = study_of(effort)
        results = sorted(((study.real(system), system) for system in SYSTEMS), key=lambda each: each[0].mean)
        with picture(3.4) as (axes, text):
            means = [each.mean for each, _ in results]
            bars = [2 * each.error for each, _ in results]
            axes.errorbar(means, range(len(results)), xerr=bars, fmt="o", color=COLOURS[0], capsize=3, ms=4)
            axes.set_yticks(range(len(results)), [system for _, system in results])
            axes.set(xlabel="small blinds per hand, two standard errors", title="Systems against the population")
        return text[0]

    fits = (
        "Fit: mean negative log-likelihood of held-out decisions with imputed cards, as a share of that of equally "
        "likely legal actions. Standard errors are over matches. The picture is figure 6-3.",
    )
    return Experiment(TABLES["table-6.2"], find, (*fits, *_notes(effort)), draw)


def table_6_3(effort: Effort) -> Experiment:
    """Styles of the systems against the population."""

    def find() -> Cells:
        study = study_of(effort)
        reason = "the population of this package, not Poker Academy"
        for system in SYSTEMS:
            style = study.style(system)
            for column, name in STYLES.items():
                low, high = style.interval(name)
                yield system, column, Found(100 * getattr(style, name), 100 * low, 100 * high, SUBSTITUTE, reason)
            yield system, "AF", Found(style.aggression, *style.interval("aggression"), SUBSTITUTE, reason)

    return Experiment(TABLES["table-6.3"], find, _notes(effort))


def figure_6_4(effort: Effort) -> Experiment:
    """The entropy of player types after so many deals of a match."""
    marks = (0, 10, 20, 30, 60, 120)
    rows: dict[str, tuple[float, ...]] = {f"after {mark} deals": (nan, nan) for mark in marks}
    source = "Sweeney 2012, figure 6-4: entropy of player types by deal number, bits"
    table = PublishedTable(source, "match", ("entropy", "± 95 %"), rows, 0.0, 3)

    def find() -> Cells:
        curve = study_of(effort).entropies()
        for mark in marks:
            yield f"after {mark} deals", "entropy", Found(float(curve[mark, 0]))
            yield f"after {mark} deals", "± 95 %", Found(float(Z_95 * curve[mark, 1]))

    def draw() -> str:
        curve = study_of(effort).entropies()
        with picture(3.2) as (axes, text):
            axes.plot(curve[:, 0], color=COLOURS[0], lw=1.3)
            low, high = (curve[:, 0] + side * Z_95 * curve[:, 1] for side in (-1, 1))
            axes.fill_between(range(len(curve)), low, high, color=COLOURS[0], alpha=0.2, lw=0)
            axes.set(
                xlabel="deals played", ylabel="entropy, bits", title="What is not known of a player's type", ylim=0
            )
        return text[0]

    printed = ("The thesis prints 2.482 bits for the initial distribution, 0.225 given the name; its curve is lost.",)
    return Experiment(table, find, (*printed, *_notes(effort)), draw)


def figure_6_6(effort: Effort) -> Experiment:
    """Mean return by deal number, adaptive and with filters reset each deal, on the same cards."""
    bins = [f"deals {first + 1}-{first + BIN}" for first in range(0, 120, BIN)]
    rows: dict[str, tuple[float, ...]] = dict.fromkeys((*bins, "all"), (nan,) * 3)
    source = "Sweeney 2012, figures 6-5 and 6-6: PT-EL against its model by deal number, small blinds per hand"
    table = PublishedTable(source, "deals", ("adaptive", "reset", "difference"), rows, 0.0, 3, bounds=dict(rows))

    def find() -> Cells:
        adaptive, reset, difference = study_of(effort).adaptation("PT-EL")
        for place, row in enumerate(rows):
            for column, result in zip(table.columns, (adaptive, reset, difference), strict=True):
                mean, error = result[place]
                yield row, column, Found(*of_estimate(mean, error))

    def draw() -> str:
        adaptive, reset, _ = study_of(effort).adaptation("PT-EL")
        with picture(3.2) as (axes, text):
            where = np.arange(BIN / 2, 120, BIN)
            for curve, label, colour in zip((adaptive, reset), ("adaptive", "reset each deal"), COLOURS, strict=False):
                points = np.array(curve[:-1])
                axes.errorbar(where, points[:, 0], Z_95 * points[:, 1], label=label, color=colour, capsize=2, lw=1.2)
            axes.set(xlabel="deal number", ylabel="won per hand, small blinds", title="Adaptation to the model")
            axes.legend(frameon=False)
        return text[0]

    return Experiment(table, find, _notes(effort), draw)


def statements_6(effort: Effort) -> Experiment:
    """What the text of chapter 6 says, held against our intervals."""
    rows: dict[str, tuple[float, ...]] = dict.fromkeys(STATEMENTS_6, (nan,))
    source = "Sweeney 2012, chapter 6: statements on models and exploiters"
    table = PublishedTable(source, "statement", ("ours",), rows, 0.0, 3, bounds=dict(rows))

    def find() -> Cells:
        for row, claim in _claims(study_of(effort)).items():
            note = f" ({claim.note})" if claim.note else ""
            told = f"{row}: {claim.first.value:.3f} against {claim.second.value:.3f}{note}"
            yield row, "ours", claim.found()._replace(reason=told)

    return Experiment(table, find, (*_notes(effort), *(f"{row}: {text}." for row, text in STATEMENTS_6.items())))


def _claims(study: Study) -> dict[str, Claim]:
    real = {system: study.real(system) for system in SYSTEMS}
    style = {system: study.style(system) for system in EXPLOITERS}
    fits = {name: of_estimate(fit.nats, fit.error) for name in ("Self-play", "OM", "PT") for fit in [study.fit(name)]}
    types = study.entropies()
    adapting = study.adaptation("PT-EL")[2][-1], study.adaptation_to_switchable()
    population = study.population_style()
    return {
        "OM fits better": Claim(fits["Self-play"], fits["OM"]),
        "PT fits better": Claim(fits["OM"], fits["PT"]),
        "all beat self-play": weakest(Claim(_mean(real[s]), _mean(real["Self-play"])) for s in EXPLOITERS),
        "modelled is optimistic": weakest(Claim(_mean(study.modelled(s)), _mean(real[s])) for s in EXPLOITERS),
        "calmer by target": weakest(
            Claim(_style(style[family + more], "vpip"), _style(style[family + less], "vpip"))
            for family, (more, less) in product(FAMILIES, pairwise(TARGETS))
        ),
        "SR wins more": weakest(
            Claim(_mean(real[family + "-SR"]), _mean(real[family + other]))
            for family in FAMILIES
            for other in ("", "-GR")
        ),
        "more aggressive": weakest(
            Claim(_style(style[s], "aggression"), _style(population, "aggression")) for s in EXPLOITERS
        ),
        "extra layer": weakest(Claim(_mean(real[f"PT-EL{t}"]), _mean(real[f"PT{t}"])) for t in TARGETS),
        "types are found": Claim(of_estimate(*types[0]), of_estimate(*types[30])),
        "adaptation pays": Claim(of_estimate(*adapting[0]), Interval(0.0, 0.0, 0.0)),
        "adaptation pays where it must": Claim(of_estimate(*adapting[1]), Interval(0.0, 0.0, 0.0)),
    }


def _mean(result: Result) -> Interval:
    return of_estimate(result.mean, result.error)


def _style(style: StyleCounts, name: str) -> Interval:
    return Interval(getattr(style, name), *style.interval(name))
