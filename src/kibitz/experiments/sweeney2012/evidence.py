"""Section 6.6: rollouts of PT-EL, types by name, and adaptation to bots.

These were added after chapter 6 had been measured at `short`, whose systems are not kept. Where systems are neither in
the folder nor yet to be made, nothing is told, and no training begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.experiments.ledger import Ledger
from kibitz.experiments.published import Effort
from kibitz.experiments.sweeney2012.making import EXPLOITERS, OM, PT, SELF_PLAY, Making
from kibitz.experiments.sweeney2012.measuring import Power, adapt_to_bots, curves_of, name_entropy, roll_out
from kibitz.experiments.sweeney2012.runs import ErrorsByStage
from kibitz.experiments.sweeney2012.systems import MEASURED, Study, measures_of
from kibitz.learning.exploiters.measuring import Rate
from kibitz.learning.population import load_population
from kibitz.learning.rollouts import RolloutSettings

LAYERED = "PT-EL"  # of which the section shows rollouts and adaptation
PLAYERS = 6
BY_NAME = "entropy given the name"
NOT_MADE = "What is not run needs the systems themselves, which do not come with the package."


class Size(NamedTuple):
    """How much is done at a preset; the names of measures tell it.

    rollouts   decisions, and samples of each
    matches    against the population, with memory and without
    """

    rollouts: tuple[int, int]
    matches: int


SIZES = {
    "smoke": Size((20, 20), 16),
    "short": Size((1_000, 300), 12_000),
    "full": Size((3_000, 1_000), 5_000),
}


def rollouts_at(preset: str) -> str:
    """The name of the rollouts of a preset."""
    decisions, samples = SIZES[preset].rollouts
    return f"rollouts {LAYERED}, {decisions} x {samples}"


def adaptation_at(preset: str) -> str:
    """The name of the adaptation to bots of a preset."""
    return f"adaptation {LAYERED} to bots, {SIZES[preset].matches} matches"


class Adapted(NamedTuple):
    """With memory, without, and the difference, float64[3, bins + 1, 2] as in `Study.adaptation`, and what it shows."""

    curves: npt.NDArray[np.float64]
    power: Power


def type_entropy_by_name(study: Study) -> Rate | None:
    """Bits of uncertainty about the type of a bot after a match against PT, its name being known."""
    found = _get(study, BY_NAME, lambda: name_entropy(study.meet_bots(PT)))
    return None if found is None else Rate(*found)


def exploiter_rollouts(study: Study) -> ErrorsByStage | None:
    """Rollout errors of PT-EL among players of its model."""
    decisions, samples = SIZES[study.effort.preset].rollouts

    def measure() -> list[float]:
        path = study.making.place(f"rollouts-{LAYERED}-{decisions}x{samples}.jsonl")
        settings = RolloutSettings(decisions, samples, seats=PLAYERS, seed=study.effort.seed)
        return ErrorsByStage.numbers(roll_out(study.guest(LAYERED), settings, study.effort, path))

    found = _get(study, rollouts_at(study.effort.preset), measure)
    return None if found is None else ErrorsByStage.of(found)


def adaptation_to_bots(study: Study) -> Adapted | None:
    """What PT-EL gains by its memory against the population."""
    matches, making = SIZES[study.effort.preset].matches, study.making

    def measure() -> list[float]:
        population, play = load_population(making.population), making.play(MEASURED)
        found = adapt_to_bots(study.guest(LAYERED), population, play, matches, study.effort)
        return [*curves_of(found), *Power.of(found)]

    found = _get(study, adaptation_at(study.effort.preset), measure)
    if found is None:
        return None
    places = len(Power._fields)
    return Adapted(np.array(found[:-places]).reshape(3, -1, 2), Power(*found[-places:]))


def measure_all(study: Study) -> None:
    """Measure everything that the tables and figures of chapter 6 show, and is not in the ledger yet."""
    for model in (SELF_PLAY, OM, PT):
        study.fit(model)
    for system in (SELF_PLAY, *EXPLOITERS):
        study.modelled(system)
        study.real(system)
    study.population_style()
    study.entropies()
    study.adaptation(LAYERED)
    study.adaptation_to_switchable()
    for measure in (type_entropy_by_name, exploiter_rollouts, adaptation_to_bots):
        measure(study)


def _get(study: Study, name: str, measure: Callable[[], Sequence[float]]) -> Sequence[float] | None:
    """Numbers of that name; None where other numbers are known, and the systems behind them are not at hand."""
    if _is_missing(study.ledger, name) and not study.making.has(EXPLOITERS):
        return None
    return study.ledger.get(name, measure)


def notes_if_not_run(effort: Effort, measure: str) -> tuple[str, ...]:
    """Why a measure is not run, where it is not."""
    if not _is_missing(measures_of(effort), measure):
        return ()
    if effort.folder is not None and Making(effort.preset, effort.seed, effort.folder).has(EXPLOITERS):
        return ()
    return (NOT_MADE,)


def _is_missing(ledger: Ledger, name: str) -> bool:
    """Whether other numbers are known, but not this one."""
    return bool(ledger.found) and not ledger.has([name])
