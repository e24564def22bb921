"""Solve a spot, tell its exploitability on the way, and leave the solution in the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.parallel.team import available_cores
from kibitz.spots import Progress, SpotCFR, SpotGame
from kibitz.spots.files import save_spot
from kibitz.spots.runs import progress_share, solve_to
from kibitz.web.folder import inside
from kibitz.web.spots import HOME, goal_of, read_setup
from kibitz.web.tasks import Report

REACHED = "exploitability in % of the pot"


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Solve the spot of the form `arguments`; the result names the folder of the solution."""
    spot = read_setup(arguments)
    accuracy, iterations = goal_of(arguments)
    goal = accuracy * spot.pot / 100
    solver = SpotCFR(SpotGame(spot), threads=available_cores())
    curve: list[Progress] = []
    for each in solve_to(solver, goal, iterations):
        curve.append(each)
        reached = round(100 * each.measure.exploitability / spot.pot, 4)
        facts = {"iterations": each.iteration, REACHED: reached}
        report(progress_share(each, spot.pot, goal, iterations), 1.0, **facts)
    place = inside(folder, f"{HOME}/{arguments['name']}")
    save_spot(solver, curve, place)
    return {"name": place.name, "iterations": solver.iteration, "exploitability": curve[-1].measure.exploitability}
