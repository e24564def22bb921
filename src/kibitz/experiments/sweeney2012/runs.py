"""The runs behind chapter 5: self-play with the IRC mix of players, rollout errors on the way, a best response."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, partial
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


def snapshots(effort: Effort, until: int | None = None) -> list[tuple[int, Model]]:
    """The policy at every mark of self-play, or at those that come `until` so many deals; in a folder they are kept,
    and a later call begins after the last mark that is whole.
    """
    return _train(effort, tuple(mark for mark in SIZES[effort.preset].marks if until is None or mark <= until))


@cache
def _train(effort: Effort, marks: tuple[int, ...]) -> list[tuple[int, Model]]:
    trainer, kept, folder = SelfPlay("irc", effort.seed), [], effort.folder
    if folder is not None and (folder / CHECKPOINT).exists():
        load_checkpoint(folder / CHECKPOINT, trainer)
    for mark in marks:
        place = folder / f"bot-{mark}" if folder is not None else None
        if place is not None and is_model(place):
            kept.append((mark, load_model(place)))
            continue
        if trainer.deals > mark:
            raise KibitzError(f"{folder}: the run is past {mark:,} deals, but {place} is not there: begin anew")
        while trainer.deals < mark:
            effort.tell(f"self-play, {effort.preset}", trainer.deals, marks[-1])
            trainer.train(min(AT_ONCE, mark - trainer.deals))
            if folder is not None:
                folder.mkdir(parents=True, exist_ok=True)
                save_checkpoint(folder / CHECKPOINT, trainer)
        kept.append((mark, trainer.model))
        if place is not None:
            save_model(trainer.model, place)
    return kept


def agent_after(effort: Effort, deals: int) -> Model:
    """The policy at one mark of self-play. Where the folder has it, other marks need not be there: another preset with
    other ones may have left it, and its run may have gone on since.
    """
    place = effort.folder / f"bot-{deals}" if effort.folder is not None else None
    return load_model(place) if place is not None and is_model(place) else snapshots(effort, deals)[-1][1]


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
def measures(effort: Effort) -> Ledger:
    """What was measured at this preset, with the package or in the folder of the effort."""
    described = {
        "size": SIZES[effort.preset]._asdict(),
        "seed": effort.seed,
        "players": "irc",
        "learning": Learning().describe(),
        "responding": AGAINST_COPIES.describe(),
    }
    return open_ledger("sweeney2012", f"chapter-5-{effort.preset}", described, effort, is_open=True)


def rollouts(effort: Effort, mark: int, size: tuple[int, int]) -> ErrorsByStage:
    """The rollout errors of the policy after `mark` deals, from so many decisions and samples of each."""
    settings = RolloutSettings(*size, seats="irc", seed=effort.seed)

    def measure() -> list[float]:
        """The numbers of all stages; in a folder single decisions are kept until all are measured."""
        model, rules, ledger = dict(snapshots(effort))[mark], TableRules(), None
        if effort.folder is not None:
            path = effort.folder / f"rollouts-{mark}-{settings.decisions}x{settings.samples}.jsonl"
            ledger = RolloutLedger(path, describe_run(model, rules, settings), resume=path.exists())
        tell = partial(_tell_rollouts, effort, mark, settings.decisions)
        return ErrorsByStage.numbers(measure_rollout_errors(model, rules, settings, effort.threads, tell, ledger))

    name = f"rollouts after {mark} deals, {settings.decisions} x {settings.samples}"
    return ErrorsByStage.of(measures(effort).get(name, measure))


def _tell_rollouts(effort: Effort, mark: int, goal: int, done: int) -> None:
    effort.tell(f"rollouts after {mark:,} deals", done, goal)


def deal_sizes(effort: Effort) -> tuple[float, ...]:
    """Players and decisions of a deal with the last policy and the mix of seats, and the sum of its squared returns."""

    def compute() -> list[float]:
        mark, deals = SIZES[effort.preset].marks[-1], SIZES[effort.preset].styles
        told = simulate(agent_after(effort, mark), "irc", deals, effort.seed)
        return [float(number) / deals for number in (told[2], told[8:12].sum(), told[29])]

    return tuple(measures(effort).get("players, decisions and squares of a deal", compute))


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
    ledger = measures(effort)
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
    size, entry = SIZES[effort.preset], snapshots(effort)[-1][1]
    response = Response(entry, Copies(entry, SEATS, TableRules()), AGAINST_COPIES, effort.seed)
    out = effort.folder / "response" if effort.folder is not None else None
    resume = out is not None and (out / RUN_CHECKPOINT).exists()
    curve = []
    for each in run_response(response, size.response, out, resume, max(size.response // 40, 640)):
        effort.tell("best response", each.deals, size.response)
        curve.append(CurvePoint(each.deals, each.winnings.mean, each.winnings.error))
    if out is not None:  # with what an earlier call has told
        rows = [json.loads(line) for line in (out / CURVE).read_text().splitlines()]
        curve = [CurvePoint(row["deals"], row["winnings"]["mean"], row["winnings"]["error"]) for row in rows]
    both = count_styles(response.model, entry, size.styles, effort.seed, response.flat)
    alone = count_styles(entry, None, size.styles, effort.seed)
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
