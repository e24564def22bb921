"""Solve a spot, tell its exploitability on the way, and leave the solution in the folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.plans import carry_out, save_artefact
from kibitz.web.folder import inside
from kibitz.web.spots import HOME, read_setup
from kibitz.web.tasks import Report

REACHED = "exploitability in % of the pot"


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Solve the spot of the form `arguments`; the result names the folder of the solution."""
    plan = read_setup(arguments)
    for each in carry_out(plan):
        if each.row is not None:
            facts = {
                "iterations": each.row["iteration"],
                REACHED: round(100 * each.row["exploitability"] / plan.pot, 4),
            }
            report(each.done, 1.0, **facts)
    assert each.artefact is not None
    place, made = inside(folder, f"{HOME}/{arguments['name']}"), each.artefact.made
    save_artefact(each.artefact, place)
    return {"name": place.name, "iterations": made["iterations"], "exploitability": made["exploitability"]}
