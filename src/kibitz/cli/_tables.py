"""Standings as tables for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from rich.table import Table
from rich.text import Text

from kibitz.arena.rankings import Rankings
from kibitz.arena.report import verdict
from kibitz.arena.standings import Standings
from kibitz.cli._console import ResultConsole
from kibitz.random import seed_text

WIN, LOSS = "bold dodger_blue2", "bold dark_orange3"  # told apart by the colour-blind, and on dark and light

RATE, LONGEST_NAME = 6, 27  # characters in a cross-table


def short(value: float) -> str:
    """A signed rate in at most six characters; a dash for one that is not known."""
    if not isfinite(value):
        return "–"
    unit = ""
    for larger in "kMGT":
        if len(f"{value:+.0f}{unit}") <= 5:
            break
        value, unit = value / 1000, larger
    precise = f"{value:+.1f}{unit}"
    return precise if unit and len(precise) <= RATE else f"{value:+.0f}{unit}"


def print_standings(standings: Standings, full: bool = False) -> None:
    """Print the ranking and who is first by which rule.

    full   also why another rule has another winner, and for two players the cross-table
    """
    console = ResultConsole()
    unit = standings.stake.unit
    console.print(f"Ranking by instant run-off, {unit}")
    console.print(ranking_table(standings.ranked))
    console.print(Text("\n" + " ".join(verdict(standings, brief=not full))))
    if full and standings.series.game.players == 2:
        console.print(f"\nRow's win rate against column, {unit} (* differs from 0)")
        for number, table in enumerate(_cross_tables(standings, console.width)):
            console.print(*[""] * bool(number), table, sep="\n")
    console.print(
        f"{standings.hands_played:,} hands; seed {seed_text(standings.series.seed)}; {unit}; duplicate deals (every "
        "seat permutation); 95 % intervals: per pairing over deals, per bankroll over resampled matches."
    )


def _cross_tables(standings: Standings, columns: int) -> Iterator[Table]:
    """What the row wins from the column, with the half-width of its interval below; side by side what has room.

    columns   of the terminal
    """
    names = [f"{place} {standings.series.names[agent]}" for place, agent in enumerate(standings.order, 1)]
    room = min(LONGEST_NAME, max(map(len, names)))
    at_once = max(1, (columns - room) // (RATE + 2))
    for begin in range(0, len(names), at_once):
        shown = standings.order[begin : begin + at_once]
        table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        table.add_column("", no_wrap=True, overflow="ellipsis", max_width=room)
        for place in range(begin + 1, begin + 1 + len(shown)):
            table.add_column(f"{place} ", justify="right", no_wrap=True, min_width=RATE + 1)
        for name, row in zip(names, standings.order, strict=True):
            table.add_row(Text(name), *(_cell(standings, row, column) for column in shown))
        yield table


def _cell(standings: Standings, row: int, column: int) -> Text:
    if row == column:
        return Text("· ")
    estimate = standings.estimates[min(row, column), max(row, column)][int(row > column)]
    mark, style = ("*", WIN if estimate.mean > 0 else LOSS) if estimate.significant else (" ", "")
    half_width = short(estimate.half_width).replace("+", "±")
    return Text.assemble((short(estimate.mean) + mark, style), "\n", (f"{half_width} ", "dim"))


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
