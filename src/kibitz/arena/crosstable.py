"""Cross tables: what every agent wins from every other, as they are printed, played or logged.

A table file is CSV. For two players it is a square, one row and one column per agent:

    agent,slumbot,zbot
    slumbot,,21±4
    zbot,-21±4,

A cell is the row's rate, with or without the half-width of its 95 % interval, or empty. A row that is missing follows
from the others, because what one wins the other loses. For three players, and as another way for two, every line is
one result:

    agent,opponent,opponent,rate,half_width
    H,S,K,76,11

Lines that begin with # are comments.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from math import nan
from pathlib import Path

import numpy as np

from kibitz.arena.bankroll import FloatArray
from kibitz.errors import KibitzError
from kibitz.statistics import MILLI_BIG_BLINDS

_CELL = re.compile(r"([+-]?\d+(?:\.\d+)?)(?:\s*(?:±|\+/-)\s*(\d+(?:\.\d+)?))?")
_EMPTY = {"", "-", "–", "·"}
CELL_FORM = "a rate such as 21, -4.5 or 21±4, or nothing"

Results = dict[tuple[int, ...], FloatArray]  # table -> results of its matches, float64[matches, seats]


@dataclass(frozen=True, eq=False)
class CrossTable:
    """A field of agents and what they win.

    rates        float64[n, n], for three players [n, n, n]: what the first wins; nan where nobody met
    half_widths  the same shape: half of the 95 % interval of each, nan where it is not known
    matches      the results of single matches, where they are known; heads-up columns are both agents
    shared_deals whether match m of every table was dealt the same cards
    """

    names: tuple[str, ...]
    rates: FloatArray
    half_widths: FloatArray
    unit: str = MILLI_BIG_BLINDS
    matches: Results = field(default_factory=dict)
    shared_deals: bool = False

    @classmethod
    def empty(cls, names: tuple[str, ...], seats: int, unit: str = MILLI_BIG_BLINDS) -> CrossTable:
        """A table in which nobody has met; `seat` fills it."""
        shape = (len(names),) * seats
        return cls(names, np.full(shape, nan), np.full(shape, nan), unit)

    def seat(self, agents: Sequence[int], mean: float, half_width: float) -> None:
        """Write what the first of `agents` wins at a table with the others, in whatever order."""
        for others in permutations(agents[1:]):
            self.rates[(agents[0], *others)] = mean
            self.half_widths[(agents[0], *others)] = half_width

    @property
    def seats(self) -> int:
        """Players at a table."""
        return self.rates.ndim

    def index(self, name: str) -> int:
        """The number of an agent."""
        if name not in self.names:
            raise KibitzError(f"no agent {name!r}: there are {', '.join(self.names)}")
        return self.names.index(name)

    def among(self, names: Sequence[str]) -> CrossTable:
        """The part that these agents play among themselves."""
        chosen = [self.index(name) for name in names]
        if len(set(chosen)) < len(chosen) or len(chosen) < self.seats:
            raise KibitzError(f"agents {', '.join(names)}: at least {self.seats} are needed, each once")
        part = np.ix_(*(chosen,) * self.seats)
        place = {agent: number for number, agent in enumerate(chosen)}
        matches = {
            tuple(place[agent] for agent in table): results
            for table, results in self.matches.items()
            if set(table) <= place.keys()
        }
        return CrossTable(tuple(names), self.rates[part], self.half_widths[part], self.unit, matches, self.shared_deals)

    def without(self, names: Iterable[str]) -> CrossTable:
        """The field with these agents left out."""
        gone = {self.names[self.index(name)] for name in names}
        return self.among([name for name in self.names if name not in gone])


def read_cross_table(path: Path) -> CrossTable:
    """The table in a CSV file; KibitzError, with the line, for what is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise KibitzError(f"{path}: not a text file: a cross table is CSV in UTF-8") from None
    return parse_cross_table(text, str(path))


def parse_cross_table(text: str, source: str = "table") -> CrossTable:
    """The table that CSV text describes."""
    numbered = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    numbered = [(number, line) for number, line in numbered if not line.lstrip().startswith("#")]
    rows = [
        (f"{source}:{number}", [cell.strip() for cell in cells])
        for (number, _), cells in zip(numbered, csv.reader(line for _, line in numbered), strict=True)
    ]
    if len(rows) < 2:
        raise KibitzError(f"{source}: no table: a line with the agents and a line for each of them")
    header = [cell.lower() for cell in rows[0][1]]
    if header[1:2] == ["opponent"]:
        return _read_list(rows, header)
    return _read_square(rows)


def _read_square(rows: list[tuple[str, list[str]]]) -> CrossTable:
    where, (_, *columns) = rows[0]
    listed = [cells[0] for _, cells in rows[1:]]
    for listing in (columns, listed):
        if len(set(listing)) < len(listing) or "" in listing:
            raise KibitzError(f"{where}: every agent has one column and at most one row, with its name")
    names = tuple(dict.fromkeys([*listed, *columns]))
    table = CrossTable.empty(names, 2)
    for where, (name, *cells) in rows[1:]:
        if len(cells) != len(columns):
            raise KibitzError(f"{where}: {len(cells)} cells for {len(columns)} agents")
        for column, cell in zip(columns, cells, strict=True):
            if name != column:
                found = _read_cell(cell, f"{where}: {name} against {column}")
                table.seat((names.index(name), names.index(column)), *found)
    return _completed(table)


def _read_list(rows: list[tuple[str, list[str]]], header: list[str]) -> CrossTable:
    where = rows[0][0]
    seats = 1 + header.count("opponent")
    wanted = ["agent", *["opponent"] * (seats - 1), "rate", "half_width"]
    if seats > 3 or header not in (wanted, wanted[:-1]):
        raise KibitzError(
            f"{where}: {','.join(header)}: agent,opponent,rate is wanted, or with two opponents, and half_width or not"
        )
    names = tuple(dict.fromkeys(name for _, cells in rows[1:] for name in cells[:seats]))
    if len(names) < seats:
        raise KibitzError(f"{where}: {len(names)} agents, but {seats} play at a table")
    table = CrossTable.empty(names, seats)
    for where, cells in rows[1:]:
        if len(cells) != len(header) or len(set(cells[:seats])) < seats or "" in cells[:seats]:
            raise KibitzError(f"{where}: {','.join(header)} is wanted, with {seats} different agents")
        mean, half = _read_cell(cells[seats], where)
        if len(cells) > seats + 1 and cells[-1] not in _EMPTY:
            half = abs(_read_cell(cells[-1], where)[0])
        table.seat([names.index(name) for name in cells[:seats]], mean, half)
    return _completed(table)


def _completed(table: CrossTable) -> CrossTable:
    """Heads-up, what one side does not tell follows from the other."""
    if table.seats == 2:
        unknown = np.isnan(table.rates)
        table.rates[unknown] = -table.rates.T[unknown]
        unknown = np.isnan(table.half_widths)
        table.half_widths[unknown] = table.half_widths.T[unknown]
    return table


def _read_cell(cell: str, where: str) -> tuple[float, float]:
    """Rate and half-width, nan for what is not there."""
    if cell in _EMPTY:
        return nan, nan
    match = _CELL.fullmatch(cell.replace("−", "-"))
    if match is None:
        raise KibitzError(f"{where}: {cell!r}: {CELL_FORM} is wanted")
    return float(match[1]), float(match[2]) if match[2] else nan
