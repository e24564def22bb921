"""What the text and the tables of chapter 6 say, held against our intervals."""

from __future__ import annotations

from itertools import pairwise, product
from math import hypot

from kibitz.experiments.claims import Claim, Claims, Interval, explain, judge, of_estimate, statements, weakest
from kibitz.experiments.published import Effort, Experiment
from kibitz.experiments.sweeney2012.chapter_5 import improvement_of, style
from kibitz.experiments.sweeney2012.chapter_6 import SYSTEMS, notes_of
from kibitz.experiments.sweeney2012.making import EXPLOITERS, FAMILIES, OM, PT, SELF_PLAY, TARGETS
from kibitz.experiments.sweeney2012.printed import STATEMENTS_6
from kibitz.experiments.sweeney2012.systems import LAYERED, Result, Study, study_of


def statements_6(effort: Effort) -> Experiment:
    """What the text of chapter 6 says, held against our intervals."""
    table = statements("Sweeney 2012, chapter 6: statements on models and exploiters", STATEMENTS_6, ("ours",), 3)
    notes = (*notes_of(effort), *explain(STATEMENTS_6))
    return Experiment(table, lambda: judge("ours", _claims(study_of(effort)), 3), notes)


def _claims(study: Study) -> Claims:
    real = {system: study.real(system) for system in SYSTEMS}
    modelled = {system: study.modelled(system) for system in EXPLOITERS}
    gap = {system: _gap(modelled[system], real[system]) for system in EXPLOITERS}
    styles = {system: study.style(system) for system in EXPLOITERS}
    types = study.entropies()
    adapting = study.adaptation(LAYERED)[2][-1], study.adaptation_to_switchable()
    population = study.population_style()
    zero = Interval.exactly(0.0)
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
            better_at(target, modelled[family + target], modelled[family + other])
            for family, target, other in product(FAMILIES, TARGETS, TARGETS)
            if target != other
        ),
        "calmer by target": weakest(
            Claim(style(styles[family + more], "vpip"), style(styles[family + less], "vpip"))
            for family, (more, less) in product(FAMILIES, pairwise(TARGETS))
        ),
        "SR wins more": weakest(
            Claim(_mean(real[family + "-SR"]), _mean(real[family + other]))
            for family in FAMILIES
            for other in ("", "-GR")
        ),
        "more aggressive": weakest(
            Claim(style(styles[s], "aggression"), style(population, "aggression")) for s in EXPLOITERS
        ),
        "extra layer": weakest(Claim(_mean(real[f"PT-EL{t}"]), _mean(real[f"PT{t}"])) for t in TARGETS),
        "entropy falls": Claim(of_estimate(*types[0]), of_estimate(*types[30])),
        "adaptation pays": Claim(of_estimate(*adapting[0]), zero),
        "adaptation pays where it must": Claim(of_estimate(*adapting[1]), zero),
        **_more_claims(study),
    }


def _more_claims(study: Study) -> dict[str, Claim]:
    """Those of section 6.6, as far as they were measured."""
    named, errors = study.entropy_by_name(), study.exploiter_rollouts()
    bots, zero, found = study.adaptation_to_bots(), Interval.exactly(0.0), {}
    if named is not None:
        found["names hide types"] = Claim(of_estimate(*named), of_estimate(*study.entropies()[-1]))
    if bots is not None:
        found["adaptation pays against bots"] = Claim(of_estimate(*bots.curves[2, -1]), zero)
    if errors is not None:
        found["river gains"] = Claim(improvement_of(errors.of_stage(3)), zero)
        found["pre-flop loses"] = Claim(zero, improvement_of(errors.of_stage(0)))
    return found


def better_at(target: str, own: Result, other: Result) -> Claim:
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
