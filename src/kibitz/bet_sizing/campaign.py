"""A plan in a folder: the sizes of every run, and a checkpoint of the run under way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

from kibitz.bet_sizing.abstraction import BetAbstraction, describe, load_bets, save_bets
from kibitz.bet_sizing.plan import SizingPlan
from kibitz.bet_sizing.runs import FREE, BetSolver, Report, learn
from kibitz.errors import KibitzError
from kibitz.files import locked, shown
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint

CHECKPOINT_SECONDS = 10.0  # between checkpoints, when a report offers the occasion


def run_file(out: Path, run: int) -> Path:
    """Where the sizes of a run are."""
    return out / f"run-{run:02d}.json"


def run_files(out: Path) -> list[Path]:
    """The sizes of the finished runs, in the order of the runs."""
    found = {path: re.fullmatch(r"run-(\d+)\.json", path.name) for path in out.glob("run-*.json")}
    numbers = {path: int(match[1]) for path, match in found.items() if match is not None}
    return sorted(numbers, key=numbers.__getitem__)


def run_plan(plan: SizingPlan, out: Path | None = None, resume: bool = False) -> Iterator[Report]:
    """`learn`, with every run's sizes kept in `out`; `resume` goes on where a plan was stopped, bit for bit."""
    if out is None:
        if resume:
            raise KibitzError("resuming needs the folder of the plan", settings=("out",))
        yield from learn(plan)
        return
    with locked(out):
        yield from _run_in(out, plan, resume)


def _run_in(out: Path, plan: SizingPlan, resume: bool) -> Iterator[Report]:
    finished = run_files(out)
    if not resume and (finished or _checkpoints(out)):
        raise KibitzError(f"{out} holds sizes: continue them, or choose another folder", settings=("resume", "out"))
    if (out / "checkpoint.npz").exists():
        raise KibitzError(f"{out / 'checkpoint.npz'} is of an earlier version: remove it, and its run is learnt again")
    before = _check(load_bets(finished[-1]), plan, finished[-1]) if finished else None
    for report in learn(plan, before, _Kept(out, plan)):
        if report.result is not None:
            if report.unpruned is not None:
                save_bets(report.unpruned, out / f"unpruned-{report.run:02d}.json")
            save_bets(report.result, run_file(out, report.run))
            for checkpoint in _checkpoints(out):
                checkpoint.unlink()
        yield report


def _checkpoints(out: Path) -> list[Path]:
    return [*out.glob("checkpoint*.npz")]


def _check(found: BetAbstraction, plan: SizingPlan, path: Path) -> BetAbstraction:
    """Refuse sizes of another plan."""
    wanted = plan.describe()
    for key, value in wanted.items():
        if found.made.get(key) != value:
            raise KibitzError(f"{path}: its {key} is {shown(found.made.get(key))}, here it is {value!r}")
    for key, least in (("run", 1), (FREE, 0)):
        if type(number := found.made.get(key, 0)) is not int or number < least:
            raise KibitzError(f"{path}: its {key} is {shown(number)}: a number from {least} on belongs there")
    if found.transformation != plan.transformation:
        raise KibitzError(f"{path}: its game, ranges or opponent differ from those given")
    return found


class _Kept:
    """The checkpoint of the run under way; one that a finished run has left behind is not looked at."""

    def __init__(self, out: Path, plan: SizingPlan) -> None:
        self.out, self.plan = out, plan
        self.saved = perf_counter()

    def load(self, run: int, solver: BetSolver) -> None:
        self.out.mkdir(parents=True, exist_ok=True)  # not sooner: a plan may turn out to have no tree
        if self._path(run).exists():
            load_checkpoint(self._path(run), solver, self._describe(run, solver))

    def save(self, run: int, solver: BetSolver) -> None:
        if perf_counter() - self.saved > CHECKPOINT_SECONDS:
            save_checkpoint(self._path(run), solver, self._describe(run, solver))
            self.saved = perf_counter()

    def _path(self, run: int) -> Path:
        return self.out / f"checkpoint-{run:02d}.npz"

    def _describe(self, run: int, solver: BetSolver) -> dict[str, Any]:
        """The run, its plan, what that transforms, and the ranges that this run begins with."""
        ranges = sha256(repr([(each.key, *each.range) for each in solver.tree.sizers]).encode()).hexdigest()
        return {"run": run, **self.plan.describe(), **describe(self.plan.transformation), "ranges of the run": ranges}
