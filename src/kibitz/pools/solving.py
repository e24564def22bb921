"""Equilibria of pools, found by iterations that go on where an interrupted run was."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.progress import silent
from kibitz.responses.robust.coarse import CoarseRoles
from kibitz.solvers.base import Solver
from kibitz.solvers.cfr import CFR
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options, make_solver
from kibitz.strategy import Strategy
from kibitz.strategy.classes import lifted

CHECKPOINT_SECONDS = 10.0  # between checkpoints, at least
SLOW_SECONDS = 0.5  # that writing one may take; after a slower one the next comes when it is SLOW_SHARE of the time
SLOW_SHARE = 0.05
PIECE_SECONDS = 0.5  # of iterations between two looks at the clock, about


@dataclass(frozen=True)
class Iterating:
    """A member's iterations.

    path        of its checkpoint, which is there only while the member is not
    described   what is solved
    """

    path: Path
    described: dict[str, Any]

    def run(self, solver: Solver, iterations: int, part: str = "") -> None:
        """Do iterations up to that number, from the last checkpoint of the part where there is one."""
        path = self._file(part)
        if path.exists():
            load_checkpoint(path, solver, self.described)
        count, saved, pause = 1, perf_counter(), CHECKPOINT_SECONDS
        while solver.iteration < iterations:
            begun = perf_counter()
            solver.step(min(count, iterations - solver.iteration))
            count = 2 * count if perf_counter() - begun < PIECE_SECONDS / 2 else count
            if perf_counter() - saved > pause:
                path.parent.mkdir(parents=True, exist_ok=True)
                begun = perf_counter()
                save_checkpoint(path, solver, self.described)
                saved = perf_counter()
                slow = saved - begun > SLOW_SECONDS
                pause = max(CHECKPOINT_SECONDS, (saved - begun) / SLOW_SHARE) if slow else CHECKPOINT_SECONDS
        if part:  # another part follows, and this one is not solved again
            path.parent.mkdir(parents=True, exist_ok=True)
            save_checkpoint(path, solver, self.described)

    def discard(self) -> None:
        """Take away the checkpoints of a member that is done."""
        for part in ("", "-0", "-1"):
            self._file(part).unlink(missing_ok=True)

    def _file(self, part: str) -> Path:
        return self.path.with_name(f"{self.path.name}{part}.npz")


def solve_equilibrium(
    problem: Problem, algorithm: str, options: Options, iterations: int, iterating: Iterating
) -> Strategy:
    """The average strategy after so many iterations."""
    problem.prepare(options.threads, silent)
    solver = make_solver(algorithm, problem, options)
    iterating.run(solver, iterations)
    return solver.average_strategy()


def coarse_problem(problem: Problem, buckets: int) -> Problem:
    """The game in which an equilibrium with so many percentile buckets a round is measured: in hold'em it has these
    cards, in small games all of them.
    """
    return replace(problem, cards=f"{buckets}-bucket") if problem.cards else problem


def solve_coarse(problem: Problem, buckets: int, how: tuple[str, int, Options], iterating: Iterating) -> Strategy:
    """An equilibrium of the game with percentile cards for both players; how = (algorithm, iterations, options)."""
    algorithm, iterations, options = how
    if problem.cards:
        return solve_equilibrium(coarse_problem(problem, buckets), algorithm, options, iterations, iterating)
    name = f"{buckets}-bucket"
    game, classes = CoarseRoles(problem, (name, name, name), (name,)).symmetric(name)
    solver = CFR(game, algorithm, options.alternating, options.threads)
    iterating.run(solver, iterations)
    found, layout = solver.average_strategy(), problem.vector.layout
    values = np.zeros(layout.size)
    for player in range(2):
        lifted(found.values, found.layout, layout, player, classes[player].of, values)
    return Strategy(layout, values, {**found.manifest, "buckets": buckets})
