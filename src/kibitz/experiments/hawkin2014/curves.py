"""Value curves: what the sizes of every run of a BETS algorithm are worth, as data that says where it comes from.

Those of the thesis have names, one for each seat: "RED 1 range, P1" and "RED 1 range, P2". A curve is a JSON file
(`save_curve`, `load_curve`). Values are mbb per hand to player two, as the thesis has them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from math import nan
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from kibitz import __version__
from kibitz.abstraction import parse_notation
from kibitz.bet_sizing import BetAbstraction, Report, SizeRange, SizingPlan, Transformation, default_ranges, load_bets
from kibitz.bet_sizing.campaign import run_file, run_files, run_plan
from kibitz.bet_sizing.runs import make_solver
from kibitz.bet_sizing.tree import count_pairs
from kibitz.bet_sizing.value import bound_value, value_in_play
from kibitz.bet_sizing.vector import VectorBets
from kibitz.errors import FormatError, KibitzError
from kibitz.files import read_json, write_text
from kibitz.games import Game
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
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
    # A number that is not there is null: nan is no JSON.
    points = [{key: None if each != each else each for key, each in vars(point).items()} for point in curve.points]
    lines = ",\n".join("    " + json.dumps(point) for point in points)
    write_text(path, json.dumps(head, indent=2)[:-2] + f',\n  "points": [\n{lines}\n  ]\n}}\n')


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
    return SizingPlan(spec.transformation(problem.game), problem, spec.algorithm, iterations, runs, spec.extras, **made)


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
    curve = Curve(spec, _provenance(plan, valuation, machine))
    if folder is not None and (path := folder / CURVE_FILE).exists():
        curve = _check(load_curve(path), curve, path)
    begun = perf_counter()
    for found, start in _learnt(plan, curve, folder, on_report):
        run = int(found.made["run"])
        if curve.at(run) is None:
            point = replace(_point(found, plan, valuation, start), seconds=round(perf_counter() - begun, 2))
            curve = replace(curve, points=(*curve.points, point))
            if folder is not None:
                _players_file(folder, run).unlink(missing_ok=True)
                save_curve(curve, folder / CURVE_FILE)
        begun = perf_counter()
    return curve


def _learnt(
    plan: SizingPlan, curve: Curve, folder: Path | None, on_report: Callable[[Report], None] | None
) -> Iterator[tuple[BetAbstraction, VectorBets | None]]:
    """What the runs found, those of `folder` without a point first, and players who know its tree if there are some."""
    if folder is not None:
        yield from _unvalued(plan, curve, folder)
    for report in run_plan(plan, folder, resume=folder is not None):
        if on_report is not None:
            on_report(report)
        if report.result is not None:
            start = report.solver if isinstance(report.solver, VectorBets) else None
            if start is not None and start.tree is not report.result.tree:
                start = None  # bets were pruned: the players have learnt another tree
            if folder is not None and start is not None:
                save_checkpoint(_players_file(folder, report.run), start, report.result.made)
            yield report.result, start


def _unvalued(plan: SizingPlan, curve: Curve, folder: Path) -> Iterator[tuple[BetAbstraction, VectorBets | None]]:
    """The runs in `folder` that were stopped before their point was saved.

    A value depends on the players that its solver begins with: where those of the last run were not kept, it is learnt
    once more. Runs that were learnt without points, or pruned, have none.
    """
    paths = {run: run_file(folder, run) for run in range(1, plan.runs + 1) if curve.at(run) is None}
    found = {run: load_bets(path) for run, path in paths.items() if path.exists()}
    for run, each in found.items():
        if each.made != each.made | plan.describe() or each.transformation != plan.transformation:
            raise KibitzError(f"{paths[run]}: made with other parameters, choose another folder")
    for run, each in found.items():
        if _players_file(folder, run).exists():
            yield each, _kept_players(plan, each, folder)
        elif plan.form == "vector" and not (plan.recipe.prunes and run == 1) and paths[run] == run_files(folder)[-1]:
            paths[run].unlink()
        else:
            yield each, None


def _players_file(folder: Path, run: int) -> Path:
    """Where the players of a run are kept until its point is saved."""
    return folder / f"players-{run:02d}.npz"


def _kept_players(plan: SizingPlan, found: BetAbstraction, folder: Path) -> VectorBets:
    solver = make_solver(plan, found.tree)
    assert isinstance(solver, VectorBets)
    load_checkpoint(_players_file(folder, int(found.made["run"])), solver, found.made)
    return solver


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
