"""The runs behind chapter 5: self-play with the IRC mix of players, rollout errors on the way, a best response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.experiments.ledger import Ledger, open_ledger
from kibitz.experiments.published import Effort
from kibitz.files import checksum
from kibitz.learning import Learning, Model, SelfPlay, Structure, load_model, model_artefact, save_model
from kibitz.learning.presets import PRESETS, Preset
from kibitz.learning.responses import AGAINST_COPIES, Copies, Response, response_artefact
from kibitz.learning.rivals import rivals_of
from kibitz.learning.rollouts import Decisions, RolloutReport, RolloutSettings, Simulation, StageErrors
from kibitz.learning.rollouts.plan import report_artefact, report_in
from kibitz.learning.rollouts.report import Task, tasks_of
from kibitz.learning.runs import InPython, LearningRun
from kibitz.learning.tables import TableRules
from kibitz.learning.training import simulate
from kibitz.modelling.styles import StyleCounts
from kibitz.plans import Artefact, CellsPlan, Means, Plan, Row, carry_out, kind_of, read_curve
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.statistics import GRID, Moments, PairSums

Floats = npt.NDArray[np.float64]
SEATS = 6  # of the best response
RUN_OF_SELF_PLAY = "self-play"  # its folder
AT_ONCE = 100_000  # deals between reports
# How the policy learns: what works best, what the thesis prints, and what chapter 6 begins with.
KINDS = {**PRESETS, "plain": Preset(Structure(), Learning(), "none")}
DEFAULT, THESIS, PLAIN = KINDS


class Size(NamedTuple):
    """How much is done at a preset.

    marks      deals of self-play after which a point of the learning curve is measured, the last being the end
    curve, first, table   decisions and samples of those points, of the first mark again, and of table 5-1
    response   deals of the best response, and those with which styles are counted
    """

    marks: tuple[int, ...]
    curve: tuple[int, int]
    first: tuple[int, int]
    table: tuple[int, int]
    response: int
    styles: int


THESIS_MARKS = (1_000_000, 2_000_000, 5_000_000, 10_000_000)  # a step a deal is slow
SIZES = {
    "smoke": Size((3_200, 12_800), (30, 30), (60, 40), (60, 40), 6_400, 2_000),
    "short": Size((1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000), (1_000, 300), (4_000, 300),
                  (4_000, 1_000), 4_000_000, 200_000),
    "full": Size((1_000_000, 5_000_000, 20_000_000, 50_000_000, 100_000_000), (20_000, 300), (20_000, 300),
                 (20_000, 1_000), 6_000_000, 1_000_000),
}  # fmt: skip


def size_of(effort: Effort, kind: str = DEFAULT) -> Size:
    """How much is done."""
    size = SIZES[effort.preset]
    return size._replace(marks=THESIS_MARKS) if kind == THESIS and effort.preset != "smoke" else size


def snapshots(effort: Effort, until: int | None = None, kind: str = DEFAULT) -> list[tuple[int, Model]]:
    """The policy at every mark of self-play, or at those that come `until` so many deals; in a folder they are kept,
    and a later call begins after the last mark that is whole.
    """
    marks = size_of(effort, kind).marks
    return _train(effort, tuple(mark for mark in marks if until is None or mark <= until), kind)


@cache
def _train(effort: Effort, marks: tuple[int, ...], kind: str) -> list[tuple[int, Model]]:
    structure, learning, against = KINDS[kind]
    trainer = SelfPlay("irc", effort.seed, structure, None, learning, rivals_of(against))
    kept, folder = [], place_of(effort, kind)
    out = folder / RUN_OF_SELF_PLAY if folder is not None else None
    for mark in marks:
        place = folder / f"bot-{mark}" if folder is not None else None
        if place is not None and kind_of(place) == "learned":
            kept.append((mark, load_model(place)))
            continue
        run = LearningRun(trainer, mark, AT_ONCE, lambda: model_artefact(trainer.model))
        carried_out(InPython(trainer, run), out, effort, f"self-play, {effort.preset}")
        if trainer.deals > mark:
            raise KibitzError(f"{folder}: the run is past {mark:,} deals, but {place} is not there: begin anew")
        kept.append((mark, trainer.model))
        if place is not None:
            save_model(trainer.model, place)
    return kept


def place_of(effort: Effort, kind: str) -> Path | None:
    """The folder of a kind of learning."""
    if effort.folder is None:
        return None
    return effort.folder if kind == DEFAULT else effort.folder / kind


def carried_out(plan: Plan, out: Path | None, effort: Effort, stage: str = "") -> tuple[Artefact, list[Row]]:
    """What a run makes that goes on where its folder says, and its curve."""
    resume, rows = out is not None and (out / CHECKPOINT).exists(), list[Row]()
    for report in carry_out(plan, out, resume=resume, means=Means(executor=effort.executor)):
        if stage:
            effort.tell(stage, int(report.done), int(report.goal or report.done))
        rows += [report.row] if report.row is not None else []
    assert report.artefact is not None
    return report.artefact, read_curve(out) if out is not None else rows


def agent_after(effort: Effort, deals: int, kind: str = DEFAULT) -> Model:
    """The policy at one mark of self-play. Where the folder has it, other marks need not be there: another preset with
    other ones may have left it, and its run may have gone on since.
    """
    folder = place_of(effort, kind)
    place = folder / f"bot-{deals}" if folder is not None else None
    if place is not None and kind_of(place) == "learned":
        return load_model(place)
    return snapshots(effort, deals, kind)[-1][1]


def forget() -> None:
    """Know nothing any more but what is in folders, as another process does."""
    for cached in (_train, measures):
        cached.cache_clear()


class ErrorsByStage(NamedTuple):
    """Rollout errors of a policy: by stage, then of all decisions."""

    stages: tuple[StageErrors, ...]

    @classmethod
    def of(cls, numbers: Sequence[float]) -> ErrorsByStage:
        """From `numbers`."""
        rows = np.array(numbers).reshape(5, -1).tolist()
        return cls(tuple(StageErrors(int(count), *rest) for count, *rest in rows))

    @staticmethod
    def numbers(report: RolloutReport) -> list[float]:
        """The numbers of all stages in one row, as ledgers keep them."""
        return [number for stage in (0, 1, 2, 3, None) for number in report.of_stage(stage)]

    def of_stage(self, stage: int | None = None) -> StageErrors:
        """The errors of one stage, or of all decisions."""
        return self.stages[-1 if stage is None else stage]


@cache
def measures(effort: Effort, kind: str) -> Ledger:
    """What was measured at this preset, with the package or in the folder of the effort."""
    structure, learning, against = KINDS[kind]
    described = {
        "size": size_of(effort, kind)._asdict(),
        "seed": effort.seed,
        "players": "irc",
        "structure": structure.describe(),
        "learning": learning.describe(),
        "against": against,
        "responding": AGAINST_COPIES.describe(),
    }
    name = f"chapter-5-{effort.preset}" if kind == DEFAULT else f"chapter-5-{kind}-{effort.preset}"
    return open_ledger("sweeney2012", name, described, effort, is_open=True)


def rollouts(effort: Effort, mark: int, size: tuple[int, int], kind: str = DEFAULT) -> ErrorsByStage:
    """The rollout errors of the policy after `mark` deals, from so many decisions and samples of each."""
    settings = RolloutSettings(*size, seats="irc", seed=effort.seed)

    def measure() -> list[float]:
        """The numbers of all stages; in a folder single decisions are kept until all are measured."""
        model, rules = agent_after(effort, mark, kind), TableRules()
        simulation = Simulation(model, rules, settings.seats, settings.seed)
        plan = Rollouts(simulation, settings, {"model": checksum(model.flat), **asdict(rules)})
        folder, place = place_of(effort, kind), f"rollouts-{mark}-{settings.decisions}x{settings.samples}"
        out = folder / place if folder is not None else None
        return ErrorsByStage.numbers(plan.measured(out, effort, f"rollouts after {mark:,} deals"))

    name = f"rollouts after {mark} deals, {settings.decisions} x {settings.samples}"
    return ErrorsByStage.of(measures(effort, kind).get(name, measure))


@dataclass(frozen=True)
class Rollouts(CellsPlan):
    """Rollout errors of decisions of any kind, some a cell; `described` is all that decides them."""

    kind: ClassVar[str] = "rollouts"

    decisions: Decisions
    settings: RolloutSettings
    described: Mapping[str, Any]

    def describe(self) -> dict[str, Any]:
        return {**self.described, **asdict(self.settings)}

    def cells(self, means: Means, results: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._tasks

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        return {f"{task.first}": task for task in tasks_of(self.decisions, self.settings)}

    def gather(self, results: Mapping[str, Any], means: Means) -> Artefact:
        return report_artefact(RolloutReport.of(self.settings, [row for rows in results.values() for row in rows]))

    def measured(self, out: Path | None, effort: Effort, stage: str) -> RolloutReport:
        """The report, which goes on from what is in the folder."""
        return report_in(carried_out(self, out, effort, stage)[0])


def deal_sizes(effort: Effort) -> tuple[float, ...]:
    """Players and decisions of a deal with the last policy and the mix of seats, and the sum of its squared returns."""

    def compute() -> list[float]:
        mark, deals = SIZES[effort.preset].marks[-1], SIZES[effort.preset].styles
        seen = simulate(agent_after(effort, mark), "irc", deals, effort.seed)
        seats = seen.winnings.hands / deals
        return [seats, sum(seen.decisions), seen.winnings.deviation**2 * seats]

    return tuple(measures(effort, DEFAULT).get("players, decisions and squares of a deal", compute))


class CurvePoint(NamedTuple):
    """What a response won per hand in the deals up to a point, with its standard error."""

    deals: int
    mean: float
    error: float


class Exploited(NamedTuple):
    """A best response: its curve, its style, that of the entry against it, and the entry's own in self-play."""

    curve: list[CurvePoint]
    exploiter: StyleCounts
    against: StyleCounts
    self_play: StyleCounts


def exploited(effort: Effort) -> Exploited:
    """The best response to the last policy, at six seats, that begins with the policy's own weights."""
    ledger = measures(effort, DEFAULT)
    if not ledger.has(("response", "styles")):
        curve, styles = _exploit(effort)
        ledger.put("response", np.ravel(curve))
        ledger.put("styles", styles.ravel())
    points = np.array(ledger.found["response"]).reshape(-1, 3)
    styles = np.array(ledger.found["styles"]).reshape(3, -1)
    curve = [CurvePoint(int(deals), mean, error) for deals, mean, error in points.tolist()]
    return Exploited(curve, *(style_of(row) for row in styles))


def _exploit(effort: Effort) -> tuple[list[CurvePoint], Floats]:
    """The curve, and sums of styles : float64[3, columns]."""
    size = SIZES[effort.preset]
    entry = agent_after(effort, size.marks[-1])
    response = Response(entry, Copies(entry, SEATS, TableRules()), AGAINST_COPIES, effort.seed)
    out = effort.folder / "response" if effort.folder is not None else None
    every = max(size.response // 40, 640)
    run = LearningRun(response, size.response, every, lambda: response_artefact(response.model, entry))
    _, rows = carried_out(InPython(response, run), out, effort, "best response")
    curve = [CurvePoint(row["deals"], row["winnings"]["mean"], row["winnings"]["error"]) for row in rows]
    both = response.styles(size.styles, response.model.flat)
    alone = SelfPlay(SEATS, effort.seed, start=entry).styles(size.styles, entry.flat)
    return curve, np.stack([both[0], both[1], alone[0]])


def style_of(sums: Floats) -> StyleCounts:
    """The counts of one row of `count_styles`."""
    from kibitz.learning._kernels import styles as kernels

    hands, voluntary, folds, wins, walks, showdowns, free = (int(value) for value in sums[:7])
    pairs = PairSums(*(int(value) for value in sums[kernels.RAISES : kernels.CALLS_SQUARED + 1]))
    shares = _moments(showdowns, sums[kernels.SHARES], sums[kernels.SHARES_SQUARED])
    results = _moments(hands, sums[kernels.NET], sums[kernels.NET_SQUARED])
    return StyleCounts(hands, voluntary, folds, wins, walks, showdowns, free, shares, pairs, results)


def _moments(count: int, total: float, squares: float) -> Moments:
    return Moments(count, round(total * GRID), round(squares * GRID**2))
