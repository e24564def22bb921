"""Running a solver: a generator of progress that a notebook can plot, a terminal print and a test stop."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import nan
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from kibitz.arguments import positive, whole
from kibitz.errors import KibitzError
from kibitz.files import save_figure
from kibitz.responses.best_response import measure as measure_strategy
from kibitz.solvers.base import Solver
from kibitz.solvers.problem import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Progress(NamedTuple):
    """Where a run stands. Chips per hand; `value` is seat 0's when both play the average strategy."""

    iteration: int
    exploitability: float
    value: float
    seconds: float  # spent solving, measuring left out


PIECE_SECONDS = 0.5  # of solving between two pauses, about: Ctrl-C waits for the next


def solve(
    solver: Solver,
    problem: Problem,
    *,
    iterations: int | None = None,
    until: float | None = None,
    every: int = 0,
    pause: Callable[[float], None] = lambda seconds: None,
) -> Iterator[Progress]:
    """Step `solver` and measure its average strategy, until `iterations` or exploitability `until`.

    every   iterations between measurements; by default they double, so that a long run is mostly solving
    pause   called now and then between iterations, measured or not, with the seconds spent solving
    """
    if iterations is None and until is None:
        raise KibitzError("no stopping rule: give a number of iterations, or an exploitability to reach")
    if iterations is not None:
        iterations = whole(iterations, "iterations", 1)
    until = None if until is None else positive(until, "until")
    if until is not None and not problem.is_measurable:
        raise KibitzError(
            "exploitability cannot be measured with imperfect recall, or in hold'em with more than two players or "
            "fewer than four rounds: give iterations"
        )
    solver.step(0)  # loads, and on a first run compiles, the kernels: no part of the solving
    seconds, begun = 0.0, solver.iteration
    while iterations is None or solver.iteration < iterations:
        goal = _next_measurement(solver.iteration, every)
        if iterations is not None:
            goal = min(goal, iterations)
        while solver.iteration < goal:
            rate = (solver.iteration - begun) / seconds if seconds else 1.0
            start = perf_counter()
            solver.step(min(goal - solver.iteration, max(1, int(PIECE_SECONDS * rate))))
            seconds += perf_counter() - start
            pause(seconds)
        progress = measure(solver, problem, seconds)
        yield progress
        if until is not None and progress.exploitability <= until:
            return


def _next_measurement(iteration: int, every: int) -> int:
    return iteration + every - iteration % every if every else 1 << iteration.bit_length()


def is_to_be_measured(iteration: int, iterations: int | None, every: int = 0) -> bool:
    """Whether `solve` measures there, or has nothing to do beyond."""
    is_over = iterations is not None and iteration >= iterations
    return is_over or (iteration > 0 and _next_measurement(iteration - 1, every) == iteration)


def measure(solver: Solver, problem: Problem, seconds: float) -> Progress:
    """Where `solver` stands after that many seconds; nan for what cannot be measured."""
    if not problem.is_measurable:  # and strategies of such games are large
        return Progress(solver.iteration, nan, nan, seconds)
    measured, values = measure_strategy(problem, solver.average_strategy())
    return Progress(solver.iteration, measured.exploitability, values[0], seconds)


def draw_convergence(curve: Sequence[Progress], of_which: str = "") -> Figure:
    """Exploitability against iterations and against seconds, both axes logarithmic.

    of_which   what is said of it beyond the unit, such as " in its abstract game ..."
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 3.6), layout="constrained")
    if of_which:
        figure.suptitle(f"Exploitability{of_which}", fontsize="medium")
    by_iteration, by_time = figure.subplots(1, 2, sharey=True)
    heights = [max(each.exploitability, 1e-16) for each in curve]
    by_iteration.loglog([each.iteration for each in curve], heights, marker="o", ms=3, color="#3b7a57")
    by_time.loglog([max(each.seconds, 1e-6) for each in curve], heights, marker="o", ms=3, color="#3b7a57")
    by_iteration.set_xlabel("iterations")
    by_time.set_xlabel("seconds of solving")
    by_iteration.set_ylabel("exploitability, chips per hand")
    for axes in (by_iteration, by_time):
        axes.grid(which="both", alpha=0.25)
    return figure


def plot_convergence(curve: Sequence[Progress], path: Path, of_which: str = "") -> None:
    """The same in a file, written whole or not at all."""
    save_figure(path, draw_convergence(curve, of_which))
