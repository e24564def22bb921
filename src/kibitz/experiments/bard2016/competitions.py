"""Chapter 6 and appendix A: what follows from the cross tables of the ACPC that are printed.

The cross tables are data of the package (`crosstables`), rounded to whole mbb, and so are the averages printed beside
them: a mean may be off by 1. `printed.toml` says which table follows from which, and how.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import isnan, nan
from typing import Any, NamedTuple

import numpy as np

from kibitz.arena.bankroll import ALWAYS_FOLD_CAP, cap_crossings, clip_to_cap, instant_runoff, mean_over_tables
from kibitz.arena.caps import plot_cap_sweep, share_of_cap
from kibitz.arena.crosstable import CrossTable
from kibitz.arena.rankings import Rankings
from kibitz.experiments.bard2016.crosstables import published_table
from kibitz.experiments.bard2016.printed import COMPETITIONS, LOST, TABLES
from kibitz.experiments.bard2016.resampling import ALL_ONE, NOTES, frequencies, frequency_rows, significant_from
from kibitz.experiments.published import QUOTE, SUBSTITUTE, Cells, Experiment, Found, PublishedTable

AVERAGE = "AVG"  # the last column of a cross table
QUOTED_NOTE = "Cross tables are quoted as printed; `kibitz rank NAME` analyses them."
BOTTOM_FOUR = ("Rembrant3", "KEmpfer", "HITSZ_CS_14", "Lucifer")
RATIO = "the printed 312.2 % is the ratio of the two bankrolls; the increase is 100 less"


def bankrolls(name: str, cap: float | None = None) -> dict[str, float]:
    """Bankrolls of a published table by agent, without those who have no results or whose cells are lost."""
    table = published_table(name)
    found = zip(table.names, mean_over_tables(clip_to_cap(table.rates, cap), table.seats).tolist(), strict=True)
    return {agent: value for agent, value in found if agent not in LOST.get(name, ()) and not isnan(value)}


def cells_of_bankrolls(printed: PublishedTable, source: str) -> Cells:
    """Total bankrolls, capped and not."""
    for column, cap in (("capped", ALWAYS_FOLD_CAP), ("uncapped", None)):
        if column in printed.columns:
            for agent, value in bankrolls(source, cap).items():
                yield agent, column, Found(value)


def cells_of_entries(printed: PublishedTable, *sources: str) -> Cells:
    """Two entries against the opponents that both met: what they won is quoted, the averages follow."""
    yield from (cell for cell in cells_of_quotes(printed) if not cell[1].endswith("average"))
    for column, cap in (("capped average", ALWAYS_FOLD_CAP), ("average", None)):
        if column in printed.columns:
            for source in sources:
                for agent, value in bankrolls(source, cap).items():
                    if agent in printed.rows:
                        yield agent, column, Found(value)


def cells_of_capped(printed: PublishedTable, source: str) -> Cells:
    """The cross table of capped winnings, cell by cell, from the uncapped one."""
    table, averages = published_table(source), bankrolls(source, ALWAYS_FOLD_CAP)
    *columns, average = printed.columns
    for row in printed.rows:
        for column in columns:
            if row != column:
                rate = table.rates[table.index(row), table.index(column)]
                yield row, column, Found(float(np.clip(rate, -ALWAYS_FOLD_CAP, ALWAYS_FOLD_CAP)))
        yield row, average, Found(averages[row])


def cells_of_cross_table(printed: PublishedTable, source: str) -> Cells:
    """A cross table, quoted, and the averages that follow from it."""
    averages = bankrolls(source)
    for row, column, quote in cells_of_quotes(printed):
        if column != AVERAGE:
            yield row, column, quote
        elif row in averages:
            yield row, column, Found(averages[row])


def cells_of_quotes(printed: PublishedTable) -> Cells:
    """Every cell with a printed figure, quoted."""
    for row, figures in printed.rows.items():
        for column, figure in zip(printed.columns, figures, strict=True):
            if not isnan(figure):
                yield row, column, QUOTE


def crossing(source: str, row: str) -> float:
    """The largest cap at which the two agents of a row change places."""
    table = published_table(source)
    one, other = (table.index(name) for name in row.split(", "))
    return float(cap_crossings(table.rates, one, other)[-1])


def cells_of_sweep(printed: PublishedTable, source: str) -> Cells:
    """The largest caps at which two agents change places, and from which on the lead is significant."""
    for row in printed.rows:
        cap = crossing(source, row)
        yield row, "cap", Found(cap)
        one, other = row.split(", ")
        first = significant_from(source, one, other, cap)
        yield row, "significant from", Found(first, open=SUBSTITUTE, verdict=SUBSTITUTE)


def draw_sweep(printed: PublishedTable, source: str) -> str:
    """Bankrolls of the agents that the figure names, by the cap."""
    table = published_table(source)
    named = dict.fromkeys(table.index(name) for row in printed.rows for name in row.split(", "))
    crossings = [(crossing(source, row), table.index(row.split(", ")[0])) for row in printed.rows]
    return plot_cap_sweep(Rankings(table, ALWAYS_FOLD_CAP), tuple(named), crossings)


def cells_of_frequencies(printed: PublishedTable, source: str, cap: float) -> Cells:
    """Our frequencies, of agents whose winnings are all known; what is printed of the others is quoted."""
    for (one, other), share in frequencies(source, cap, printed.rows):
        yield one, other, QUOTE if isnan(share) else Found(share, open=SUBSTITUTE, verdict=SUBSTITUTE)


def cells_of_section(_printed: PublishedTable) -> Cells:
    """Percentages of the text, in the order of the table."""
    no_limit, later = bankrolls("acpc-2013-nolimit"), bankrolls("acpc-2014-nolimit")
    three, three_later = bankrolls("acpc-2013-limit-3p"), bankrolls("acpc-2014-limit-3p")
    limit = bankrolls("acpc-2013-limit-entries")
    entries = {cap: bankrolls("acpc-2013-nolimit-entries", cap) for cap in (None, ALWAYS_FOLD_CAP)}
    entries_later = {cap: bankrolls("acpc-2014-nolimit-entries", cap) for cap in (None, ALWAYS_FOLD_CAP)}
    values = {
        "2013 limit: tbr over iro entry": _more(limit["hyperborean_tbr"], limit["hyperborean_iro"]),
        "2013 three-player: tbr over littlerock": _more(three["hyperborean_tbr"], three["littlerock"]),
        "2013 three-player: tbr over iro entry": _more(
            three["hyperborean_tbr"], bankrolls("acpc-2013-limit-3p-iro")["hyperborean_iro"]
        ),
        "2014 three-player: tbr over SmooCT": _more(three_later["Hyperborean_tbr"], three_later["SmooCT"]),
        "2013 no-limit: tbr over neo_poker_lab": _more(no_limit["hyperborean_tbr"], no_limit["neo_poker_lab"]),
        "2013 no-limit: capped tbr over iro entry": _increase(entries[ALWAYS_FOLD_CAP]),
        "2013 no-limit: tbr over iro entry": _increase(entries[None]),
        "2014 no-limit: tbr over SartreNLExp": _more(later["Hyperborean_tbr"], later["SartreNLExp"]),
        "2014 no-limit: tbr over Tartanian7": _more(later["Hyperborean_tbr"], later["Tartanian7"]),
        "2014 no-limit: capped tbr over iro entry": _increase(entries_later[ALWAYS_FOLD_CAP]),
        "2014 no-limit: tbr over iro entry": _increase(entries_later[None]),
        "2014 no-limit: HibiscusBiscuit of the cap, bottom four": _share("HibiscusBiscuit"),
        "2014 no-limit: Tartanian7 of the cap, bottom four": _share("Tartanian7"),
    }
    for row, value in values.items():
        yield row, "%", Found(value, reason=RATIO)


def _more(one: float, other: float) -> float:
    """By how many per cent one is more than the other."""
    return 100 * (one / other - 1)


def _increase(entries: dict[str, float]) -> float:
    """The same of the entry to the total bankroll event over that to the run-off."""
    by_event = {name.rpartition("_")[2]: value for name, value in entries.items() if name.endswith(("_tbr", "_iro"))}
    return _more(by_event["tbr"], by_event["iro"])


def _share(agent: str) -> float:
    table = published_table("acpc-2014-nolimit")
    bottom = [table.index(name) for name in BOTTOM_FOUR]
    return 100 * share_of_cap(table.rates, table.index(agent), bottom, ALWAYS_FOLD_CAP)


def cells_of_run_offs(printed: PublishedTable, *sources: str) -> Cells:
    """Places in the run-off events: the field of the total bankroll event with the other entry of Hyperborean."""
    events = dict.fromkeys(row.partition(": ")[0] for row in printed.rows)
    orders = {event: run_off_order(source) for event, source in zip(events, sources, strict=True)}
    for row in printed.rows:
        event, _, agent = row.partition(": ")
        yield row, "place", Found(float(orders[event].index(agent) + 1))


def run_off_order(source: str) -> list[str]:
    """Agents from the first place on; those that the entry to the run-off did not meet are left out."""
    table, entries = published_table(source), published_table(f"{source}-entries")
    entry = next(name for name in entries.names if name.endswith("_iro"))
    row = entries.rates[entries.index(entry)]
    met = [name for name in entries.names if not np.isnan(row[entries.index(name)])]
    field = table.among(met)
    won = np.array([row[entries.index(name)] for name in met])
    rates = np.full((len(met) + 1,) * 2, np.nan)
    rates[1:, 1:], rates[0, 1:], rates[1:, 0] = field.rates, won, -won
    return [[entry, *met][agent] for agent in instant_runoff(rates).ranking]


def opponents_of(table: CrossTable) -> dict[str, tuple[int, ...]]:
    """The columns of a cross table: an opponent, or two of them with three players, and their numbers."""
    found = combinations(range(len(table.names)), table.seats - 1)
    return {", ".join(table.names[agent] for agent in others): others for others in found}


def rate_of(table: CrossTable, agent: str, others: tuple[int, ...]) -> tuple[float, float]:
    """What an agent wins from these opponents, and its printed ±; nan where they are one, or nothing is legible."""
    place = (table.index(agent), *others)
    return float(table.rates[place]), float(table.half_widths[place])


def cross_table(title: str, source: str, averages: PublishedTable) -> PublishedTable:
    """The printed table: a row for each agent, its winnings and, at the end, its average."""
    table = published_table(source)
    columns = {
        column: others
        for column, others in opponents_of(table).items()
        if not all(isnan(rate_of(table, name, others)[0]) for name in table.names)
    }
    rates = {name: [rate_of(table, name, others) for others in columns.values()] for name in table.names}
    return PublishedTable(
        f"Bard 2016, {title}, mbb/hand",
        "agent",
        (*columns, AVERAGE),
        {name: (*(rate for rate, _ in cells), averages.printed(name, "uncapped")[0]) for name, cells in rates.items()},
        averages.tolerance,
        averages.decimals,
        bounds={name: (*(bound for _, bound in cells), nan) for name, cells in rates.items()},
    )


def with_opponents(table: PublishedTable, sources: Sequence[str]) -> PublishedTable:
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


def _winnings(table: CrossTable, agent: str) -> dict[frozenset[str], tuple[float, float]]:
    """What an agent wins from whom, with its ±, as far as it is legible."""
    cells = ((others, rate_of(table, agent, others)) for others in opponents_of(table).values())
    return {frozenset(table.names[each] for each in others): cell for others, cell in cells if not isnan(cell[0])}


def frequency_table(title: str, name: str, source: str, capped: bool) -> PublishedTable:
    """Agents by falling bankroll; where cells are lost, by the printed one."""
    of = next(
        table for table, each in COMPETITIONS.items() if each["kind"] == "bankrolls" and source in each["sources"]
    )
    column = "capped" if capped and "capped" in TABLES[of].columns else "uncapped"
    order = sorted(TABLES[of].rows, key=lambda agent: -TABLES[of].printed(agent, column)[0])
    rows = frequency_rows(name, order)
    return PublishedTable(f"Bard 2016, {title}", "agent", tuple(order), rows, 0.0, 3)


class Kind(NamedTuple):
    """How the cells of a kind of table are found, given the table and its cross tables, and what is said of all."""

    cells: Callable[..., Cells]
    notes: tuple[str, ...] = (QUOTED_NOTE,)


KINDS = {
    "quoted": Kind(cells_of_quotes, ()),
    "bankrolls": Kind(cells_of_bankrolls),
    "entries": Kind(cells_of_entries),
    "capped": Kind(cells_of_capped),
    "cross table": Kind(cells_of_cross_table),
    "sweep": Kind(cells_of_sweep),
    "frequencies": Kind(cells_of_frequencies, NOTES),
    "section": Kind(cells_of_section),
    "run-offs": Kind(cells_of_run_offs),
}


def _experiment(
    name: str, kind: str, sources: Sequence[str] = (), notes: Sequence[str] = (), **told: Any
) -> Experiment:
    """A table as `printed.toml` tells of it."""
    cells, general = KINDS[kind]
    given: list[Any] = list(sources)
    if kind == "cross table":
        printed = cross_table(told["title"], sources[0], TABLES[told["averages"]])
    elif kind == "frequencies":
        printed = frequency_table(told["title"], name, sources[0], told["capped"])
        given.append(ALWAYS_FOLD_CAP if told["capped"] else np.inf)
        general = (NOTES[0], ALL_ONE) if published_table(sources[0]).seats > 2 else NOTES
    else:
        printed = with_opponents(TABLES[name], sources) if kind == "entries" else TABLES[name]
    picture = partial(draw_sweep, printed, *sources) if kind == "sweep" else None
    return Experiment(printed, partial(cells, printed, *given), (*general, *notes), picture)


EXPERIMENTS: dict[str, Experiment] = {name: _experiment(name, **told) for name, told in COMPETITIONS.items()}
