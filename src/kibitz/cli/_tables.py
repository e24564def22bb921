"""Standings as tables for a terminal of 80 columns."""

from __future__ import annotations

from rich.table import Table

from kibitz.arena.standings import Standings
from kibitz.cli._console import ResultConsole

CROSS_TABLE_COLUMNS = 11  # opponents that fit in 80 columns


def short(value: float) -> str:
    """A signed rate in at most six characters."""
    if abs(value) < 9999.5:
        return f"{value:+.0f}"
    return f"{value / 1000:+.1f}k" if abs(value) < 99_950 else f"{value / 1000:+.0f}k"


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
    table.add_column("agent", no_wrap=True)
    for heading in ("bankroll", "95 % interval", f"cap {standings.cap:.0f}", "run-off"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, agent in enumerate(_order(standings), 1):
        interval = "–"
        if standings.bootstrap is not None:
            low, high = standings.bootstrap.interval(agent)
            interval = f"{low:+,.0f} … {high:+,.0f}"
        table.add_row(
            f"{place} {standings.series.names[agent]}",
            f"{standings.bankrolls[agent]:+,.0f}",
            interval,
            f"{standings.capped[agent]:+,.0f}",
            str(standings.runoff.ranking.index(agent) + 1),
        )
    return table
