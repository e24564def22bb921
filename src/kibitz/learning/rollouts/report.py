"""Sample, left-fold-out and rollout-improvement errors of decisions (Sweeney 2012, section 5.1), averaged by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from math import nan, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.rollouts.decisions import Decisions, Floats, Place
from kibitz.parallel import InProcess, Processes
from kibitz.progress import Count
from kibitz.random import derive_seed

STAGES = ("pre-flop", "flop", "turn", "river")
CHUNK = 25  # decisions of one task
FOLDS = 10
Row = tuple[int, tuple[float, ...]]  # of a decision: its stage, and its `Errors`


class Errors(NamedTuple):
    """How much better a decision could have been, in chips: sample = lfo + improvement.

    sample       best option on all samples, less what the policy is worth
    lfo          best option on all samples, less what the best on the other folds is worth on each fold
    improvement  the latter less what the policy is worth: an unbiased estimate of what a rollout would gain
    size         effective number of samples, (sum p)^2 / sum p^2
    """

    sample: float
    lfo: float
    improvement: float
    size: float


def weights_of(logs: Floats) -> Floats:
    """p from ln p, float64[n], up to a factor: the largest is 1."""
    return np.asarray(np.exp(logs - logs.max()))


def option_values(values: Floats, logs: Floats) -> Floats:
    """The weighted mean of each option's values: float64[options], v_d = sum p v_d / sum p."""
    weights = weights_of(logs)
    return np.asarray(weights @ values / weights.sum())


def decision_errors(values: Floats, logs: Floats, chances: Floats, folds: int = FOLDS) -> Errors:
    """The errors of a decision from its rollouts.

    values  : float64[n, options]   what the actor won after each option, with the same cards
    logs    : float64[n]            ln p of each sample
    chances : float64[options]      the policy's probabilities

    With t, b the sums of p v_d and p over all samples and t_i, b_i those over fold i of contiguous samples,
    d*_-i = argmax (t_d - t_id) / (b - b_i), and what it is worth is sum_i (b_i / b) v_id for d = d*_-i. Where all
    weight lies in one fold, the others say nothing, and the policy's likeliest option stands for d*_-i.
    """
    count = len(values)
    if not 2 <= folds <= count:
        raise KibitzError(f"{folds} folds of {count} samples: 2 to {count} are possible")
    weights = weights_of(logs)
    starts = np.arange(folds) * count // folds
    totals = np.add.reduceat(weights[:, None] * values, starts)
    sums = np.add.reduceat(weights, starts)
    total, whole = totals.sum(axis=0), sums.sum()
    means = total / whole
    rest = whole - sums
    with np.errstate(divide="ignore", invalid="ignore"):
        others = np.where(rest[:, None] > 1e-12 * whole, (total - totals) / rest[:, None], chances)
    chosen = np.argmax(others, axis=1)
    left_out = float(totals[np.arange(folds), chosen].sum() / whole)
    best, policy = float(means.max()), float(chances @ means)
    return Errors(best - policy, best - left_out, left_out - policy, float(whole**2 / (weights @ weights)))


@dataclass(frozen=True)
class RolloutSettings:
    """What to measure: Algorithm 5-1 of Sweeney 2012 with its numbers of Table 5-1.

    common   later actions are drawn by the same numbers for all options of a sample; the thesis does not say
    """

    decisions: int = 10_000
    samples: int = 1_000
    folds: int = FOLDS
    seats: int | str = "irc"
    seed: int = 0
    common: bool = True

    def __post_init__(self) -> None:
        if self.decisions < 1:
            raise KibitzError(f"{self.decisions} decisions: at least one is needed", settings=("decisions",))
        if not 2 <= self.folds <= self.samples:
            raise KibitzError(f"{self.folds} folds of {self.samples} samples: 2 or more, and as many samples at least")


class StageErrors(NamedTuple):
    """Means over the decisions of a stage, in chips (small blinds) per decision, and standard errors of three of them.

    share   of all decisions
    size    mean effective number of samples
    """

    decisions: int
    share: float
    sample: float
    lfo: float
    improvement: float
    sample_error: float
    lfo_error: float
    improvement_error: float
    size: float


@dataclass(frozen=True)
class RolloutReport:
    """Errors of single decisions and their means.

    stages   int64[n]
    errors   float64[n, 4]: sample, LFO and RI error, effective number of samples
    """

    settings: RolloutSettings
    stages: npt.NDArray[np.int64]
    errors: Floats

    @classmethod
    def of(cls, settings: RolloutSettings, rows: Sequence[Row]) -> RolloutReport:
        """The report of all decisions in their order."""
        stages, errors = (np.array(column) for column in zip(*rows, strict=True))
        return cls(settings, stages, errors)

    def of_stage(self, stage: int | None = None) -> StageErrors:
        """The means of one stage, or of all decisions; nan where there are none."""
        rows = self.errors if stage is None else self.errors[self.stages == stage]
        count = len(rows)
        *means, size = rows.mean(axis=0) if count else np.full(4, nan)
        spread = rows.std(axis=0, ddof=1) / sqrt(count) if count > 1 else np.full(4, nan)
        return StageErrors._make((count, count / len(self.errors), *map(float, (*means, *spread[:3], size))))

    def to_dict(self) -> dict[str, Any]:
        """The report as results are written."""
        stages = {name: self.of_stage(number)._asdict() for number, name in enumerate(STAGES)}
        return {**asdict(self.settings), "stages": {**stages, "overall": self.of_stage()._asdict()}}


@dataclass(frozen=True)
class Task:
    """Some decisions for one process, the first of which has the number `first`."""

    decisions: Decisions
    settings: RolloutSettings
    first: int
    places: list[Place] = field(repr=False)

    def __call__(self) -> list[Row]:
        """The errors of each."""
        return [self._errors(place) for place in self.places]

    def _errors(self, place: Place) -> Row:
        settings, known = self.settings, self.decisions.situation(place)
        key = derive_seed(settings.seed, 4, place.deal, place.decision)
        values, logs = self.decisions.roll_out(known, settings.samples, key, common=settings.common)
        found = decision_errors(values[:, known.legal], logs, known.chances[known.legal], settings.folds)
        return known.stage, tuple(found)


def tasks_of(decisions: Decisions, settings: RolloutSettings) -> list[Task]:
    """All decisions that are measured, some at a time."""
    places = decisions.choose(settings.decisions)
    sent = replace(decisions)  # type: ignore[type-var]  # without the memory that the choice has filled
    return [Task(sent, settings, at, places[at : at + CHUNK]) for at in range(0, len(places), CHUNK)]


def measure_errors(
    decisions: Decisions, settings: RolloutSettings, workers: int = 1, progress: Count | None = None
) -> RolloutReport:
    """Rollout errors of decisions; they do not depend on the number of `workers`.

    progress   is told the number of decisions measured so far
    """
    rows: list[Row] = []
    executor = Processes(workers) if workers > 1 else InProcess()
    for found in executor.map(Task.__call__, tasks_of(decisions, settings)):
        rows += found
        if progress:
            progress(len(rows))
    return RolloutReport.of(settings, rows)
