"""The runs behind chapter 5: self-play with the IRC mix of players, rollout errors on the way, a best response."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.experiments.ledger import Ledger, open_ledger
from kibitz.experiments.published import Effort
from kibitz.learning import Learning, Model, SelfPlay, is_model, load_model, save_model, simulate
from kibitz.learning.campaign import CHECKPOINT as RUN_CHECKPOINT
from kibitz.learning.campaign import CURVE, load_checkpoint, save_checkpoint
from kibitz.learning.records import RUN, make_record, make_work
from kibitz.learning.responses import AGAINST_COPIES, Copies, Response, run_response
from kibitz.learning.rollouts import (
    RolloutLedger,
    RolloutReport,
    RolloutSettings,
    StageErrors,
    describe_run,
    measure_rollout_errors,
)
from kibitz.learning.tables import TableRules, seat_chances
from kibitz.modelling.styles import StyleCounts
from kibitz.progress import Progress
from kibitz.statistics import GRID, Moments, PairSums

Floats = npt.NDArray[np.float64]
SEATS = 6  # of the best response
CHECKPOINT = "self-play.npz"
AT_ONCE = 100_000  # deals between reports


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


SIZES = {
    "smoke": Size((3_200, 12_800), (30, 30), (60, 40), (60, 40), 6_400, 2_000),
    "short": Size((1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000), (300, 300), (4_000, 1_000),
                  (20_000, 1_000), 4_000_000, 200_000),
    "full": Size((1_000_000, *range(10_000_000, 110_000_000, 10_000_000)), (1_000, 1_000), (10_000, 1_000),
                 (60_000, 1_000), 6_000_000, 1_000_000),
}  # fmt: skip


class Key(NamedTuple):
    """What a run depends on."""

    preset: str
    seed: int
    folder: Path | None


class Work(NamedTuple):
    """A run and how it is done."""

    key: Key
    threads: int
    tell: Progress

    @classmethod
    def of(cls, effort: Effort) -> Work:
        """The work of an effort."""
        return cls(Key(effort.preset, effort.seed, effort.folder), effort.threads, effort.tell)


_DONE: dict[tuple[object, ...], object] = {}


def snapshots(work: Work, until: int | None = None) -> list[tuple[int, Model]]:
    """The policy at every mark of self-play, or at those that come `until` so many deals; in a folder they are kept,
    and a later call begins after the last mark that is whole.
    """
    marks = tuple(mark for mark in SIZES[work.key.preset].marks if until is None or mark <= until)
    found = _DONE.get(("snapshots", work.key, marks))
    if found is None:
        found = _DONE["snapshots", work.key, marks] = _train(work, marks)
    return found  # type: ignore[return-value]


def agent_after(work: Work, deals: int) -> Model:
    """The policy at one mark of self-play. Where the folder has it, other marks need not be there: another preset with
    other ones may have left it, and its run may have gone on since.
    """
    place = work.key.folder / f"bot-{deals}" if work.key.folder is not None else None
    return load_model(place) if place is not None and is_model(place) else snapshots(work, deals)[-1][1]


def _train(work: Work, marks: tuple[int, ...]) -> list[tuple[int, Model]]:
    preset, seed, folder = work.key
    trainer, kept = SelfPlay("irc", seed), []
    checkpoint = folder / CHECKPOINT if folder is not None else None
    if checkpoint is not None and checkpoint.exists():
        load_checkpoint(checkpoint, trainer)
    for mark in marks:
        place = folder / f"bot-{mark}" if folder is not None else None
        if place is not None and is_model(place):
            kept.append((mark, load_model(place)))
            continue
        if trainer.deals > mark:
            raise KibitzError(f"{folder}: the run is past {mark:,} deals, but {place} is not there: begin anew")
        while trainer.deals < mark:
            work.tell(f"self-play, {preset}", trainer.deals, marks[-1])
            trainer.train(min(AT_ONCE, mark - trainer.deals))
            if checkpoint is not None:
                checkpoint.parent.mkdir(parents=True, exist_ok=True)
                save_checkpoint(checkpoint, trainer)
        kept.append((mark, trainer.model))
        if place is not None:
            save_model(trainer.model, place)
    return kept


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


def measures(work: Work) -> Ledger:
    """What was measured at this preset, with the package or in the folder of the work."""
    found = _DONE.get(("measures", work.key))
    if found is None:
        preset, seed, folder = work.key
        described = {
            "size": SIZES[preset]._asdict(),
            "seed": seed,
            "players": "irc",
            "learning": Learning().describe(),
            "responding": AGAINST_COPIES.describe(),
        }
        effort = Effort(preset, seed=seed, folder=folder)
        found = _DONE["measures", work.key] = open_ledger(
            "sweeney2012", f"chapter-5-{preset}", described, effort, is_open=True
        )
    return found  # type: ignore[return-value]


def rollouts(work: Work, mark: int, effort: tuple[int, int]) -> ErrorsByStage:
    """The rollout errors of the policy after `mark` deals, from so many decisions and samples of each."""
    decisions, samples = effort
    settings = RolloutSettings(decisions, samples, seats="irc", seed=work.key.seed)
    name = f"rollouts after {mark} deals, {decisions} x {samples}"
    return ErrorsByStage.of(measures(work).get(name, lambda: _measure(work, mark, settings)))


def _measure(work: Work, mark: int, settings: RolloutSettings) -> list[float]:
    """The numbers of all stages; in a folder single decisions are kept until all are measured."""
    model, rules = dict(snapshots(work))[mark], TableRules()

    def count(done: int) -> None:
        work.tell(f"rollouts after {mark:,} deals", done, settings.decisions)

    ledger = None
    if work.key.folder is not None:
        path = work.key.folder / f"rollouts-{mark}-{settings.decisions}x{settings.samples}.jsonl"
        ledger = RolloutLedger(path, describe_run(model, rules, settings), resume=path.exists())
    return ErrorsByStage.numbers(measure_rollout_errors(model, rules, settings, work.threads, count, ledger))


def deal_sizes(work: Work) -> tuple[float, ...]:
    """Players and decisions of a deal with the last policy and the mix of seats, and the sum of its squared returns."""

    def compute() -> list[float]:
        mark, deals = SIZES[work.key.preset].marks[-1], SIZES[work.key.preset].styles
        told = simulate(agent_after(work, mark), "irc", deals, work.key.seed)
        return [float(number) / deals for number in (told[2], told[8:12].sum(), told[29])]

    return measures(work).get("players, decisions and squares of a deal", compute)


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


def exploited(work: Work) -> Exploited:
    """The best response to the last policy, at six seats, that begins with the policy's own weights."""
    ledger = measures(work)
    if not ledger.has(("response", "styles")):
        curve, styles = _exploit(work)
        ledger.put("response", np.ravel(curve))
        ledger.put("styles", styles.ravel())
    points = np.array(ledger.found["response"]).reshape(-1, 3)
    styles = np.array(ledger.found["styles"]).reshape(3, -1)
    curve = [CurvePoint(int(deals), mean, error) for deals, mean, error in points.tolist()]
    return Exploited(curve, *(style_of(row) for row in styles))


def _exploit(work: Work) -> tuple[list[CurvePoint], Floats]:
    """The curve, and sums of styles : float64[3, columns]."""
    size, entry = SIZES[work.key.preset], snapshots(work)[-1][1]
    response = Response(entry, Copies(entry, SEATS, TableRules()), AGAINST_COPIES, work.key.seed)
    out = work.key.folder / "response" if work.key.folder is not None else None
    resume = out is not None and (out / RUN_CHECKPOINT).exists()
    curve = []
    for each in run_response(response, size.response, out, resume, max(size.response // 40, 640)):
        work.tell("best response", each.deals, size.response)
        curve.append(CurvePoint(each.deals, each.winnings.mean, each.winnings.error))
    if out is not None:  # with what an earlier call has told
        rows = [json.loads(line) for line in (out / CURVE).read_text().splitlines()]
        curve = [CurvePoint(row["deals"], row["winnings"]["mean"], row["winnings"]["error"]) for row in rows]
    both = count_styles(response.model, entry, size.styles, work.key.seed, response.flat)
    alone = count_styles(entry, None, size.styles, work.key.seed)
    return curve, np.stack([both[0], both[1], alone[1]])


def count_styles(policy: Model, others: Model | None, deals: int, seed: int, flat: Floats | None = None) -> Floats:
    """Sums of how one seat with `policy` and the others play at a table of six; without others, all are `policy`.

    flat   the weights of the policy, where they are not the model's own
    """
    from kibitz.learning.records import WEIGHTS
    from kibitz.learning.responses import _kernels

    observer = policy if others is None else others
    weights = policy.record if flat is None else flat.view(WEIGHTS)
    run = make_record(RUN, seats=np.cumsum(seat_chances(SEATS)), separate=others is not None)
    sums = np.zeros((2, _kernels.COLUMNS))
    _kernels.count_styles(
        seed, 1 << 51, deals, weights, observer.record, run, TableRules().table, observer.structure.mode, make_work(),
        sums,
    )  # fmt: skip
    return sums


def style_of(sums: Floats) -> StyleCounts:
    """The counts of one row of `count_styles`."""
    from kibitz.learning.responses import _kernels as kernels

    hands, voluntary, folds, wins, walks, showdowns, free = (int(value) for value in sums[:7])
    pairs = PairSums(*(int(value) for value in sums[kernels.RAISES : kernels.CALLS_SQUARED + 1]))
    shares = _moments(showdowns, sums[kernels.SHARES], sums[kernels.SHARES_SQUARED])
    results = _moments(hands, sums[kernels.NET], sums[kernels.NET_SQUARED])
    return StyleCounts(hands, voluntary, folds, wins, walks, showdowns, free, shares, pairs, results)


def _moments(count: int, total: float, squares: float) -> Moments:
    return Moments(count, round(total * GRID), round(squares * GRID**2))
