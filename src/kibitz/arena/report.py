"""A finished series as one HTML page that needs nothing beside it."""

from __future__ import annotations

from datetime import datetime
from importlib.resources import files
from math import isfinite

from kibitz.arena.bootstrap import SIGNIFICANCE
from kibitz.arena.standings import Standings
from kibitz.statistics import Estimate

STRENGTHS = 4  # shades of a cell: the last is that of the cap and of all beyond it


def render_report(standings: Standings, command: str | None = None, date: datetime | None = None) -> str:
    """The page: who won and why, ranking, plot, cross-table, run-off, significance, and how it was played.

    command and date, of when it was played, are shown where they are given.
    """
    from jinja2 import Environment, StrictUndefined

    from kibitz.arena.plots import plot_standings
    from kibitz.arena.verdict import verdict

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["rate"] = lambda value: f"{value:+,.0f}".replace("-", "−")
    environment.filters["half_width"] = lambda value: f"± {value:,.0f}" if isfinite(value) else "–"
    template = environment.from_string(
        (files("kibitz.arena") / "templates" / "report.html").read_text(encoding="utf-8")
    )
    results = standings.to_dict() | standings.rankings()
    order = list(standings.order)
    heads_up = standings.series.game.players == 2
    return template.render(
        results=results,
        settings=_settings(standings, command, date),
        verdict=verdict(standings),
        names=standings.series.names,
        order=order,
        plot=plot_standings(standings),
        cells=_cells(standings, order) if heads_up else None,
        tables=None if heads_up else results["tables"],
        frequency=None if standings.bootstrap is None else standings.bootstrap.runoff_frequency,
        significance=SIGNIFICANCE,
    )


def _settings(standings: Standings, command: str | None, date: datetime | None) -> list[tuple[str, str]]:
    """How it was played, as pairs of a word and what it says."""
    series = standings.series
    played = f"{standings.hands_played:,} hands: {len(series.tables):,} tables, {series.matches:,} matches a table"
    seatings = "duplicate deals (every seat permutation)"
    return [
        *([("date", f"{date:%Y-%m-%d %H:%M} {date.tzname() or ''}".rstrip())] if date is not None else []),
        *([("command", command)] if command is not None else []),
        ("game", f"{series.game.name}, {series.game.players} players"),
        ("played", f"{played}, {series.hands:,} deals a match, {seatings}"),
        ("seed", f"{series.seed}; match m is dealt from seed + m at every table"),
        ("version", f"Kibitz {series.to_dict()['kibitz']}"),
    ]


def _cells(standings: Standings, order: list[int]) -> list[list[dict[str, object] | None]]:
    """The cross-table row by row in ranking order; None on the diagonal."""
    rows = []
    for row in order:
        cells: list[dict[str, object] | None] = []
        for column in order:
            if row == column:
                cells.append(None)
                continue
            estimate = standings.estimates[min(row, column), max(row, column)][int(row > column)]
            cells.append({**estimate.to_dict(), "shade": _shade(estimate, standings.cap)})
        rows.append(cells)
    return rows


def _shade(estimate: Estimate, cap: float) -> str:
    """Classes of a cell: none where the rate may be zero, else `win` or `loss` and its size in quarters of the cap."""
    if not estimate.significant:
        return ""
    strength = min(STRENGTHS, 1 + int(STRENGTHS * abs(estimate.mean) / cap)) if cap > 0 else STRENGTHS
    return f"{'win' if estimate.mean > 0 else 'loss'} strength-{strength}"
