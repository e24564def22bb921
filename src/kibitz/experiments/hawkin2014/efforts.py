"""How much is done for a curve, and where its points come from: computed before, kept in a folder, or computed now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from kibitz.experiments.hawkin2014.curves import (
    SPECS,
    Curve,
    CurveSpec,
    Valuation,
    compute_curve,
    describe_curve,
    plan_of,
)
from kibitz.experiments.ledger import open_ledger, stored_ledger
from kibitz.experiments.published import Effort
from kibitz.games.named import nolimit_holdem
from kibitz.plans import Report
from kibitz.solvers.problem import Problem

PAPER = "hawkin2014"
RUNS = 10  # of every printed curve


@dataclass(frozen=True)
class Scale:
    """A preset.

    iterations   of a run with all deals at once
    runs         with one, two and three ranges a decision; a curve without runs is left out
    valued       runs that are valued with all deals at once, the first ones
    evaluate     iterations to value a run
    boards       on which the joint bucket distribution is counted
    weighed      deals on which the importance of bets is found
    play         boards of self-play
    dealt        boards of a run with imperfect recall
    sampled      boards of public chance sampling to value such a run
    snapshots    millions of deals after which table 5.1 looks at the sizes
    ranked       two curves whose sizes are held against each other, of fewer cards and of more, and their runs
    cards        to take instead of those of the thesis
    """

    iterations: int
    runs: tuple[int, int, int]
    valued: int
    evaluate: int
    boards: int
    weighed: int
    play: int
    dealt: int
    sampled: int
    snapshots: tuple[int, ...]
    ranked: tuple[str, str, int]
    cards: Mapping[str, str] = field(default_factory=dict)

    def runs_of(self, spec: CurveSpec) -> int:
        """How many runs of a curve are learnt."""
        if spec.name.startswith(self.ranked[:2]):
            return self.ranked[2]
        return self.runs[len(spec.ranges) - 1]

    def cards_of(self, spec: CurveSpec) -> str:
        return self.cards.get(spec.cards, spec.cards)


SCALES: dict[str, Scale] = {
    "smoke": Scale(
        iterations=60,
        runs=(1, 0, 0),
        valued=1,
        evaluate=30,
        boards=200,
        weighed=500,
        play=50,
        dealt=100,
        sampled=100,
        snapshots=(),
        ranked=("3-bucket REDM 3 ranges", "4-bucket REDM 3 ranges", 1),
        cards={"IR-100": "IR EHS2 169-20-20-20"},
    ),
    "short": Scale(
        iterations=300,
        runs=(5, 0, 0),
        valued=2,
        evaluate=600,
        boards=4_000,
        weighed=5_000,
        play=1_000,
        dealt=1_000,
        sampled=1_000,
        snapshots=(1,),
        ranked=("3-bucket REDM 3 ranges", "4-bucket REDM 3 ranges", 2),
    ),
    "full": Scale(
        iterations=1000,
        runs=(RUNS,) * 3,
        valued=RUNS,
        evaluate=500,
        boards=40_000,
        weighed=20_000,
        play=20_000,
        dealt=6_000,
        sampled=12_000,
        snapshots=(1, 4, 6, 8, 10),
        ranked=("IR-100 REDM 3 ranges", "IR-570 REDM 3 ranges", 5),
    ),
}
# Curves that no preset computes: a day of sampling and more. They are shown where they have been computed before.
TOO_LONG = ("EHS", "IR-570 REDM 1", "IR-570 REDM 2", "IR-100 REDM 2", "IR-100 REFINED")
# Only the important sizes of these are looked at, which are the first to settle: they take less effort.
UNVALUED = ("3-bucket", "4-bucket", "IR-100 REDM 3", "IR-570 REDM 3")


class Work(NamedTuple):
    """What a preset does for a run of a curve: iterations to learn its sizes, and to value them; 0: they are not."""

    at_once: bool  # an iteration takes all deals; else one board
    learn: int
    value: int


def work_of(spec: CurveSpec, scale: Scale) -> Work:
    """The work of `scale` for a run of a curve."""
    at_once = Problem(nolimit_holdem(), "fcpa", cards=scale.cards_of(spec)).is_measurable
    learn, value = (scale.iterations, scale.evaluate) if at_once else (scale.dealt, scale.sampled)
    if spec.name.startswith(UNVALUED):
        return Work(at_once, learn if at_once else learn // 3, 0)
    return Work(at_once, learn, value)


def stored_curve(slug: str) -> Curve | None:
    """A curve that comes with the package."""
    found = stored_ledger(PAPER, slug)
    return Curve.of(found) if found is not None else None


def is_enough(curve: Curve, spec: CurveSpec, scale: Scale) -> bool:
    """Whether a curve computed before is of these cards, and no less thorough than the preset."""
    made, work = curve.made, work_of(spec, scale)
    return (
        curve.spec == spec
        and made["cards"] == scale.cards_of(spec)
        and (not work.at_once or made["boards"] == 0 or made["boards"] >= scale.boards)
        and made["iterations"] >= work.learn
        and made["evaluate iterations"] >= work.value
    )


def curve_before(spec: CurveSpec, effort: Effort) -> Curve | None:
    """The curve that was computed before, if this effort takes it; whoever gives a seed wants another one."""
    if effort.preset == "smoke" or effort.seed:
        return None
    curve = stored_curve(spec.slug)
    return curve if curve is not None and is_enough(curve, spec, SCALES[effort.preset]) else None


def is_run(spec: CurveSpec, effort: Effort) -> bool:
    """Whether this effort computes the curve."""
    return not spec.name.startswith(TOO_LONG) and SCALES[effort.preset].runs_of(spec) > 0


@cache
def find_curve(name: str, effort: Effort) -> Curve | None:
    """A curve at an effort; None where it is neither there nor computed."""
    spec, scale = SPECS[name], SCALES[effort.preset]
    before = curve_before(spec, effort)
    if before is not None or not is_run(spec, effort):
        return before
    problem = prepared(scale.cards_of(spec), scale.boards, effort)
    work = work_of(spec, scale)

    def on_report(report: Report) -> None:
        effort.tell(f"{name}: {report.stage}", int(report.done), int(report.goal or 0))

    plan = plan_of(spec, problem, work.learn, scale.runs_of(spec), threads=effort.threads, weighed=scale.weighed)
    boards = scale.play if name.startswith("RED 1") or not work.at_once else 0
    valuation = Valuation(work.value, scale.valued if work.at_once else None, boards)
    folder = effort.folder / effort.preset / spec.slug if effort.folder is not None else None
    ledger = open_ledger(PAPER, spec.slug, describe_curve(spec, plan, valuation), effort, is_open=True)
    return compute_curve(plan, valuation, ledger, on_report, folder)


@cache
def prepared(cards: str, boards: int, effort: Effort) -> Problem:
    """Hold'em on those cards, with its cards made."""
    problem = Problem(nolimit_holdem(), "fcpa", cards=cards, boards=boards, seed=effort.seed)
    problem.prepare(effort.threads, effort.tell)
    return problem


def describe(names: Iterable[str], effort: Effort) -> tuple[str, ...]:
    """Sentences on how curves are made at this effort, those computed before apart."""
    scale = SCALES[effort.preset]
    curves = {name: curve_before(SPECS[name], effort) for name in names}
    notes = []
    for name, curve in curves.items():
        if curve is not None:
            made = curve.made
            if made["form"] == "boards":
                how = f"{made['iterations']:,} boards a run"
            else:
                boards = f"{made['boards']:,} boards" if made["boards"] else "all boards"
                how = f"{boards}, {made['iterations']:,} iterations a run ({made['form']})"
            value = f"{made['evaluate iterations']:,} to value it" if made["evaluate iterations"] else "not valued"
            notes.append(
                f"{name}: computed before ({made['machine']}, {curve.seconds:,.0f} s) on {made['cards']}, {how}, "
                f"{value}, seed {made['seed']}."
            )
    now = [name for name, curve in curves.items() if curve is None and is_run(SPECS[name], effort)]
    for name in now:
        spec = SPECS[name]
        cards, runs, work = scale.cards_of(spec), scale.runs_of(spec), work_of(spec, scale)
        how = f"{work.learn:,} boards a run"
        if work.at_once:
            how = f"{scale.boards:,} boards, {work.learn:,} iterations a run"
        if work.value and work.at_once:
            valued = "all" if scale.valued >= runs else f"the first {scale.valued}"
            how += f", {valued} valued by {work.value:,} more"
        elif work.value:
            how += f", valued by self-play after {work.value:,} boards of public sampling"
        notes.append(f"{name}: {effort.preset} does {runs} {'run' if runs == 1 else 'runs'} on {cards}, {how}.")
    left = [name for name, curve in curves.items() if curve is None and name not in now]
    if left:
        notes.append(f"Not computed by this preset: {'; '.join(left)}.")
    return tuple(notes)
