"""Tables that the ACPC and its students printed, as values: cross tables, bankrolls, run-offs.

Rates are the row player's, in mbb/hand, rounded to whole numbers as printed. Cells that the source text lost
are marked in `remarks`: filled from their transpose (a heads-up table is antisymmetric) or inferred from the
printed average. None marks a table that was not played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from kibitz.arena.crosstable import CrossTable
from kibitz.experiments.bard2016.crosstables import published_table
from kibitz.experiments.bard2016.printed import TABLES


@dataclass(frozen=True)
class PublishedTable:
    """A printed table: where it stands, what its columns are, and its rows by name."""

    source: str
    columns: tuple[str, ...]
    rows: Mapping[str, tuple[float | None, ...]]
    remarks: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, row in self.rows.items():
            assert len(row) == len(self.columns), f"{self.source}: row {name} has {len(row)} cells"

    @property
    def names(self) -> list[str]:
        return list(self.rows)

    def array(self) -> npt.NDArray[np.float64]:
        """float64[rows, columns], nan for None."""
        return np.array(list(self.rows.values()), dtype=np.float64)

    def column(self, name: str) -> dict[str, float]:
        """One column by row name, without its empty cells."""
        at = self.columns.index(name)
        return {row: cells[at] for row, cells in self.rows.items() if cells[at] is not None}


def crosstable(
    source: str,
    rows: Mapping[str, tuple[float | None, ...]],
    remarks: Mapping[tuple[str, str], str] | None = None,
) -> PublishedTable:
    """A table whose columns are its rows, in the same order."""
    return PublishedTable(source, tuple(rows), rows, remarks or {})


# --- Bard 2016: cross tables and what is printed beside them are data of the package ----------------------


def cells_of(table: CrossTable, figures: npt.NDArray[np.float64]) -> dict[str, tuple[float | None, ...]]:
    """Rows by name, None for nan."""
    rows = zip(table.names, figures, strict=True)
    return {name: tuple(None if np.isnan(each) else each for each in row) for name, row in rows}


def bard(name: str) -> PublishedTable:
    """A cross table of appendix A."""
    table = published_table(name)
    return crosstable(f"Bard 2016, {name}", cells_of(table, table.rates))


def entries(name: str) -> PublishedTable:
    """The entries of Hyperborean to both events against the opponents that both met."""
    table = published_table(f"{name}-entries")
    own = {each.rpartition("_")[2].lower(): table.index(each) for each in table.names[:2]}
    rows = {
        opponent: tuple(table.rates[own[event], table.index(opponent)] for event in ("tbr", "iro"))
        for opponent in table.names[2:]
    }
    return PublishedTable(f"Bard 2016, entries of {name}", ("tbr", "iro"), rows)


def bankrolls(name: str) -> PublishedTable:
    """Bankrolls of chapter 6."""
    table = TABLES[name]
    return PublishedTable(table.source, table.columns, table.rows)


LIMIT_2012, LIMIT_2013, LIMIT_2014 = bard("acpc-2012-limit"), bard("acpc-2013-limit"), bard("acpc-2014-limit")
NOLIMIT_2013, NOLIMIT_2014 = bard("acpc-2013-nolimit"), bard("acpc-2014-nolimit")
_WIDTHS = published_table("acpc-2013-nolimit")
NOLIMIT_2013_HALF_WIDTHS = crosstable("Bard 2016, Table A.16: ±", cells_of(_WIDTHS, _WIDTHS.half_widths))
BANKROLLS_LIMIT_2012, BANKROLLS_LIMIT_2013 = bankrolls("table-6.2"), bankrolls("table-6.3")
BANKROLLS_LIMIT_2014 = bankrolls("table-6.5")
BANKROLLS_NOLIMIT_2013, BANKROLLS_NOLIMIT_2014 = bankrolls("table-6.10"), bankrolls("table-6.12")
IRO_ENTRY_LIMIT_2013, IRO_ENTRY_NOLIMIT_2013 = entries("acpc-2013-limit"), entries("acpc-2013-nolimit")
IRO_ENTRY_NOLIMIT_2014 = entries("acpc-2014-nolimit")

# --- Rubin and Watson 2011 --------------------------------------------------------------------------------

NOLIMIT_2010 = crosstable(
    source="Rubin and Watson 2011, Table 5: 2010 heads-up no-limit",
    rows={
        "c4tw.iro": (None, None, -4181, None, -7557, -2289, -5534, None),
        "c4tw.tbr": (None, None, None, -3562, -6977, -2241, None, -8669),
        "Hyperborean.iro": (4181, None, None, -83, 775, 200, 248, 122),
        "Hyperborean.tbr": (None, 3562, 83, None, 795, 272, 364, 220),
        "PokerBotSLO": (7557, 6977, -775, -795, None, -193, -108, -159),
        "SartreNL": (2289, 2241, -200, -272, 193, None, 42, -13),
        "Tartanian4.iro": (5534, None, -248, -364, 108, -42, None, -80),
        "Tartanian4.tbr": (None, 8669, -122, -220, 159, 13, 80, None),
    },
)

RUNOFF_2010 = PublishedTable(
    source="Rubin and Watson 2011, Table 6: 2010 heads-up no-limit, bankroll instant run-off",
    columns=("0", "1", "2", "3"),
    rows={
        "Hyperborean.iro": (1351, 408, 224, 200),
        "SartreNL": (581, 12, -79, -200),
        "Tartanian4.iro": (1338, -60, -145, None),
        "PokerBotSLO": (1620, -359, None, None),
        "c4tw.iro": (-4891, None, None, None),
    },
)

# --- Hawkin 2014 ------------------------------------------------------------------------------------------

RUNOFF_2012 = PublishedTable(
    source="Hawkin 2014, Figure 5.7: 2012 heads-up no-limit, bankroll instant run-off",
    columns=tuple("0123456789"),
    rows={
        "hyperborean": (586, 527, 530, 273, 223, 167, 167, 181, 174, 161),
        "tartanian5": (597, 536, 509, 159, 97, -7, 17, 4, -76, -161),
        "neo.poker.lab": (534, 456, 424, 198, 86, 16, -58, -78, -97, None),
        "little.rock": (1116, 929, 907, 298, 128, 37, -24, -107, None, None),
        "sartre": (112, 19, -21, 56, -57, -97, -101, None, None, None),
        "hugh": (483, 459, 422, 71, -49, -117, None, None, None, None),
        "spewy.louie": (355, 257, 204, -230, -427, None, None, None, None, None),
        "lucky7.12": (-809, -719, -1009, -826, None, None, None, None, None, None),
        "azure.sky": (-196, -1209, -1966, None, None, None, None, None, None, None),
        "dcubot": (-1097, -1254, None, None, None, None, None, None, None, None),
        "uni.mb.poker": (-1681, None, None, None, None, None, None, None, None, None),
    },
)

HAWKIN_CROSSTABLE = crosstable(
    source="Hawkin 2014, Table 7.9: 40 duplicate matches of 100,000 hands per pair",
    rows={
        "2011+": (None, -26, -57, -35, -47, -53),
        "Hawkin_1": (26, None, -45, -23, -27, -27),
        "Hawkin_2": (57, 45, None, 14, 1, 2),
        "big2011": (35, 23, -14, None, -7, -2),
        "minBet_C": (47, 27, -1, 7, None, 1),
        "minBet_B": (53, 27, -2, 2, -1, None),
    },
)
# The averages printed beside it do not follow from its cells.
HAWKIN_PRINTED_AVERAGES = {
    "2011+": -42,
    "Hawkin_1": -20,
    "Hawkin_2": 10,
    "big2011": -3,
    "minBet_C": 5,
    "minBet_B": 7,
}
