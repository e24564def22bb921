"""Measuring rollout errors as a plan: some decisions a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from kibitz.errors import KibitzError
from kibitz.files import plain, shown
from kibitz.learning.fields import seats_of, seed_field
from kibitz.learning.files import load_model
from kibitz.learning.model import Model
from kibitz.learning.rollouts.decisions import Decisions, Simulation
from kibitz.learning.rollouts.report import STAGES, RolloutReport, RolloutSettings, Row, Task, tasks_of
from kibitz.learning.tables import rules_of_model
from kibitz.plans import Artefact, CellsPlan, Means, open_artefact, setting

KIND = "rollout errors"


@dataclass(frozen=True)
class RolloutPlan(CellsPlan):
    """Estimate how much rollouts would improve the policy of AGENT, the folder of an agent from self-play.

    Decisions are drawn from deals that the agent plays against itself. Unseen cards are drawn again and again, weighted
    by how likely the others' actions are with them, and every option is played out. The RI error is what the option
    chosen on nine folds of the samples gains on the tenth over the policy; it is unbiased. The sample error is what the
    best option on all samples seems to gain, and the LFO error their difference. In small blinds per decision.

    With --out, saves the errors of each decision.
    """

    kind: ClassVar[str] = "measure rollouts"

    agent: Path = setting(help="Agent from self-play", argument=True, input="artefact")
    players: str | None = setting(
        None, "Players at the table, 2 to 10, or irc for a mix with mean 5.2", unsaid="as trained"
    )
    decisions: int = setting(1000, "Number of decisions", at_least=1, at_most=10_000_000)
    samples: int = setting(1000, "Samples of a decision", at_least=2, at_most=1_000_000)
    folds: int = setting(10, "Folds of the samples", at_least=2, at_most=1000)
    independent: bool = setting(
        False, "Draw later actions of every option by its own random numbers, not by the same for all"
    )
    seed: int = seed_field("Seed for deals and samples")

    @cached_property
    def _model(self) -> Model:
        return load_model(self.agent)

    @cached_property
    def settings(self) -> RolloutSettings:
        """What is measured."""
        seats = seats_of(self.players or str(self._model.made.get("players", 6)))
        return RolloutSettings(self.decisions, self.samples, self.folds, seats, self.seed, not self.independent)

    def source(self) -> Decisions:
        """Where decisions come from."""
        return Simulation(self._model, rules_of_model(self._model), self.settings.seats, self.seed)

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Task]:
        return self._tasks

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        tasks = tasks_of(self.source(), self.settings)
        return {f"decisions {task.first + 1:,} to {task.first + len(task.places):,}": task for task in tasks}

    def gather(self, results: Mapping[str, list[Row]], means: Means) -> Artefact:
        return report_artefact(RolloutReport.of(self.settings, [row for rows in results.values() for row in rows]))


def report_artefact(report: RolloutReport) -> Artefact:
    """What is kept of rollout errors."""
    stages = {name: report.of_stage(number) for number, name in enumerate(STAGES)}
    overall, arrays = report.of_stage(), {"stages": report.stages, "errors": report.errors}
    told = {"sample": overall.sample, "LFO": overall.lfo, "RI": overall.improvement}
    told |= {"RI, standard error": overall.improvement_error}
    told |= {f"RI, {name}": each.improvement for name, each in stages.items()}
    return Artefact(KIND, {"settings": asdict(report.settings)}, plain(told), arrays, content=report)


def load_report(folder: Path) -> RolloutReport:
    """The rollout errors in `folder`."""
    return report_in(open_artefact(folder, KIND))


def report_in(found: Artefact) -> RolloutReport:
    """The rollout errors that an artefact holds."""
    if isinstance(found.content, RolloutReport):
        return found.content
    try:
        return RolloutReport(RolloutSettings(**found.about["settings"]), found.arrays["stages"], found.arrays["errors"])
    except (KeyError, TypeError) as error:
        raise KibitzError(f"{found.path} is damaged: {type(error).__name__} {shown(str(error))}") from None
