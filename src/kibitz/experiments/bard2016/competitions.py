"""Chapter 6 and appendix A: what follows from the cross tables of the ACPC that are printed.

The cross tables are rounded to whole mbb, and so are the averages printed beside them: a mean may be off by 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from math import isnan

import numpy as np

from kibitz.arena.bankroll import ALWAYS_FOLD_CAP, cap_crossings, clip_to_cap, instant_runoff, mean_over_tables
from kibitz.arena.caps import plot_cap_sweep, share_of_cap
from kibitz.arena.rankings import Rankings
from kibitz.experiments.bard2016 import resampling
from kibitz.experiments.bard2016.crosstables import published_table
from kibitz.experiments.bard2016.printed import TABLES
from kibitz.experiments.bard2016.quoted import AVERAGE, QUOTED, cross_table, quoted_cells, with_opponents
from kibitz.experiments.bard2016.resampling import (
    ALL_ONE,
    RESAMPLED,
    Resampled,
    frequency_cells,
    frequency_table,
    significant_from,
)
from kibitz.experiments.published import SUBSTITUTE, Experiment, Found, PublishedTable

Cells = Iterator[tuple[str, str, Found]]

# Tables of bankrolls, of two entries, and of capped winnings -> the cross tables that they follow from.
BANKROLLS = {
    "table-6.2": "acpc-2012-limit",
    "table-6.3": "acpc-2013-limit",
    "table-6.5": "acpc-2014-limit",
    "table-6.6": "acpc-2013-limit-3p",
    "table-6.8": "acpc-2014-limit-3p",
    "table-6.10": "acpc-2013-nolimit",
    "table-6.12": "acpc-2014-nolimit",
}
ENTRIES = {
    "table-6.4": ("acpc-2013-limit-entries",),
    "table-6.7": ("acpc-2013-limit-3p", "acpc-2013-limit-3p-iro"),
    "table-6.9": ("acpc-2014-limit-3p", "acpc-2014-limit-3p-iro"),
    "table-6.11": ("acpc-2013-nolimit-entries",),
    "table-6.13": ("acpc-2014-nolimit-entries",),
}
CAPPED = {
    "table-a.2": "acpc-2013-limit",
    "table-a.6": "acpc-2014-limit",
    "table-a.14": "acpc-2013-nolimit",
    "table-a.18": "acpc-2014-nolimit",
}
SWEEPS = {"figure-6.4": "acpc-2013-nolimit", "figure-6.5": "acpc-2014-nolimit"}
LOST = {  # agents some of whose cells are lost in the text of the thesis
    "acpc-2013-limit-3p": {"neo_poker_lab", "HITSZ_CS_13", "kempfer", "liacc"},
    "acpc-2014-limit-3p-iro": {"Hyperborean_iro"},
}
RUN_OFFS = {"2013 limit": "acpc-2013-limit", "2013 no-limit": "acpc-2013-nolimit", "2014 no-limit": "acpc-2014-nolimit"}
BOTTOM_FOUR = ("Rembrant3", "KEmpfer", "HITSZ_CS_14", "Lucifer")
RATIO = "the printed 312.2 % is the ratio of the two bankrolls; the increase is 100 less"


def bankrolls(name: str, cap: float | None = None) -> dict[str, float]:
    """Bankrolls of a published table by agent, without those who have no results or whose cells are lost."""
    table = published_table(name)
    found = zip(table.names, mean_over_tables(clip_to_cap(table.rates, cap), table.seats).tolist(), strict=True)
    return {agent: value for agent, value in found if agent not in LOST.get(name, ()) and not isnan(value)}


def cells_of_bankrolls(table: str) -> Cells:
    """Total bankrolls, capped and not."""
    printed, source = TABLES[table], BANKROLLS[table]
    for column, cap in (("capped", ALWAYS_FOLD_CAP), ("uncapped", None)):
        if column in printed.columns:
            for agent, value in bankrolls(source, cap).items():
                yield agent, column, Found(value)


def cells_of_entries(table: str) -> Cells:
    """Two entries against the opponents that both met: what they won is quoted, the averages follow."""
    printed = TABLES[table]
    winnings = with_opponents(printed, ENTRIES[table])
    yield from (cell for cell in quoted_cells(winnings) if cell[1] not in printed.columns)
    for column, cap in (("capped average", ALWAYS_FOLD_CAP), ("average", None)):
        if column in printed.columns:
            for source in ENTRIES[table]:
                for agent, value in bankrolls(source, cap).items():
                    if agent in printed.rows:
                        yield agent, column, Found(value)


def cells_of_capped(table: str) -> Cells:
    """The cross table of capped winnings, cell by cell, from the uncapped one."""
    source = published_table(CAPPED[table])
    averages = bankrolls(CAPPED[table], ALWAYS_FOLD_CAP)
    *columns, average = TABLES[table].columns
    for row in TABLES[table].rows:
        for column in columns:
            if row != column:
                rate = source.rates[source.index(row), source.index(column)]
                yield row, column, Found(float(np.clip(rate, -ALWAYS_FOLD_CAP, ALWAYS_FOLD_CAP)))
        yield row, average, Found(averages[row])


def cells_of_cross_table(name: str) -> Cells:
    """A cross table, quoted, and the averages that follow from it."""
    table = cross_table(QUOTED[name])
    averages = bankrolls(QUOTED[name].source)
    for row, column, quote in quoted_cells(table):
        if column != AVERAGE:
            yield row, column, quote
        elif row in averages:
            yield row, column, Found(averages[row])


def crossing(figure: str, row: str) -> float:
    """The largest cap at which the two agents of a row change places."""
    source = published_table(SWEEPS[figure])
    one, other = (source.index(name) for name in row.split(", "))
    return float(cap_crossings(source.rates, one, other)[-1])


def cells_of_sweep(figure: str) -> Cells:
    """The largest caps at which two agents change places, and from which on the lead is significant."""
    for row in TABLES[figure].rows:
        cap = crossing(figure, row)
        yield row, "cap", Found(cap)
        one, other = row.split(", ")
        first = significant_from(SWEEPS[figure], one, other, cap)
        yield row, "significant from", Found(first, open=SUBSTITUTE, verdict=SUBSTITUTE)


def draw_sweep(figure: str) -> str:
    """Bankrolls of the agents that the figure names, by the cap."""
    source = published_table(SWEEPS[figure])
    named = dict.fromkeys(source.index(name) for row in TABLES[figure].rows for name in row.split(", "))
    crossings = [(crossing(figure, row), source.index(row.split(", ")[0])) for row in TABLES[figure].rows]
    return plot_cap_sweep(Rankings(source, ALWAYS_FOLD_CAP), tuple(named), crossings)


def cells_of_section() -> Cells:
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


def cells_of_run_offs() -> Cells:
    """Places in the run-off events: the field of the total bankroll event with the other entry of Hyperborean."""
    orders = {event: run_off_order(source) for event, source in RUN_OFFS.items()}
    for row in TABLES["run-offs"].rows:
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


QUOTED_NOTE = "Cross tables are quoted as printed; `kibitz competition NAME` analyses them."
DRAWN = "From which cap on a lead is significant the matches would tell; ours are rates drawn from printed intervals."
SCATTERED = "What is printed in the other columns is scattered in the text."
APART = "Some figures stand apart from their rows in the text; what the other side of the table says places them."
NOTES = {
    "table-6.2": ("The printed ± rest on the matches; they do not follow from the cross table.",),
    "table-6.6": ("What four agents win at tables with littlerock is lost in the text: not computed.",),
    "table-6.9": ("Two cells of Hyperborean_iro are lost in the text: its average is not computed.",),
    "table-6.11": ("hyperborean_iro against littlerock is read as 133, not 33: the averages need it.",),
    "table-6.13": ("Hyperborean_iro against PijaiBot is lost; 545 follows from one average and fits the other.",),
    "figure-6.4": (DRAWN,),
    "figure-6.5": (DRAWN,),
    "table-a.2": ("Of zbot against neo_poker_lab and liacc against HITSZ_CS_13 the text has lost figure or sign.",),
    "table-a.6": (SCATTERED,),
    **dict.fromkeys(("table-a.7", "table-a.17", "table-a.21"), (APART,)),
    "table-a.1": ("entropy against huhuers is read from the other side of the table.",),
    "table-a.10": ("What four agents win at tables with littlerock and without hyperborean_tbr is lost in the text.",),
    "table-a.12": ("Two cells of HITSZ_CS_14 have lost a digit and the sign; what the others win gives them.",),
    "table-a.20": ("Signs that the text has lost are those of table A.18 and of the other side of the table.",),
}


def _experiment(name: str, printed: PublishedTable, cells: Callable[[], Cells], *notes: str) -> Experiment:
    picture = partial(draw_sweep, name) if name in SWEEPS else None
    return Experiment(printed, cells, (*notes, *NOTES.get(name, ())), picture)


def _all() -> Iterator[tuple[str, Experiment]]:
    winnings = TABLES["table-6.1"]
    yield (
        "table-6.1",
        _experiment("table-6.1", winnings, partial(quoted_cells, winnings), "The agents are not published: quoted."),
    )
    for names, cells in ((BANKROLLS, cells_of_bankrolls), (CAPPED, cells_of_capped), (SWEEPS, cells_of_sweep)):
        for name in names:
            yield name, _experiment(name, TABLES[name], partial(cells, name), QUOTED_NOTE)
    for name, sources in ENTRIES.items():
        printed = with_opponents(TABLES[name], sources)
        yield name, _experiment(name, printed, partial(cells_of_entries, name), QUOTED_NOTE)
    for name, quoted in QUOTED.items():
        yield name, _experiment(name, cross_table(quoted), partial(cells_of_cross_table, name), QUOTED_NOTE)
    for name, resampled in RESAMPLED.items():
        printed = frequency_table(name, _by_bankroll(resampled))
        notes = (*resampling.NOTES[:1], ALL_ONE) if published_table(resampled.source).seats > 2 else resampling.NOTES
        yield name, _experiment(name, printed, partial(frequency_cells, name, printed), *notes)
    yield "section-6.2", _experiment("section-6.2", TABLES["section-6.2"], cells_of_section, QUOTED_NOTE)
    taking_part = "Only agents that both entries met take part."
    yield "run-offs", _experiment("run-offs", TABLES["run-offs"], cells_of_run_offs, QUOTED_NOTE, taking_part)


def _by_bankroll(resampled: Resampled) -> list[str]:
    """Agents by falling bankroll; where cells are lost, by the printed one."""
    table = next(name for name, source in BANKROLLS.items() if source == resampled.source)
    column = "capped" if resampled.is_capped and "capped" in TABLES[table].columns else "uncapped"
    return sorted(TABLES[table].rows, key=lambda agent: -TABLES[table].printed(agent, column)[0])


def _place(name: str) -> tuple[bool, int, str, float]:
    """Chapter 6 before appendix A; there sections, tables and figures by their numbers."""
    kind, _, number = name.partition("-")
    letter, _, rest = number.partition(".")
    if not rest:
        return letter == "a", 2, kind, 0.0
    return letter == "a", {"table": 0, "section": 1, "figure": 3}[kind], kind, float(rest)


EXPERIMENTS: dict[str, Experiment] = dict(sorted(_all(), key=lambda item: _place(item[0])))
