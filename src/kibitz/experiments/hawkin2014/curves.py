"""Value curves: what the sizes of every run of a BETS algorithm are worth, as data that says where it comes from.

Those of the thesis have names, one for each seat: "RED 1 range, P1" and "RED 1 range, P2". A curve is a JSON file
(`save_curve`, `load_curve`). Values are mbb per hand to player two, as the thesis has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from math import nan
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kibitz import __version__
from kibitz.abstraction import parse_notation
from kibitz.bet_sizing import BetAbstraction, SizeRange, SizingPlan, Transformation, default_ranges
from kibitz.bet_sizing import Report as FoundReport
from kibitz.bet_sizing.tree import count_pairs
from kibitz.bet_sizing.value import bound_value, value_in_play
from kibitz.bet_sizing.vector import VectorBets
from kibitz.errors import FormatError, KibitzError
from kibitz.files import read_json, write_text
from kibitz.games import Game
from kibitz.plans import Report, Row, carry_out, read_curve
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.solvers.problem import Problem

SEATS = ("P1", "P2")  # player one is the big blind, player two the dealer


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
        if self.seat == 0:
            return Transformation(game, (self.ranges, ()), ("all-in", self.opponent))
        return Transformation(game, ((), self.ranges), (self.opponent, "all-in"))


def _named(name: str, algorithm: str, *ranges: SizeRange, extras: int = 0, cards: str = "5-bucket") -> list[CurveSpec]:
    return [CurveSpec(f"{name}, {player}", algorithm, ranges, seat, extras, cards) for seat, player in enumerate(SEATS)]


def _on_cards(prefix: str, cards: str) -> list[CurveSpec]:
    """The curves of chapter 7 with imperfect recall."""
    found = _named(f"{prefix}REDM 1 range", "redm", *default_ranges(200, 5, 1), cards=cards)
    for count in (2, 3):
        found += _named(f"{prefix}REDM {count} ranges", "redm", *default_ranges(200, 5, count), cards=cards)
    return found


_ONE, _TWO, _THREE = (default_ranges(200, 5, count) for count in (1, 2, 3))
SPECS: dict[str, CurveSpec] = {
    spec.name: spec
    for spec in (
        *_named("RE [0.4,0.6]", "re", SizeRange(0.4, 0.6)),
        *_named("RE [0.8,1]", "re", SizeRange(0.8, 1.0)),
        *_named("RE [1.2,1.4]", "re", SizeRange(1.2, 1.4)),
        *_named("RED 1 range", "red", *_ONE),
        *_named("REDM 2 ranges", "redm", *_TWO),
        *_named("REDM 3 ranges", "redm", *_THREE),
        *_named("REFINED 2 ranges e=1", "refined", *_TWO, extras=1),
        *_named("REFINED 2 ranges e=25", "refined", *_TWO, extras=25),
        *_named("EHS RED 1 range", "red", *_ONE, cards="5-bucket EHS"),
        *_on_cards("IR-100 ", "IR-100"),
        *(
            spec
            for extras in (1, 25, 50, 100)
            for spec in _named(f"IR-100 REFINED 3 ranges e={extras}", "refined", *_THREE, extras=extras, cards="IR-100")
        ),
        *_on_cards("IR-570 ", "IR-570"),
        *(
            spec
            for cards in ("3-bucket", "4-bucket")
            for spec in _named(f"{cards} REDM 3 ranges", "redm", *_THREE, cards=cards)
        ),
    )
}


FORMAT = "kibitz bet curve 1"
TOP = 200  # bets of a point that are kept, the most important ones
CURVE_FILE = "curve.json"


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


@dataclass(frozen=True)
class Curve:
    """The points of a curve in order, and what they were made with: see `compute_curve`."""

    spec: CurveSpec
    made: dict[str, Any]
    points: tuple[CurvePoint, ...] = ()

    def at(self, run: int) -> CurvePoint | None:
        """The point of a run."""
        return next((point for point in self.points if point.run == run), None)

    @property
    def seconds(self) -> float:
        """Of all points."""
        return sum(point.seconds for point in self.points)


def save_curve(curve: Curve, path: Path) -> None:
    """Write `curve` to `path`, whole or not at all."""
    head = {"format": FORMAT, "kibitz": __version__, "spec": asdict(curve.spec), "made": curve.made}
    lines = ",\n".join("    " + json.dumps(_told(point)) for point in curve.points)
    write_text(path, json.dumps(head, indent=2)[:-2] + f',\n  "points": [\n{lines}\n  ]\n}}\n')


def _told(point: CurvePoint) -> dict[str, Any]:
    """A point as JSON can say it: a number that is not there is null."""
    return {key: None if each != each else each for key, each in vars(point).items()}


def load_curve(path: Path) -> Curve:
    """The curve in `path`."""
    try:
        document = read_json(path)
        if document["format"] != FORMAT:
            raise FormatError(f"{path} holds no curve: its format is {document['format']!r}, not {FORMAT!r}")
        spec = {**document["spec"], "ranges": tuple(SizeRange(*each) for each in document["spec"]["ranges"])}
        return Curve(CurveSpec(**spec), document["made"], tuple(map(_read_point, document["points"])))
    except (OSError, ValueError, KeyError, TypeError) as error:
        if isinstance(error, KibitzError):
            raise
        raise FormatError(f"{path} holds no curve: {type(error).__name__} {error}") from None


def _read_point(document: dict[str, Any]) -> CurvePoint:
    point: dict[str, Any] = {key: nan if each is None else each for key, each in document.items()}
    point["sizes"] = tuple(Sized(*each) for each in document["sizes"])
    return CurvePoint(**point)


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


def compute_curve(
    spec: CurveSpec,
    plan: SizingPlan,
    valuation: Valuation = Valuation(),
    on_report: Callable[[Report], None] | None = None,
    *,
    folder: Path | None = None,
    machine: str = "cpu",
) -> Curve:
    """Learn the runs of `plan` (see `plan_of`) and value each.

    folder    sizes and points are kept there as they come; what is there already is not done again
    machine   cpu or gpu, for the record
    """
    curve, rows = Curve(spec, _provenance(plan, valuation, machine)), list[Row]()
    if folder is not None and (path := folder / CURVE_FILE).exists():
        curve = _check(load_curve(path), curve, path)
    is_begun = folder is not None and (folder / CHECKPOINT).exists()
    for report in carry_out(_valued(plan, valuation), folder, resume=is_begun):
        rows += [] if report.row is None else [report.row]
        if on_report is not None and report.artefact is None:
            on_report(report)
    rows = rows if folder is None else read_curve(folder)
    curve = replace(curve, points=tuple(_read_point(row["point"]) for row in rows if row["run"] <= plan.runs))
    if folder is not None:
        save_curve(curve, folder / CURVE_FILE)
    return curve


def _valued(plan: SizingPlan, valuation: Valuation) -> SizingPlan:
    """The plan, with every run valued as it ends."""
    begun = perf_counter()

    def measure(found: FoundReport) -> Row:
        nonlocal begun
        assert found.result is not None
        start = found.solver if isinstance(found.solver, VectorBets) else None
        if start is not None and start.tree is not found.tree:
            start = None  # bets were pruned: the players have learnt another tree
        point = _point(found.result, plan, valuation, start)
        point, begun = replace(point, seconds=round(perf_counter() - begun, 2)), perf_counter()
        return {"point": _told(point)}

    return replace(plan, measure=measure)


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
    sizes = tuple(Sized(row["bet"], row["size"], row["importance"]) for row in found.table(TOP))
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
        sizes,
        played,
        played_error,
    )


def _states(problem: Problem) -> tuple[int, ...]:
    """Buckets per round, or private states where nothing is abstracted."""
    if problem.cards:
        return parse_notation(problem.cards_name).counts
    return tuple(problem.deal.counts[:, 0].tolist())


def _provenance(plan: SizingPlan, valuation: Valuation, machine: str) -> dict[str, Any]:
    """What identifies the points of a curve, and the machine."""
    return {
        **plan.describe(),
        "evaluate iterations": valuation.iterations,
        "measure": "bounds" if plan.problem.is_measurable else "self-play",
        "play boards": valuation.boards,
        "machine": machine,
    }


def _check(found: Curve, wanted: Curve, path: Path) -> Curve:
    """`found`, unless it was made of something else."""
    if found.spec != wanted.spec:
        raise KibitzError(f"{path} is the curve {found.spec.name!r}, not {wanted.spec.name!r}: choose another folder")
    for key, value in wanted.made.items():
        if key != "machine" and found.made.get(key) != value:
            raise KibitzError(
                f"{path}: its {key} is {found.made.get(key)!r}, here it is {value!r}: choose another folder"
            )
    return found
