"""Standings as tables for a terminal of 80 columns."""

from __future__ import annotations

from math import isfinite

from rich.table import Table
from rich.text import Text

from kibitz.arena.standings import Standings
from kibitz.cli._console import ResultConsole

CROSS_TABLE_COLUMNS = 11  # opponents that fit in 80 columns


def short(value: float) -> str:
    """A signed rate in at most six characters; a dash for one that is not known."""
    if not isfinite(value):
        return "–"
    unit = ""
    for larger in "kMGT":
        if abs(value) < 9999.5:
            break
        value, unit = value / 1000, larger
    return f"{value:+.1f}{unit}" if unit and abs(value) < 99.95 else f"{value:+.0f}{unit}"


def print_standings(standings: Standings) -> None:
    """Print the ranking and, for two players and as far as it fits, the cross-table."""
    console = ResultConsole()
    series = standings.series
    console.print(f"Ranking, {standings.stake.unit}")
    console.print(_ranking(standings))
    if series.game.players == 2 and len(series.agents) <= CROSS_TABLE_COLUMNS:
        console.print(f"\nRow's win rate against column, {standings.stake.unit} (numbers as above)")
        console.print(_cross_table(standings))
    console.print(
        f"{standings.hands_played:,} hands; seed {series.seed}; {standings.stake.unit}; every deal played in every "
        "seating; 95 % intervals: per pairing over deals, per bankroll over resampled matches."
    )


def _order(standings: Standings) -> list[int]:
    return [int(agent) for agent in (-standings.bankrolls).argsort(kind="stable")]


def _cross_table(standings: Standings) -> Table:
    """What the row wins from the column, with the half-width of its interval below."""
    table = Table(box=None, padding=(0, 1, 0, 0))
    order = _order(standings)
    table.add_column("", no_wrap=True)
    for place in range(1, len(order) + 1):
        table.add_column(str(place), justify="right", no_wrap=True)
    for place, row in enumerate(order, 1):
        cells = []
        for column in order:
            if row == column:
                cells.append("·")
                continue
            estimate = standings.estimates[min(row, column), max(row, column)][int(row > column)]
            colour = ("green" if estimate.mean > 0 else "red") if estimate.significant else "default"
            half_width = short(estimate.half_width).replace("+", "±")
            cells.append(f"[{colour}]{short(estimate.mean)}[/]\n[dim]{half_width}[/]")
        table.add_row(str(place), *cells)
    return table


def _ranking(standings: Standings) -> Table:
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    table.add_column("agent", overflow="fold")  # the only column that may become narrower than what is in it
    for heading in ("bankroll", "95 % interval", f"cap {standings.cap:.0f}", "run-off"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, agent in enumerate(_order(standings), 1):
        interval = "–"
        if standings.bootstrap is not None:
            low, high = standings.bootstrap.interval(agent)
            interval = f"{low:+,.0f} … {high:+,.0f}"
        table.add_row(
            str(place),
            Text(standings.series.names[agent]),  # brackets in a name are no markup
            f"{standings.bankrolls[agent]:+,.0f}",
            interval,
            f"{standings.capped[agent]:+,.0f}",
            str(standings.runoff.ranking.index(agent) + 1),
        )
    return table
