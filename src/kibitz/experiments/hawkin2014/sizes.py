"""The sizes themselves: where they are after so many deals, and the most important ones on few cards and on more.

Tables 5.1 and 5.2 are learnt by sampling, as in the thesis; tables 7.3 and 7.4 hold two curves against each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from math import nan
from time import perf_counter
from typing import Any, ClassVar, NamedTuple

from kibitz.bet_sizing import BetAbstraction, SizeRange, Transformation
from kibitz.bet_sizing.files import bets_artefact
from kibitz.bet_sizing.sampled import SampledBets
from kibitz.experiments.hawkin2014.curves import (
    PLAYERS,
    SEATS,
    SPECS,
    TABLES,
    Curve,
    CurvePoint,
    CurveSpec,
    complete,
    sizes_of,
)
from kibitz.experiments.hawkin2014.efforts import PAPER, SCALES, curve_before, describe, find_curve, prepared
from kibitz.experiments.hawkin2014.figures import last_point
from kibitz.experiments.ledger import Ledger, open_ledger, plain
from kibitz.experiments.pictures import COLOURS, picture
from kibitz.experiments.published import Cells, Effort, Experiment, Found, PublishedTable
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, carry_out
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.solvers.problem import Problem

MILLION = 1_000_000
SPEC = CurveSpec("BETS [0.8,1] by deals, P1", "bets", (SizeRange(0.8, 1.0),), 0)
WHOLE = "RE [0.8,1], P1"  # its first run is BETS from the same range
EDGES = (0.82, 0.98)
CHUNK = 100_000  # deals between two words of progress
VECTOR = "all deals"  # the row of the full-width solver


@cache
def find_snapshots(effort: Effort) -> Curve:
    """The sizes after the millions of deals of the preset; the number of a point is that of its millions."""
    scale = SCALES[effort.preset]
    made = {"form": "sampled", "rule": "every", "cards": scale.cards_of(SPEC), "boards": 0, "seed": effort.seed}
    ledger = open_ledger(PAPER, SPEC.slug, {"curve": asdict(SPEC), **made}, effort, is_open=True)
    return compute_snapshots(ledger, scale.snapshots, effort)


def compute_snapshots(ledger: Ledger, millions: Sequence[int], effort: Effort, million: int = MILLION) -> Curve:
    """Learn on, and look at the sizes on the way; what the ledger has is gone on from, in a folder beside it."""
    if ledger.has(f"run {each}" for each in millions):
        return Curve.of(ledger)
    problem = prepared(ledger.made["cards"], SCALES[effort.preset].boards, effort)
    made = {name: each for name, each in ledger.made.items() if name != "machine"}
    plan = SnapshotsPlan(problem, made, [each * million for each in millions], million, effort.seed)
    folder = ledger.path.with_name(f"{SPEC.slug}-sizes") if ledger.path is not None else None
    for report in carry_out(plan, folder, resume=folder is not None and (folder / CHECKPOINT).exists()):
        effort.tell(report.stage or SPEC.name, int(report.done), plan.looks[-1])
        if report.row is not None:
            ledger.put(f"run {report.row['run']}", report.row["point"])
    return complete(ledger, folder)


@dataclass(frozen=True)
class SnapshotsPlan(Plan):
    """Sizes after some numbers of deals, `looks`; points are numbered in units of `unit` deals."""

    kind: ClassVar[str] = "snapshots"

    problem: Problem
    made: Mapping[str, Any]
    looks: Sequence[int]
    unit: int
    seed: int

    def identity(self) -> dict[str, Any]:
        return {"plan": self.kind, **self.made}

    def begin(self, means: Means = HERE) -> Snapshots:
        made = SPEC.transformation(self.problem.game)
        # Equation 4.10: with 4.11 rare bets would be where they began, see the notes of the table.
        return Snapshots(self, made, SampledBets(made.build(), self.problem.sampled_deal, self.seed, rule="every"))


class Snapshots:
    """Steps the solver from one look to the next."""

    def __init__(self, plan: SnapshotsPlan, made: Transformation, solver: SampledBets) -> None:
        self.plan, self.made, self.solver = plan, made, solver
        self.arrays, self._begun = solver.arrays, perf_counter()

    @property
    def done(self) -> int:
        """Deals."""
        return self.solver.iteration

    @property
    def found(self) -> BetAbstraction:
        """The sizes as they are now."""
        told = {"run": self.done // self.plan.unit, "iteration": self.done}
        return BetAbstraction(self.made, self.solver.tree, self.solver.sizes(), self.solver.importance(), told)

    def step(self) -> Report | None:
        """Some deals, and at their end perhaps a look."""
        look = next((each for each in self.plan.looks if each > self.done), None)
        if look is None:
            return None
        self.solver.step(min(CHUNK, look - self.done))
        row, number = None, look // self.plan.unit
        if self.done == look:
            found, seconds = self.found, round(perf_counter() - self._begun, 2)
            counts = (len(found.tree.sizers), found.tree.extras, len(found.tree.shape), 0)
            point = CurvePoint(number, look, *counts, nan, nan, nan, nan, seconds, sizes_of(found))
            row, self._begun = {"run": number, "point": plain(vars(point))}, perf_counter()
        return Report(self.done, self.plan.looks[-1], f"{SPEC.name}: {number}m", row)

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.solver.restore(done, dict(arrays))

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        return bets_artefact({SPEC.seat: [self.found]}, {})


def snapshot_table(published: PublishedTable, most: int) -> Experiment:
    """Table 5.1 (all bets) or 5.2 (the `most` important ones)."""

    def at(effort: Effort) -> Experiment:
        def find() -> Cells:
            whole = find_curve(WHOLE, effort)
            points = {f"{point.run}m": point for point in find_snapshots(effort).points}
            if whole is not None:
                points[VECTOR] = whole.points[0]
            for row, point in points.items():
                for column, count in zip(published.columns, counts(point, most), strict=True):
                    yield row, column, Found(float(count), reason="other deals, other cards")

        lengths = SCALES[effort.preset].snapshots
        sampled = f"after {', '.join(map(str, lengths))} million" if lengths else "not by this preset"
        notes = (
            f"Rows by deals: one deal an iteration, as in the thesis, {sampled}. The deals are others than its own: "
            f"{published.tolerance} bets more or less count as reproduced.",
            f'"{VECTOR}" is the full-width solver at the end of its run: it has no length in deals, and is '
            "what the others should come to.",
            "The thesis does not say where sizes begin; here it is the middle, as regret matching has it. By equation "
            "4.11 rare bets hardly move in 10^6 deals: begun at the low end, 159 of 160 are there still (printed 152), "
            "begun in the middle 2. With 4.10 it is 94 or 95 either way. So the thesis seems to begin at the low end.",
        )
        return Experiment(published, find, (*notes, *describe((WHOLE,), effort)))

    return Experiment(published, None, scaled=at)


def counts(point: CurvePoint, most: int) -> tuple[int, int, int]:
    """How many sizes of the `most` important bets are up to 0.82, between, and from 0.98 on."""
    sizes = [each.size for each in point.sizes[:most]]
    low, high = sum(size <= EDGES[0] for size in sizes), sum(size >= EDGES[1] for size in sizes)
    return low, len(sizes) - low - high, high


RUN, FIRST = 5, 25  # of the rankings
ABSENT = "not among our 200 most important bets, or no bet of our tree"
OTHER_CARDS = "other cards than IR-100 and IR-570, so that other sizes and ranks are right"
OTHER_MEANS = "k-means of our own features and starts, so other buckets; and sampled boards leave noise in small bets"


class Ranked(NamedTuple):
    """A bet: its place (from 1) and size on few cards and on more, nan where it is not among the kept ones."""

    sequence: str
    rank: float
    size: float
    larger_rank: float
    larger_size: float


def names_of(seat: int, effort: Effort) -> tuple[str, str]:
    """The curves held against each other: the thesis's where both were computed before."""
    for small, large in (SCALES["full"].ranked[:2], SCALES[effort.preset].ranked[:2]):
        names = f"{small}, {SEATS[seat]}", f"{large}, {SEATS[seat]}"
        if all(curve_before(SPECS[name], effort) is not None for name in names):
            return names
    return names


def compare(small: CurvePoint, large: CurvePoint) -> list[Ranked]:
    """The kept bets of the first, the most important first."""
    there = {each.sequence: (rank, each.size) for rank, each in enumerate(large.sizes, 1)}
    return [
        Ranked(each.sequence, rank, each.size, *there.get(each.sequence, (nan, nan)))
        for rank, each in enumerate(small.sizes, 1)
    ]


def found_ranking(seat: int, effort: Effort) -> list[Ranked]:
    """Ours, empty where a curve is not computed."""
    small, large = (find_curve(name, effort) for name in names_of(seat, effort))
    if small is None or large is None:
        return []
    return compare(last_point(small, RUN), last_point(large, RUN))


def _told(seats: tuple[int, ...], effort: Effort) -> tuple[str, tuple[str, ...]]:
    """Why figures differ from the printed ones, and notes."""
    names = [name for seat in seats for name in names_of(seat, effort)]
    first = f"Ours: {' against '.join(names[:2])}, run {RUN} or the last there is."
    is_of_thesis = names[0].startswith(SCALES["full"].ranked[0])
    if not is_of_thesis:
        first += " The thesis has IR-100 and IR-570."
    return OTHER_MEANS if is_of_thesis else OTHER_CARDS, (first, *describe(names, effort))


def ranking_table(seat: int) -> Experiment:
    """Table 7.3 or 7.4."""
    published = (TABLES["table-7.3"], TABLES["table-7.4"])[seat]

    def at(effort: Effort) -> Experiment:
        reason, notes = _told((seat,), effort)

        def find() -> Cells:
            ours = {each.sequence: each for each in found_ranking(seat, effort)}
            for sequence in published.rows if ours else ():
                _sequence, *figures = ours.get(sequence, Ranked(sequence, nan, nan, nan, nan))
                for column, figure in zip(published.columns, figures, strict=True):
                    yield sequence, column, Found(figure, reason=ABSENT if figure != figure else reason)

        def draw() -> str:
            rows = [(each.sequence, each.size, each.larger_size) for each in found_ranking(seat, effort)[:FIRST]]
            return draw_ranking(rows, names_of(seat, effort)) if rows else ""

        first = (
            "Printed: after five runs. Ranks within half of the printed one and sizes within 0.1 count as reproduced."
        )
        ranking = lambda: {"ranking": [each._asdict() for each in found_ranking(seat, effort)]}  # noqa: E731
        return Experiment(published, find, (first, *notes), draw, ranking)

    return Experiment(published, None, scaled=at)


def draw_ranking(rows: Sequence[tuple[str, float, float]], names: tuple[str, str]) -> str:
    """The sizes of the same bets in two abstractions, the most important at the top."""
    with picture(0.9 + 0.2 * len(rows)) as (axes, text):
        places = range(len(rows))
        for place, (_sequence, small, large) in zip(places, rows, strict=True):
            axes.plot([small, large], [place, place], color="#999999", lw=1, zorder=1)
        for number, name in enumerate(names):
            axes.scatter([row[number + 1] for row in rows], places, s=18, color=COLOURS[number], label=name, zorder=2)
        axes.set_yticks(places, [f"{place + 1}  {row[0]}" for place, row in zip(places, rows, strict=True)])
        axes.invert_yaxis()
        axes.set_xlabel("size, pots")
        axes.legend(frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2)
    return text[0]


def section_7_3(effort: Effort) -> Experiment:
    """How far the 25 most important sizes move, and how many are no longer among 25."""
    reason, notes = _told((0, 1), effort)

    def find() -> Cells:
        for seat, player in enumerate(PLAYERS):
            top = found_ranking(seat, effort)[:FIRST]
            moved = [abs(each.size - each.larger_size) for each in top if each.larger_size == each.larger_size]
            if moved:
                yield player, "mean difference", Found(sum(moved) / len(moved), reason=reason)
                left = sum(not each.larger_rank <= FIRST for each in top)
                yield player, "left the 25", Found(float(left), reason=reason)

    return Experiment(TABLES["section-7.3"], find, notes)
