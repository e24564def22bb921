"""A whole run: solve, measure, checkpoint, and leave the strategy and its curve in a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf, isnan, nan
from pathlib import Path
from time import perf_counter
from typing import Any

from kibitz.errors import KibitzError
from kibitz.files import locked, parse_json, read_json, write_text
from kibitz.solvers.base import Solver
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options
from kibitz.strategy import Strategy, save_strategy
from kibitz.strategy.exploitability import Solved
from kibitz.strategy.files import MANIFEST
from kibitz.training.algorithms import check_suitable, make_solver
from kibitz.training.memory import check_memory
from kibitz.training.run import Progress, is_to_be_measured, measure, solve

CHECKPOINT_SECONDS = 10.0  # between checkpoints, at least
CHECKPOINT, CURVE, PLOT, STRATEGY = "checkpoint.npz", "convergence.jsonl", "convergence.png", "strategy"


@dataclass(frozen=True)
class Campaign:
    """What to solve, how, and how far."""

    problem: Problem
    algorithm: str = "cfr+"
    options: Options = field(default_factory=Options)
    iterations: int | None = None
    until: float | None = None
    every: int = 0


def run_campaign(campaign: Campaign, out: Path | None = None, resume: bool = False) -> Iterator[Progress]:
    """Run it, yielding every measurement. With `out`, keep checkpoint, curve, plot and strategy there."""
    check_run(out, resume)
    check_suitable(campaign.algorithm, campaign.problem, campaign.options)
    check_memory(campaign.problem, campaign.algorithm, campaign.options)
    with locked(out):
        check_run(out, resume)  # again: another process may have been here until now
        solver = make_solver(campaign.algorithm, campaign.problem, campaign.options)
        curve: list[Progress] = []
        before = 0.0
        if out is not None and resume:
            before = load_checkpoint(out / CHECKPOINT, solver, campaign.problem.describe())
            curve = [each for each in read_curve(out) if each.iteration <= solver.iteration]
            before = max([before, *(each.seconds for each in curve)])  # older checkpoints do not know their own
        yield from _solve_on(campaign, solver, curve, before, out)


def check_run(out: Path | None, resume: bool) -> None:
    """Refuse to begin where anything lies that a run would leave, and to go on where there is nothing to go on with."""
    if out is None:
        if resume:
            raise KibitzError("resuming needs the folder of the run", settings=("out",))
        return
    begun = (out / CHECKPOINT).exists()
    if begun and not resume:
        raise KibitzError(f"{out} holds a run: continue it, or choose another folder", settings=("resume", "out"))
    if resume and not begun:
        raise KibitzError(
            f"{out} holds no run to continue: begin one, or name another folder", settings=("resume", "out")
        )
    for name in (CURVE, PLOT, STRATEGY):
        if not resume and (out / name).exists():
            raise KibitzError(
                f"{out} holds {name}, which a run would replace: choose another folder", settings=("out",)
            )


def is_measured(progress: Progress) -> bool:
    """Whether there is a figure to show: exploitability is nan with imperfect recall."""
    return not isnan(progress.exploitability)


def _solve_on(
    campaign: Campaign, solver: Solver, curve: list[Progress], before: float, out: Path | None
) -> Iterator[Progress]:
    """Go on from where `curve` ends, after `before` seconds of solving, and leave what was found in `out`."""
    problem, until = campaign.problem, campaign.until
    saved = perf_counter()

    def save(seconds: float) -> None:
        nonlocal saved
        if out is not None:
            save_checkpoint(out / CHECKPOINT, solver, problem.describe(), seconds + before)
            _write_curve(out, curve)
            saved = perf_counter()

    def save_now_and_then(seconds: float) -> None:
        if perf_counter() - saved > CHECKPOINT_SECONDS:
            save(seconds)

    def told() -> bool:
        return bool(curve) and curve[-1].iteration == solver.iteration

    seconds, begun, is_new = 0.0, solver.iteration, False
    if not told() and is_to_be_measured(begun, campaign.iterations, campaign.every):  # it was stopped just before
        curve.append(measure(solver, problem, before))
        is_new = True
        yield curve[-1]
    is_reached = until is not None and told() and curve[-1].exploitability <= until
    limits = {"iterations": solver.iteration if is_reached else campaign.iterations, "until": until}
    for progress in solve(solver, problem, pause=save_now_and_then, every=campaign.every, **limits):  # type: ignore[arg-type]
        seconds = progress.seconds
        curve.append(progress._replace(seconds=seconds + before))
        save_now_and_then(seconds)
        yield curve[-1]
    if solver.iteration == begun and not is_new:
        if out is None or _strategy_of(out) == begun:
            return
        yield curve[-1]  # it was stopped before its strategy was written
    if out is not None:
        save(seconds)
        _finish(out, problem, solver.average_strategy(), curve)


def _strategy_of(out: Path) -> int | None:
    """The iteration whose strategy is in `out`, None where there is none."""
    try:
        return int(read_json(out / STRATEGY / MANIFEST)["made"]["iterations"])
    except (OSError, ValueError, LookupError, TypeError, OverflowError):
        return None


def _finish(out: Path, problem: Problem, strategy: Strategy, curve: list[Progress]) -> None:
    """Write the plot if anything was measured, and then the strategy: where that is, nothing is left to do."""
    from kibitz.training.run import plot_convergence

    last = curve[-1]
    if is_measured(last):
        solved = Solved(problem.game, problem.tree.menus, problem.describe_cards())
        plot_convergence(curve, out / PLOT, solved.of_which(""))
    measured: dict[str, Any] = {"exploitability": None, "value": None}
    if is_measured(last):
        measured = {"exploitability": last.exploitability, "value": last.value, "measured in": "its own game"}
    manifest = {**strategy.manifest, **problem.describe_cards(), **measured}
    save_strategy(Strategy(strategy.layout, strategy.values, manifest), out / STRATEGY, str(strategy.values.dtype))


def _write_curve(out: Path, curve: list[Progress]) -> None:
    write_text(out / CURVE, "".join(_format_progress(each) + "\n" for each in curve))


def _format_progress(progress: Progress) -> str:
    """A line of JSON, which knows no nan."""
    row = {name: None if isnan(value) else value for name, value in progress._asdict().items()}
    return json.dumps(row, allow_nan=False)


def _parse_progress(line: str) -> Progress:
    """What such a line says; older ones write NaN where others have null, and that is read too."""
    found = Progress(**parse_json(line))
    reached, value = (nan if each is None else float(each) for each in (found.exploitability, found.value))
    if type(found.iteration) is not int or not 0 <= found.seconds < inf:
        raise ValueError(f"{line[:60]!r} tells no iteration and seconds of one")
    return found._replace(exploitability=reached, value=value)


def read_curve(out: Path) -> list[Progress]:
    """The curve that a run has left in `out`; none where nothing was measured."""
    path = out / CURVE
    if not path.exists():
        return []
    try:
        return [_parse_progress(line) for line in path.read_text().splitlines()]
    except (ValueError, TypeError, OverflowError) as error:
        raise KibitzError(f"{path} is no curve of a run: {error}") from None
