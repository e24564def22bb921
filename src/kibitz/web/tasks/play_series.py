"""Play a match or tournament on, by its ledger; weights of adapting agents are recorded beside it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kibitz.arena.runs import RESULTS, choose_executor, play_on
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.files import locked, plain, write_text
from kibitz.web.folder import inside
from kibitz.web.matches import load_setup
from kibitz.web.tasks import Report


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Play what the ledger lacks and leave `results.json` and, of a tournament, `report.html` beside it."""
    place = inside(folder, arguments["name"])
    setup = load_setup(place)
    if setup is None:
        raise KibitzError(f"{arguments['name']!r} says nowhere what to play")
    series = setup.series(folder)
    with locked(place):
        for outcomes in play_on(series, choose_executor(series), place, resume=True):
            report(len(outcomes), len(series.keys), matches=len(outcomes))
        standings = Standings(series, outcomes)
        write_text(place / RESULTS, json.dumps(plain(standings.to_dict()), indent=2) + "\n")
        if standings.is_tournament:
            from kibitz.arena.report import render_report

            write_text(place / "report.html", render_report(standings, None, datetime.now(UTC)))
    return {"name": arguments["name"], "matches": len(outcomes), "hands": standings.hands_played}
