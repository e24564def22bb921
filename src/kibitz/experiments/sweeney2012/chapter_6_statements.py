"""What the text and the tables of chapter 6 say, held against our intervals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from math import hypot, nan

from kibitz.experiments.claims import Claim, Interval, of_estimate, weakest
from kibitz.experiments.published import Effort, Experiment, Found, PublishedTable
from kibitz.experiments.sweeney2012 import evidence
from kibitz.experiments.sweeney2012.chapter_5 import improvement_of
from kibitz.experiments.sweeney2012.chapter_6 import SYSTEMS, notes_of
from kibitz.experiments.sweeney2012.making import EXPLOITERS, FAMILIES, OM, PT, SELF_PLAY, TARGETS
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6
from kibitz.experiments.sweeney2012.systems import Result, Study, study_of
from kibitz.modelling.styles import StyleCounts

Cells = Iterator[tuple[str, str, Found]]


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
    modelled = {system: study.modelled(system) for system in EXPLOITERS}
    gap = {system: _gap(modelled[system], real[system]) for system in EXPLOITERS}
    style = {system: study.style(system) for system in EXPLOITERS}
    types = study.entropies()
    adapting = study.adaptation(evidence.LAYERED)[2][-1], study.adaptation_to_switchable()
    population = study.population_style()
    zero = Interval(0.0, 0.0, 0.0)
    return {
        "OM fits better": Claim(of_estimate(*study.gain(OM)), zero),
        "PT fits better": Claim(of_estimate(*study.gain(PT)), zero),
        "all beat self-play": weakest(Claim(_mean(real[s]), _mean(real[SELF_PLAY])) for s in EXPLOITERS),
        "modelled is optimistic": weakest(Claim(_mean(modelled[s]), _mean(real[s])) for s in EXPLOITERS),
        "optimism shrinks": weakest(
            Claim(gap[family + more], gap[family + less])
            for family, (more, less) in product(FAMILIES, pairwise(TARGETS))
        ),
        "best at its own target": weakest(
            _better_at(target, modelled[family + target], modelled[family + other])
            for family, target, other in product(FAMILIES, TARGETS, TARGETS)
            if target != other
        ),
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
        "entropy falls": Claim(of_estimate(*types[0]), of_estimate(*types[30])),
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


def _better_at(target: str, own: Result, other: Result) -> Claim:
    """That a system has more of its own target than another one, whose value is 1."""
    first, second = _value(target, own), _value(target, other)
    unit = abs(second.value) or 1.0
    return Claim(Interval(*(end / unit for end in first)), Interval(*(end / unit for end in second)))


def _value(target: str, found: Result) -> Interval:
    """Mean, Sharpe ratio or gambler's ruin ratio with the interval of the mean.

    The error of a standard deviation is not kept, and left out: in 10,000 matches of self-play it is 0.14 %, that of
    exploiters' means some 1 %.
    """
    by = found.sd ** [*TARGETS].index(target)
    return of_estimate(found.mean / by, found.error / by)


def _gap(modelled: Result, real: Result) -> Interval:
    """What the model promises more than a system wins; both come from other matches."""
    return of_estimate(modelled.mean - real.mean, hypot(modelled.error, real.error))


def _mean(result: Result) -> Interval:
    return of_estimate(result.mean, result.error)


def _style(style: StyleCounts, name: str) -> Interval:
    return Interval(getattr(style, name), *style.interval(name))
