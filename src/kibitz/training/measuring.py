"""How far a solver has come: its average strategy measured, and the curve of that drawn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isnan, nan
from typing import TYPE_CHECKING, Any, NamedTuple

from kibitz.plans import Row
from kibitz.responses.best_response import measure as measure_strategy
from kibitz.solvers.base import Solver
from kibitz.solvers.problem import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Measurement(NamedTuple):
    """What was measured of a solver. Chips per hand; `value` is seat 0's when both play the average strategy."""

    iteration: int
    exploitability: float
    value: float
    seconds: float  # spent solving, measuring left out

    @property
    def is_known(self) -> bool:
        """Whether there is a figure: exploitability is nan with imperfect recall."""
        return not isnan(self.exploitability)

    def row(self) -> dict[str, Any]:
        """As a row of a curve, in which nan is None."""
        return {name: None if isnan(value) else value for name, value in self._asdict().items()}

    @classmethod
    def of(cls, row: Row) -> Measurement:
        """What a row of a curve says."""
        return cls._make(nan if (value := row[name]) is None else value for name in cls._fields)


def measure(solver: Solver, problem: Problem, seconds: float) -> Measurement:
    """How far `solver` is after that many seconds; nan for what cannot be measured."""
    if not problem.is_measurable:  # and strategies of such games are large
        return Measurement(solver.iteration, nan, nan, seconds)
    measured, values = measure_strategy(problem, solver.average_strategy())
    return Measurement(solver.iteration, measured.exploitability, values[0], seconds)


def draw_convergence(curve: Iterable[Measurement], of_which: str = "") -> Figure:
    """Exploitability against iterations and against seconds, both axes logarithmic.

    of_which   what is said of it beyond the unit, such as " in its abstract game ..."
    """
    from matplotlib.figure import Figure

    points: Sequence[Measurement] = list(curve)
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    if of_which:
        figure.suptitle(f"Exploitability{of_which}", fontsize="medium")
    by_iteration, by_time = figure.subplots(1, 2, sharey=True)
    heights = [max(each.exploitability, 1e-16) for each in points]
    by_iteration.loglog([each.iteration for each in points], heights, marker="o", ms=3, color="#3b7a57")
    by_time.loglog([max(each.seconds, 1e-6) for each in points], heights, marker="o", ms=3, color="#3b7a57")
    by_iteration.set_xlabel("iterations")
    by_time.set_xlabel("seconds of solving")
    by_iteration.set_ylabel("exploitability, chips per hand")
    for axes in (by_iteration, by_time):
        axes.grid(which="both", alpha=0.25)
    return figure
