"""A plan in a folder: the sizes of every run, and a checkpoint of the run under way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from kibitz.errors import KibitzError
from kibitz.solvers.bets.abstraction import BetAbstraction
from kibitz.solvers.bets.files import load_bets, save_bets
from kibitz.solvers.bets.runs import BetSolver, Plan, Report, learn
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint

CHECKPOINT = "checkpoint.npz"
CHECKPOINT_SECONDS = 10.0  # between checkpoints, when a report offers the occasion


def run_file(out: Path, run: int) -> Path:
    """Where the sizes of a run are."""
    return out / f"run-{run:02d}.json"


def run_files(out: Path) -> list[Path]:
    """The sizes of the finished runs, in the order of the runs."""
    found = {path: re.fullmatch(r"run-(\d+)\.json", path.name) for path in out.glob("run-*.json")}
    numbers = {path: int(match[1]) for path, match in found.items() if match is not None}
    return sorted(numbers, key=numbers.__getitem__)


def run_plan(plan: Plan, out: Path | None = None, resume: bool = False) -> Iterator[Report]:
    """`learn`, with every run's sizes kept in `out`; `resume` goes on where a plan was stopped, bit for bit."""
    if out is None:
        if resume:
            raise KibitzError("--resume needs --out, the folder of the plan to continue")
        yield from learn(plan)
        return
    finished = run_files(out)
    checkpoint = out / CHECKPOINT
    if not resume and (finished or checkpoint.exists()):
        raise KibitzError(f"{out} holds sizes: continue them with --resume, or choose another folder with --out")
    before = _check(load_bets(finished[-1]), plan, finished[-1]) if finished else None
    for report in learn(plan, before, _Kept(checkpoint, plan)):
        if report.result is not None:
            if report.unpruned is not None:
                save_bets(report.unpruned, out / f"unpruned-{report.run:02d}.json")
            save_bets(report.result, run_file(out, report.run))
            checkpoint.unlink(missing_ok=True)
        yield report


def _check(found: BetAbstraction, plan: Plan, path: Path) -> BetAbstraction:
    """Refuse sizes of another plan."""
    wanted = plan.describe()
    for key, value in wanted.items():
        if found.made.get(key) != value:
            raise KibitzError(f"{path}: its {key} is {found.made.get(key)!r}, here it is {value!r}")
    if found.transformation != plan.transformation:
        raise KibitzError(f"{path}: it has another game, other ranges or another opponent")
    return found


class _Kept:
    """The checkpoint of the run under way."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path, self.plan = path, plan
        self.saved = perf_counter()

    def load(self, run: int, solver: BetSolver) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)  # not sooner: a plan may turn out to have no tree
        if self.path.exists():
            load_checkpoint(self.path, solver, {"run": run, **self.plan.describe()})

    def save(self, run: int, solver: BetSolver) -> None:
        if perf_counter() - self.saved > CHECKPOINT_SECONDS:
            save_checkpoint(self.path, solver, {"run": run, **self.plan.describe()})
            self.saved = perf_counter()
