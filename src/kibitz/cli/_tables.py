"""Standings as tables for a terminal of 80 columns."""

from __future__ import annotations

from math import isfinite

from rich.table import Table
from rich.text import Text

from kibitz.arena.rankings import Rankings
from kibitz.arena.report import verdict
from kibitz.arena.standings import Standings
from kibitz.cli._console import ResultConsole
from kibitz.random import seed_text

# Agents whose cross-table fits in 80 columns: with rates of six characters, of five, of five without a space between.
WIDE_UP_TO, SPACED_UP_TO, CROSS_TABLE_UP_TO = 9, 11, 12
WIN, LOSS = "bold dodger_blue2", "bold dark_orange3"  # told apart by the colour-blind, and on dark and light


def short(value: float, width: int = 6) -> str:
    """A signed rate in at most `width` characters, five or six; a dash for one that is not known."""
    if not isfinite(value):
        return "–"
    unit = ""
    for larger in "kMGT":
        if len(f"{value:+.0f}{unit}") <= 5:
            break
        value, unit = value / 1000, larger
    precise = f"{value:+.1f}{unit}"
    return precise if unit and len(precise) <= width else f"{value:+.0f}{unit}"


def print_standings(standings: Standings) -> None:
    """Print the ranking, who won by which rule, and for two players and as far as it fits the cross-table."""
    console = ResultConsole()
    series, unit = standings.series, standings.stake.unit
    console.print(f"Ranking by instant run-off, {unit}")
    console.print(ranking_table(standings.ranked))
    console.print(Text("\n" + " ".join(verdict(standings))))
    if series.game.players == 2 and len(series.agents) <= CROSS_TABLE_UP_TO:
        console.print(f"\nRow's win rate against column, {unit} (* differs from 0)")
        console.print(_cross_table(standings))
    elif series.game.players == 2:
        console.print(
            f"\nA cross-table of {len(series.agents)} agents does not fit here: --out writes it to report.html."
        )
    console.print(
        f"{standings.hands_played:,} hands; seed {seed_text(series.seed)}; {unit}; duplicate deals (every seat "
        "permutation); 95 % intervals: per pairing over deals, per bankroll over resampled matches."
    )


def _cross_table(standings: Standings) -> Table:
    """What the row wins from the column, with the half-width of its interval below."""
    agents = len(standings.order)
    table = Table(box=None, padding=(0, int(agents <= SPACED_UP_TO), 0, 0), pad_edge=False)
    width = 6 if agents <= WIDE_UP_TO else 5
    table.add_column("", no_wrap=True)
    for place in range(1, agents + 1):
        table.add_column(
            f"{place} ", justify="right", no_wrap=True, min_width=0 if agents <= SPACED_UP_TO else width + 1
        )
    for place, row in enumerate(standings.order, 1):
        cells = []
        for column in standings.order:
            if row == column:
                cells.append(Text("· "))
                continue
            estimate = standings.estimates[min(row, column), max(row, column)][int(row > column)]
            mark, style = ("*", WIN if estimate.mean > 0 else LOSS) if estimate.significant else (" ", "")
            half_width = short(estimate.half_width, width).replace("+", "±")
            cells.append(Text.assemble((short(estimate.mean, width) + mark, style), "\n", (f"{half_width} ", "dim")))
        table.add_row(str(place) if agents <= SPACED_UP_TO else f"{place} ", *cells)
    return table


def ranking_table(ranked: Rankings, with_intervals: bool = True) -> Table:
    """Every agent with its bankrolls and its places, in the order of the run-off."""
    table = Table(box=None, padding=(0, 1, 0, 0))
    table.add_column("", no_wrap=True)
    table.add_column("agent", overflow="fold")  # the only column that may become narrower than what is in it
    interval_heading = ("95 % interval",) if with_intervals else ()
    for heading in ("bankroll", *interval_heading, "place", f"cap {ranked.cap:.0f}", "place"):
        table.add_column(heading, justify="right", no_wrap=True)
    for place, agent in enumerate(ranked.order, 1):
        interval = "–"
        if ranked.bootstrap is not None:
            low, high = ranked.bootstrap.interval(agent)
            interval = f"{low:+,.0f} … {high:+,.0f}"
        table.add_row(
            str(place),
            Text(ranked.names[agent]),  # brackets in a name are no markup
            f"{ranked.bankrolls[agent]:+,.0f}",
            *((interval,) if with_intervals else ()),
            str(ranked.places["bankroll"][agent]),
            f"{ranked.capped[agent]:+,.0f}",
            str(ranked.places["capped"][agent]),
        )
    return table
