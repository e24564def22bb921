"""Chapter 6: opponent models fitted to records, and exploiters of a population, by target and structure.

Poker Academy, whose bots the thesis played, cannot be had. The population is our own (`kibitz population`), calibrated
to the printed statistics of those bots: printed figures stand beside ours as a reference, not as a mark to be hit.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import nan

from kibitz.experiments.claims import Claim, Interval, of_estimate, weakest
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import SUBSTITUTE, Effort, Experiment, Found, PublishedTable
from kibitz.experiments.sweeney2012 import evidence
from kibitz.experiments.sweeney2012.chapter_5 import error_cells, improvement_of
from kibitz.experiments.sweeney2012.making import EXPLOITERS, FAMILIES, SELF_PLAY, SIZES, TARGETS, model_of
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6, TABLES
from kibitz.experiments.sweeney2012.systems import Result, Study, study_of
from kibitz.modelling.styles import StyleCounts

Cells = Iterator[tuple[str, str, Found]]
SYSTEMS = (SELF_PLAY, *EXPLOITERS)
STYLES = {"VP$IP": "vpip", "Fold%": "fold", "Ww/oSD": "won_without_showdown", "W$SD": "won_at_showdown"}
REASON = "the population of this package, not Poker Academy"
NOT_MADE = "What is not run needs the systems themselves, which do not come with the package."


def notes_of(effort: Effort) -> tuple[str, ...]:
    """How systems are made."""
    size = SIZES[effort.preset]
    return (
        "The population, the records, the models and the exploiters are ours; Poker Academy cannot be had. "
        f"{size.matches:,} recorded matches of 120 deals, a fifth of them held out; exploiters learn from "
        f"{size.learning:,} deals (the thesis: until 50 million bring nothing more); seed {effort.seed}.",
    )


def substitute(value: float, error: float) -> Found:
    """A value beside a printed one, with its 95 % interval."""
    return Found(*of_estimate(value, error), SUBSTITUTE, REASON)


def table_6_2(effort: Effort) -> Experiment:
    """Fit, modelled and real results of the ten systems; the picture is figure 6-3."""

    def find() -> Cells:
        study = study_of(effort)
        for system in SYSTEMS:
            fit, modelled, real = study.fit(model_of(system)), study.modelled(system), study.real(system)
            yield system, "fit %", substitute(100 * fit.share, 100 * fit.share_error)
            yield system, "model mean", substitute(modelled.mean, modelled.error)
            yield system, "model s.d.", substitute(modelled.sd, nan)
            yield system, "deals", substitute(real.deals, nan)
            yield system, "mean", substitute(real.mean, real.error)
            yield system, "s.d.", substitute(real.sd, nan)

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
    return Experiment(TABLES["table-6.2"], find, (*fits, *notes_of(effort)), draw)


def table_6_3(effort: Effort) -> Experiment:
    """Styles of the systems against the population."""

    def find() -> Cells:
        study = study_of(effort)
        for system in SYSTEMS:
            style = study.style(system)
            for column, name in STYLES.items():
                low, high = style.interval(name)
                yield system, column, Found(100 * getattr(style, name), 100 * low, 100 * high, SUBSTITUTE, REASON)
            yield system, "AF", Found(style.aggression, *style.interval("aggression"), SUBSTITUTE, REASON)

    return Experiment(TABLES["table-6.3"], find, notes_of(effort))


def table_6_4(effort: Effort) -> Experiment:
    """Rollout errors of PT-EL among players of its model."""

    def find() -> Cells:
        report = evidence.exploiter_rollouts(study_of(effort))
        if report is not None:
            yield from error_cells(report, REASON)

    decisions, samples = evidence.SIZES[effort.preset].rollouts
    how = (
        f"{decisions:,} decisions of PT-EL in matches of 120 deals whose other five players are of the PT model, "
        f"{samples:,} samples each in 10 folds; ranges are 95 % intervals. Unseen cards are drawn uniformly, types of "
        "opponents by what is believed of them before the deal; samples are weighted by the chance of what opponents "
        "did with them. The thesis does not tell its numbers. Later deals of the match do not count.",
    )
    return Experiment(TABLES["table-6.4"], find, (*how, NOT_MADE, *notes_of(effort)))


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

    return Experiment(table, find, (*notes_of(effort), *(f"{row}: {text}." for row, text in STATEMENTS_6.items())))


def _claims(study: Study) -> dict[str, Claim]:
    real = {system: study.real(system) for system in SYSTEMS}
    style = {system: study.style(system) for system in EXPLOITERS}
    fits = {name: of_estimate(fit.nats, fit.error) for name in ("Self-play", "OM", "PT") for fit in [study.fit(name)]}
    types = study.entropies()
    adapting = study.adaptation(evidence.LAYERED)[2][-1], study.adaptation_to_switchable()
    population = study.population_style()
    zero = Interval(0.0, 0.0, 0.0)
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
        "adaptation pays": Claim(of_estimate(*adapting[0]), zero),
        "adaptation pays where it must": Claim(of_estimate(*adapting[1]), zero),
        **_more_claims(study),
    }


def _more_claims(study: Study) -> dict[str, Claim]:
    """Those of section 6.6, as far as they were measured."""
    named, errors = evidence.type_entropy_by_name(study), evidence.exploiter_rollouts(study)
    bots, zero, found = evidence.adaptation_to_bots(study), Interval(0.0, 0.0, 0.0), {}
    if named is not None:
        found["names hide types"] = Claim(of_estimate(*named), of_estimate(*study.entropies()[-1]))
    if bots is not None:
        found["adaptation pays against bots"] = Claim(of_estimate(*bots.curves[2, -1]), zero)
    if errors is not None:
        found["river gains"] = Claim(improvement_of(errors.of_stage(3)), zero)
        found["pre-flop loses"] = Claim(zero, improvement_of(errors.of_stage(0)))
    return found


def _mean(result: Result) -> Interval:
    return of_estimate(result.mean, result.error)


def _style(style: StyleCounts, name: str) -> Interval:
    return Interval(getattr(style, name), *style.interval(name))
