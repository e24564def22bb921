"""A spot solved to a goal, with measurements from the first iteration on: interrupted early, it shows something too."""

from __future__ import annotations

import math
from collections.abc import Iterator

from kibitz.spots.solver import Progress, SpotCFR, solve_spot

FIRST = 10  # iterations until the solver measures for the second time
PATIENCE = 12  # measurements without a better one, after which more iterations no longer help


def solve_to(solver: SpotCFR, goal: float, iterations: int | None = None) -> Iterator[Progress]:
    """Solve until exploitability is at most `goal` chips, or `iterations`, or the numbers have no more digits."""
    best, since = math.inf, 0
    for each in _measurements(solver, goal, iterations):
        yield each
        best, since = (each.measure.exploitability, 0) if each.measure.exploitability < best else (best, since + 1)
        if since >= PATIENCE:
            return


def progress_share(progress: Progress, pot: int, goal: float, iterations: int | None = None) -> float:
    """How much of a run is done, from 0 to 1: as the exploitability's logarithm falls, or by iterations."""
    found = max(progress.measure.exploitability, 1e-9)
    done = math.log(pot / found) / math.log(pot / goal) if 0 < goal < pot else 0.0
    done = max(done, progress.iteration / iterations if iterations else 0.0)
    return min(max(done, 0.0), 1.0)


def _measurements(solver: SpotCFR, goal: float, iterations: int | None) -> Iterator[Progress]:
    """The solver's progress, with one more measurement at the start."""
    seconds = 0.0
    for until in (1, FIRST, iterations):
        least = min((limit for limit in (until, iterations) if limit is not None), default=None)
        before = seconds
        for each in solve_spot(solver, accuracy=goal, iterations=least):
            seconds = before + each.seconds
            yield each._replace(seconds=seconds)
            if each.iteration > 1 and each.measure.exploitability <= goal:
                return
