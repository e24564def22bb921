"""Play a match or tournament on, by its ledger; the weights of adapting agents are watched before."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kibitz.agents import Agent
from kibitz.arena.match import make_agent
from kibitz.arena.runs import RESULTS, choose_executor, play_on
from kibitz.arena.series import Series
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.files import locked, plain, write_text
from kibitz.web.folder import inside
from kibitz.web.matches import load_setup
from kibitz.web.tasks import Report
from kibitz.web.weights import trace_name

MOST_WATCHED = 3000  # hands in which weights are watched
LINES_AT_ONCE = 50


def run(folder: Path, arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Play what the ledger lacks and leave `results.json` and, of a tournament, `report.html` beside it."""
    place = inside(folder, arguments["name"])
    setup = load_setup(place)
    if setup is None:
        raise KibitzError(f"{arguments['name']!r} says nowhere what to play")
    series = setup.series(folder)
    with locked(place):
        steps = play_on(series, choose_executor(series), place, resume=True)
        outcomes = next(steps)  # the ledger is there now, and viewers know who plays
        _watch_weights(series, place, report)
        for outcomes in steps:
            report(len(outcomes), len(series.keys), matches=len(outcomes))
        standings = Standings(series, outcomes)
        write_text(place / RESULTS, json.dumps(plain(standings.to_dict()), indent=2) + "\n")
        if standings.is_tournament:
            from kibitz.arena.report import render_report

            write_text(place / "report.html", render_report(standings, None, datetime.now(UTC)))
    return {"name": arguments["name"], "matches": len(outcomes), "hands": standings.hands_played}


def _watch_weights(series: Series, place: Path, report: Report) -> None:
    """One match of every portfolio with every opponent, hand by hand, in files of `kibitz portfolio trace`."""
    from kibitz.agents.implicit import ImplicitAgent

    if series.game.players != 2:
        return
    for one, spec in enumerate(series.agents):
        if not isinstance(make_agent(spec), ImplicitAgent):
            continue
        for other, rival in enumerate(series.agents):
            path = place / trace_name(one, other)
            if other != one and not path.is_file():
                report(0, len(series.keys), watching=f"{series.names[one]} against {series.names[other]}")
                hands = min(series.hands, MOST_WATCHED)
                _write_lines(path, _steps(make_agent(spec), make_agent(rival), series, hands))


def _steps(agent: Agent, opponent: Agent, series: Series, hands: int) -> Iterator[str]:
    from kibitz.portfolios.tracing import to_line, watch

    match = {"agent": agent.name, "opponent": opponent.name, "game": series.game.name}
    for step, names in watch(agent, opponent, series.game, hands, series.seed):
        yield to_line(step, names, **match) + "\n"


def _write_lines(path: Path, lines: Iterator[str]) -> None:
    """Write whole lines some at a time, for those who read along; the file gets its name when it is complete."""
    growing = path.with_name(path.name + ".growing")
    with suppress(FileNotFoundError):
        growing.unlink()
    held: list[str] = []
    for line in lines:
        held.append(line)
        if len(held) == LINES_AT_ONCE:
            with growing.open("a") as file:
                file.write("".join(held))
            held = []
    with growing.open("a") as file:
        file.write("".join(held))
    growing.replace(path)
