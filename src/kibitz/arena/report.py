"""A finished series as one HTML page that needs nothing beside it."""

from __future__ import annotations

from importlib.resources import files
from math import isfinite

import numpy as np

from kibitz.arena.standings import Standings


def render_report(standings: Standings) -> str:
    """The page: ranking, plot, cross-table with intervals, run-off, significance, and how it was played."""
    from jinja2 import Environment, StrictUndefined

    from kibitz.arena.plots import plot_standings

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined)
    environment.filters["rate"] = lambda value: f"{value:+,.0f}".replace("-", "−")
    environment.filters["half_width"] = lambda value: f"± {value:,.0f}" if isfinite(value) else "–"
    template = environment.from_string(
        (files("kibitz.arena") / "templates" / "report.html").read_text(encoding="utf-8")
    )
    results = standings.to_dict() | standings.rankings()
    names = standings.series.names
    order = [int(agent) for agent in np.argsort(-standings.bankrolls, kind="stable")]
    heads_up = standings.series.game.players == 2
    return template.render(
        results=results,
        names=names,
        order=order,
        plot=plot_standings(standings),
        cells=_cells(standings, order) if heads_up else None,
        tables=None if heads_up else results["tables"],
        frequency=None if standings.bootstrap is None else standings.bootstrap.frequency,
    )


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
            sign = "" if not estimate.significant else "win" if estimate.mean > 0 else "loss"
            cells.append({"mean": estimate.mean, "half_width": estimate.half_width, "sign": sign})
        rows.append(cells)
    return rows
