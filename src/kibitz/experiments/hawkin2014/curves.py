"""Value curves: what the sizes of every run of a BETS algorithm are worth, as cells that say where they come from.

Those of the thesis have names, one for each seat: "RED 1 range, P1" and "RED 1 range, P2". A curve is a ledger with a
cell for each run. Values are mbb per hand to player two, as the thesis has them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import nan
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kibitz.abstraction import parse_notation
from kibitz.bet_sizing import BetAbstraction, SizeRange, SizingPlan, Transformation, default_ranges
from kibitz.bet_sizing import Report as FoundReport
from kibitz.bet_sizing.tree import count_pairs
from kibitz.bet_sizing.value import bound_value, value_in_play
from kibitz.bet_sizing.vector import VectorBets
from kibitz.experiments.ledger import Ledger, plain
from kibitz.experiments.published import PublishedTable, load_printed
from kibitz.games import Game
from kibitz.plans import Report, Row, carry_out, read_curve
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.solvers.problem import Problem

SEATS = ("P1", "P2")  # player one is the big blind, player two the dealer
PLAYERS = ("player one", "player two")


class Series(NamedTuple):
    """A printed curve: value to player two in mbb per hand by run, and what stands behind its "±"."""

    values: tuple[float, ...]
    bounds: tuple[float, ...]

    @classmethod
    def parse(cls, text: str) -> Series:
        """Such as "51.14±2.4 42.8±2.59"."""
        return cls(*zip(*(map(float, each.split("±")) for each in text.split()), strict=True))


_DOCUMENT = load_printed("kibitz.experiments.hawkin2014")
TABLES: dict[str, PublishedTable] = _DOCUMENT["tables"]
SERIES: dict[str, Series] = {name: Series.parse(text) for name, text in _DOCUMENT["series"].items()}


@dataclass(frozen=True)
class CurveSpec:
    """What a curve is about.

    algorithm  a name of `kibitz.bet_sizing.ALGORITHMS`
    ranges     default ranges of the player who learns
    seat       his: 0 is player one (the big blind), 1 player two (the dealer)
    extras     refined: bets kept beyond one per decision
    cards      the card abstraction
    opponent   menu of the other player
    """

    name: str
    algorithm: str
    ranges: tuple[SizeRange, ...]
    seat: int
    extras: int = 0
    cards: str = "5-bucket"
    opponent: str = "fcpa"

    @property
    def slug(self) -> str:
        """The name as a file is called."""
        return re.sub(r"[^a-z0-9.]+", "-", self.name.lower()).strip("-")

    def transformation(self, game: Game) -> Transformation:
        """The game with bets that have ranges."""
        return against(game, self.seat, *self.ranges, opponent=self.opponent)


def against(game: Game, seat: int, *ranges: SizeRange, opponent: str = "fcpa") -> Transformation:
    """One seat with ranges, the other with a menu: by default fold, call, pot and all-in."""
    if seat == 0:
        return Transformation(game, (ranges, ()), ("all-in", opponent))
    return Transformation(game, ((), ranges), (opponent, "all-in"))


_CARDS = {"": "5-bucket", "EHS": "5-bucket EHS"}
_NAME = re.compile(r"(?:(\S+) )?(RE|RED|REDM|REFINED) (?:\[(.+),(.+)\]|(\d) ranges?)(?: e=(\d+))?")


def _spec_of(name: str, seat: int) -> CurveSpec:
    """What a name of the thesis stands for, such as "IR-100 REFINED 3 ranges e=25" with its seat."""
    found = _NAME.fullmatch(name)
    assert found is not None
    prefix, algorithm, low, high, count, extras = found.groups(default="")
    ranges = default_ranges(200, 5, int(count)) if count else (SizeRange(float(low), float(high)),)
    cards = _CARDS.get(prefix, prefix)
    return CurveSpec(f"{name}, {SEATS[seat]}", algorithm.lower(), tuple(ranges), seat, int(extras or 0), cards)


_BY_RANGES = ("REDM 1 range", "REDM 2 ranges", "REDM 3 ranges")
_NAMES = (
    *("RE [0.4,0.6]", "RE [0.8,1]", "RE [1.2,1.4]", "RED 1 range", *_BY_RANGES[1:]),
    *("REFINED 2 ranges e=1", "REFINED 2 ranges e=25", "EHS RED 1 range"),
    *(f"IR-100 {each}" for each in _BY_RANGES),
    *(f"IR-100 REFINED 3 ranges e={extras}" for extras in (1, 25, 50, 100)),
    *(f"IR-570 {each}" for each in _BY_RANGES),
    *("3-bucket REDM 3 ranges", "4-bucket REDM 3 ranges"),
)
SPECS = {spec.name: spec for spec in (_spec_of(name, seat) for name in _NAMES for seat in (0, 1))}
TOP = 200  # bets of a point that are kept, the most important ones


class Sized(NamedTuple):
    """A learnt bet: its public sequence, its size in pots, and the chips per hand and pot that hang on it."""

    sequence: str
    size: float
    importance: float


@dataclass(frozen=True)
class CurvePoint:
    """One run.

    iterations       of the run
    bets, extras     with a range, and those beyond one per decision
    nodes, pairs     of the tree, and (information set, action) pairs of both players as the thesis counts them
    low, high        bounds on the value of the game with these sizes, or the 95 % interval where `made` says self-play
    value, error     their middle and half their distance
    seconds          of learning and measuring
    sizes            of the most important bets, the most important first
    played           what both players' strategy is worth in real hands, and half its 95 % interval; nan if not asked
    """

    run: int
    iterations: int
    bets: int
    extras: int
    nodes: int
    pairs: int
    value: float
    error: float
    low: float
    high: float
    seconds: float
    sizes: tuple[Sized, ...]
    played: float = nan
    played_error: float = nan

    @classmethod
    def read(cls, cell: dict[str, Any]) -> CurvePoint:
        """From a cell of a ledger, where a number that is not there is null."""
        numbers: dict[str, Any] = {key: nan if each is None else each for key, each in cell.items()}
        return cls(**numbers | {"sizes": tuple(Sized(*each) for each in cell["sizes"])})


def sizes_of(found: BetAbstraction) -> tuple[Sized, ...]:
    """The most important bets of a run."""
    return tuple(Sized(row["bet"], row["size"], row["importance"]) for row in found.table(TOP))


@dataclass(frozen=True)
class Curve:
    """The points of a curve in order, and what they were made with."""

    spec: CurveSpec
    made: dict[str, Any]
    points: tuple[CurvePoint, ...] = ()

    @classmethod
    def of(cls, ledger: Ledger) -> Curve:
        """All that a ledger has."""
        told = {**ledger.made["curve"]}
        spec = CurveSpec(**told | {"ranges": tuple(SizeRange(*each) for each in told["ranges"])})
        made = {key: each for key, each in ledger.made.items() if key != "curve"}
        return cls(spec, made, tuple(sorted(map(CurvePoint.read, ledger.found.values()), key=lambda each: each.run)))

    def at(self, run: int) -> CurvePoint | None:
        """The point of a run."""
        return next((point for point in self.points if point.run == run), None)

    @property
    def seconds(self) -> float:
        """Of all points."""
        return sum(point.seconds for point in self.points)


@dataclass(frozen=True)
class Valuation:
    """How the sizes of a run are valued.

    iterations   to solve the game with them: of discounted CFR, or boards of public chance sampling with imperfect
                 recall; 0 leaves runs without a value
    runs         only the first ones are valued; the others have sizes and counts
    boards       on which self-play is valued too; with imperfect recall it is the only value
    """

    iterations: int = 500
    runs: int | None = None
    boards: int = 0

    def iterations_of(self, run: int) -> int:
        """Iterations to value a run."""
        return self.iterations if self.runs is None or run <= self.runs else 0


def plan_of(spec: CurveSpec, problem: Problem, iterations: int = 1000, runs: int = 10, **options: Any) -> SizingPlan:
    """The runs of a curve; `problem` says where the cards come from, and on boards if recall is imperfect."""
    made = {"form": "vector" if problem.is_measurable else "boards", "seed": problem.seed, **options}
    more: Any = {"algorithm": spec.algorithm, "extras": spec.extras, **made}
    return SizingPlan(spec.transformation(problem.game), problem, iterations=iterations, runs=runs, **more)


def describe_curve(spec: CurveSpec, plan: SizingPlan, valuation: Valuation) -> dict[str, Any]:
    """What identifies the points of a curve."""
    return {
        "curve": asdict(spec),
        **plan.describe(),
        "evaluate iterations": valuation.iterations,
        "measure": "bounds" if plan.problem.is_measurable else "self-play",
        "play boards": valuation.boards,
    }


def compute_curve(
    plan: SizingPlan,
    valuation: Valuation,
    ledger: Ledger,
    on_report: Callable[[Report], None] | None = None,
    folder: Path | None = None,
) -> Curve:
    """Learn the runs of `plan` (see `plan_of`) and value each.

    folder   keeps the sizes and the point of every run; what is there already is not done again
    """
    begun = perf_counter()

    def measure(found: FoundReport) -> Row:
        nonlocal begun
        assert found.result is not None
        start = found.solver if isinstance(found.solver, VectorBets) else None
        if start is not None and start.tree is not found.tree:
            start = None  # bets were pruned: the players have learnt another tree
        point = vars(_point(found.result, plan, valuation, start)) | {"seconds": round(perf_counter() - begun, 2)}
        begun = perf_counter()
        ledger.put(f"run {found.run}", point)
        return {"point": plain(point)}

    is_begun = folder is not None and (folder / CHECKPOINT).exists()
    for report in carry_out(replace(plan, measure=measure), folder, resume=is_begun):
        if on_report is not None and report.artefact is None:
            on_report(report)
    for row in read_curve(folder) if folder is not None else ():
        if (name := f"run {row['run']}") not in ledger.found:
            ledger.put(name, row["point"])
    return Curve.of(ledger)


def _point(found: BetAbstraction, plan: SizingPlan, valuation: Valuation, start: VectorBets | None) -> CurvePoint:
    """A run with its value; it has taken no time yet."""
    problem, run = plan.problem, int(found.made["run"])
    iterations = valuation.iterations_of(run)
    unit = 1000 / problem.game.big_blind
    low = high = played = played_error = nan
    if valuation.boards and iterations:
        value, error = value_in_play(found, problem, iterations, valuation.boards, plan.threads)
        played, played_error = unit * value, unit * error
    if problem.is_measurable and iterations:
        bounds, _strategy = bound_value(
            found.tree, found.sizes, problem, iterations, threads=plan.threads, device=plan.device, start=start
        )
        low, high = unit * bounds.low, unit * bounds.high
    elif iterations:
        low, high = played - played_error, played + played_error
    return CurvePoint(
        run,
        int(found.made["iteration"]),
        len(found.tree.sizers),
        found.tree.extras,
        len(found.tree.shape),
        count_pairs(found.tree, _states(problem)),
        (low + high) / 2,
        (high - low) / 2,
        low,
        high,
        0.0,
        sizes_of(found),
        played,
        played_error,
    )


def _states(problem: Problem) -> tuple[int, ...]:
    """Buckets per round, or private states where nothing is abstracted."""
    if problem.cards:
        return parse_notation(problem.cards_name).counts
    return tuple(problem.deal.counts[:, 0].tolist())
