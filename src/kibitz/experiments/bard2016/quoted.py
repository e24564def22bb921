"""Tables of chapter 6 and appendix A that are quoted: the cross tables of the ACPC, from which others are computed.

They are data of the package (`crosstables`); as published tables they stand beside the averages that follow from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from math import isnan, nan
from typing import NamedTuple

from kibitz.arena.crosstable import CrossTable
from kibitz.experiments.bard2016.crosstables import published_table
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.published import QUOTE, Found, PublishedTable

Cells = Iterator[tuple[str, str, Found]]
AVERAGE = "AVG"


class Quoted(NamedTuple):
    """A cross table that is printed in appendix A.

    label      as the thesis calls it
    title      what it shows
    source     of its cells: a name of `crosstables`
    averages   the table of bankrolls in which its last column is printed too
    """

    label: str
    title: str
    source: str
    averages: str


QUOTED = {
    "table-a.1": Quoted("A.1", "winnings, ACPC 2012, heads-up limit", "acpc-2012-limit", "table-6.2"),
    "table-a.4": Quoted("A.4", "winnings without a cap, ACPC 2013, heads-up limit", "acpc-2013-limit", "table-6.3"),
    "table-a.8": Quoted("A.8", "winnings without a cap, ACPC 2014, heads-up limit", "acpc-2014-limit", "table-6.5"),
    "table-a.10": Quoted("A.10", "winnings, ACPC 2013, three-player limit", "acpc-2013-limit-3p", "table-6.6"),
    "table-a.12": Quoted("A.12", "winnings, ACPC 2014, three-player limit", "acpc-2014-limit-3p", "table-6.8"),
    "table-a.16": Quoted(
        "A.16", "winnings without a cap, ACPC 2013, heads-up no-limit", "acpc-2013-nolimit", "table-6.10"
    ),
    "table-a.20": Quoted(
        "A.20", "winnings without a cap, ACPC 2014, heads-up no-limit", "acpc-2014-nolimit", "table-6.12"
    ),
}


def opponents_of(table: CrossTable) -> dict[str, tuple[int, ...]]:
    """The columns of a cross table: an opponent, or two of them with three players, and their numbers."""
    found = combinations(range(len(table.names)), table.seats - 1)
    return {", ".join(table.names[agent] for agent in others): others for others in found}


def rate_of(table: CrossTable, agent: str, others: tuple[int, ...]) -> tuple[float, float]:
    """What an agent wins from these opponents, and its printed ±; nan where they are one, or nothing is legible."""
    place = (table.index(agent), *others)
    return float(table.rates[place]), float(table.half_widths[place])


def cross_table(quoted: Quoted) -> PublishedTable:
    """The printed table: a row for each agent, its winnings and, at the end, its average."""
    table, averages = published_table(quoted.source), TABLES[quoted.averages]
    columns = {
        column: others
        for column, others in opponents_of(table).items()
        if not all(isnan(rate_of(table, name, others)[0]) for name in table.names)
    }
    rates = {name: [rate_of(table, name, others) for others in columns.values()] for name in table.names}
    return PublishedTable(
        f"Bard 2016, table {quoted.label}: {quoted.title}, mbb/hand",
        "agent",
        (*columns, AVERAGE),
        {name: (*(rate for rate, _ in cells), averages.printed(name, "uncapped")[0]) for name, cells in rates.items()},
        averages.tolerance,
        averages.decimals,
        bounds={name: (*(bound for _, bound in cells), nan) for name, cells in rates.items()},
    )


def with_opponents(table: PublishedTable, sources: tuple[str, ...]) -> PublishedTable:
    """A table of averages with the winnings from each opponent before them, as the thesis prints it."""
    found = [published_table(source) for source in sources]
    known = {agent: _winnings(next(each for each in found if agent in each.names), agent) for agent in table.rows}
    columns = dict.fromkeys(others for each in known.values() for others in each)
    cells = {agent: [each.get(others, (nan, nan)) for others in columns] for agent, each in known.items()}
    return replace(
        table,
        columns=(*(", ".join(sorted(others, key=str.lower)) for others in columns), *table.columns),
        rows={agent: (*(rate for rate, _ in cells[agent]), *row) for agent, row in table.rows.items()},
        bounds={
            agent: (*(bound for _, bound in cells[agent]), *(nan for _ in row)) for agent, row in table.rows.items()
        },
    )


def quoted_cells(table: PublishedTable) -> Cells:
    """Every cell with a printed figure, quoted."""
    for row, figures in table.rows.items():
        for column, figure in zip(table.columns, figures, strict=True):
            if not isnan(figure):
                yield row, column, QUOTE


def _winnings(table: CrossTable, agent: str) -> dict[frozenset[str], tuple[float, float]]:
    """What an agent wins from whom, with its ±, as far as it is legible."""
    cells = ((others, rate_of(table, agent, others)) for others in opponents_of(table).values())
    return {frozenset(table.names[each] for each in others): cell for others, cell in cells if not isnan(cell[0])}
