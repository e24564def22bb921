"""A published table is a value, and so is what became of it when it was computed again.

Printed figures are never mixed into ours: they stand beside them, cell by cell, with a verdict.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from importlib.resources import files
from math import isnan, nan
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from kibitz.parallel import Executor, InProcess, Processes
from kibitz.progress import Progress, silent

Figures = dict[str, list[float]]
REPRODUCED = "reproduced"
IN_RANGE = "in range"
OVERLAP = "bounds overlap"
TIE_RULE = "tie rule"
TIED = "tied"
DIFFERS = "differs"
CONFIRMED = "confirmed"
UNCONFIRMED = "not confirmed"
REFUTED = "refuted"
OURS = "ours alone"
SUBSTITUTE = "substitute"
ARITHMETIC = "arithmetic"
QUOTED = "quoted"
NOT_RUN = "not run"

# Of cells that do not compare with a printed figure.
UNPRINTED = frozenset({CONFIRMED, UNCONFIRMED, REFUTED, OURS, SUBSTITUTE, ARITHMETIC, QUOTED, NOT_RUN})


class Verdict(NamedTuple):
    """What became of a cell.

    group    good, between or bad; apart where nothing is compared
    mark     says it in one character
    meaning  in words
    """

    group: Literal["good", "between", "bad", "apart"]
    mark: str
    meaning: str


# In the order in which they are counted.
VERDICTS: dict[str, Verdict] = {
    REPRODUCED: Verdict("good", " ", "the printed figure, within its tolerance"),
    TIED: Verdict("good", "=", "another answer that is as good, within the tolerance of the measure"),
    IN_RANGE: Verdict("between", "~", "some solution that the paper's description allows gives the printed figure"),
    OVERLAP: Verdict("between", "o", "outside the printed bounds, but ours overlap them"),
    TIE_RULE: Verdict(
        "between", "^", "a bet lies on a threshold, and the printed figure is between the two ways of reading it"
    ),
    DIFFERS: Verdict("bad", "!", "none of what we tried gives the printed figure"),
    CONFIRMED: Verdict(
        "good", "+", "a statement of the text: one value is above another, and their intervals do not meet"
    ),
    UNCONFIRMED: Verdict("between", "?", "a statement whose intervals meet"),
    REFUTED: Verdict("bad", "-", "a statement whose intervals lie the other way round and do not meet"),
    OURS: Verdict("apart", " ", "nothing was printed to stand beside it"),
    SUBSTITUTE: Verdict(
        "apart", "s", "computed from other data than the paper's, which are not published: no reproduction"
    ),
    ARITHMETIC: Verdict(
        "apart", "a", "the printed figure, from other printed figures alone: it says nothing of what we compute"
    ),
    QUOTED: Verdict(
        "apart", "q", "as printed: others are computed from it, or it rests on data that are not published"
    ),
    NOT_RUN: Verdict("apart", " ", "not computed here"),
}


def add_counts(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """How many cells of several tables got each verdict."""
    every = list(counts)
    totals = {verdict: sum(each.get(verdict, 0) for each in every) for verdict in VERDICTS}
    return {verdict: count for verdict, count in totals.items() if count}


@dataclass(frozen=True)
class Effort:
    """How much to do for a table, where that can be chosen.

    preset   smoke shows that all works, short takes minutes, full does what the figures need
    threads  change the speed and nothing else
    seed     of whatever is sampled
    folder   where work that takes long is kept, and gone on with; None keeps nothing
    tell     is told (stage, done, total) now and then
    chosen   what else a paper lets one choose, by its OPTIONS: (name, value)
    """

    preset: str = "short"
    threads: int = 1
    seed: int = 0
    folder: Path | None = None
    tell: Progress = field(default=silent, compare=False)
    chosen: tuple[tuple[str, str], ...] = ()

    def values_of(self, option: str) -> tuple[str, ...]:
        """What was chosen for an option, in the order in which it was."""
        return tuple(value for name, value in self.chosen if name == option)

    @property
    def executor(self) -> Executor:
        """Here, or in as many processes as there are threads."""
        return Processes(self.threads) if self.threads > 1 else InProcess()


def format_figure(value: float, decimals: int) -> str:
    """A figure for people: large ones whole, a dash for what is not there."""
    if isnan(value):
        return "–"
    if abs(value) >= 10_000:
        return f"{value:,.0f}"
    # A tiny negative number would print as -0.000.
    return f"{0.0 if abs(value) < 1e-12 else value:.{decimals}f}"


@dataclass(frozen=True)
class PublishedTable:
    """Figures as they were printed.

    columns    names of the columns, as text
    rows       per row one figure for every column
    tolerance  how far ours may be off for the figure to count as reproduced: a rounding of what was printed, or more
    decimals   that were printed
    shares     the same by column as a share of the figure, where that is more
    bounds     what was printed as "±", by row; where it is more than the tolerance it takes its place
    notes      sentences on how it is computed, whatever the effort
    """

    source: str
    heading: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]
    tolerance: float
    decimals: int
    shares: dict[str, float] = field(default_factory=dict)
    bounds: dict[str, tuple[float, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def digits(self) -> int:
        """Decimals that ours are shown with: one more than two, so that a half rounded up can be told."""
        return 3 if self.decimals == 2 and not self.bounds else self.decimals

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.rows) * len(self.columns)

    def describe_tolerance(self, columns: frozenset[str] | None = None) -> str:
        """How far off ours may be in these columns (by default all) to count as reproduced, in words."""
        compared = [place for place, column in enumerate(self.columns) if columns is None or column in columns]
        parts = (
            ["the printed ±"]
            if any(row[place] == row[place] for row in self.bounds.values() for place in compared)
            else []
        )
        for share in sorted(set(self.shares.values())):
            those = ", ".join(column for column, each in self.shares.items() if each == share)
            parts.append(f"{100 * share:g} % of the figure ({those})")
        if self.tolerance or not parts:
            parts.insert(0, f"{self.tolerance:g}")
        return " or ".join(parts) + (", whichever is more" if len(parts) > 1 else "")

    def printed(self, row: str, column: str) -> tuple[float, float]:
        """A figure and what was printed behind its "±", nan for nothing."""
        place = self.columns.index(column)
        return self.rows[row][place], self.bounds[row][place] if row in self.bounds else nan


def load_printed(package: str) -> dict[str, Any]:
    """The document `printed.toml` of a paper's package; its `tables` are values."""
    document = tomllib.loads((files(package) / "printed.toml").read_text(encoding="utf-8"))
    return {**document, "tables": {name: _read_table(**each) for name, each in document["tables"].items()}}


def _read_table(
    *, columns: list[str], rows: Figures, bounds: Figures | None = None, notes: Iterable[str] = (), **more: Any
) -> PublishedTable:
    whole = {row: tuple(figures) for row, figures in rows.items()}
    behind = {row: tuple(figures) for row, figures in (bounds or {}).items()}
    return PublishedTable(columns=tuple(columns), rows=whole, bounds=behind, notes=tuple(notes), **more)


def unprinted(
    source: str, heading: str, columns: Iterable[str], rows: Iterable[str], decimals: int, *, intervals: bool = True
) -> PublishedTable:
    """A table of which nothing is printed but what it is about; `intervals` says whether ours have a ±."""
    names = tuple(columns)
    empty: dict[str, tuple[float, ...]] = dict.fromkeys(rows, (nan,) * len(names))
    return PublishedTable(source, heading, names, empty, 0.0, decimals, bounds=dict(empty) if intervals else {})


class Found(NamedTuple):
    """What was computed for one cell.

    ours       the figure
    low, high  the least and the greatest that the paper's description leaves room for; nan where nothing is left open
    open       the verdict where the printed figure lies between them but is not ours; `SUBSTITUTE` and `QUOTED`
               whatever ours is; `ARITHMETIC` where the printed figure is found from other printed ones
    reason     one sentence for the reader, used where the figure is not simply reproduced
    verdict    of a statement, which has no printed figure
    """

    ours: float
    low: float = nan
    high: float = nan
    open: str = IN_RANGE
    reason: str = ""
    verdict: str = OURS


Cells = Iterator[tuple[str, str, Found]]  # row, column, and what was computed for it
QUOTE = Found(nan, open=QUOTED)  # of a cell that nothing is computed for


@dataclass(frozen=True)
class Cell:
    """A printed figure, with what was printed behind its "±", beside ours."""

    column: str
    printed: float
    ours: float
    low: float
    high: float
    verdict: str
    reason: str = ""
    bound: float = nan


def format_printed(cell: Cell, decimals: int) -> str:
    """What was printed in a cell, with its ±; a figure that is quoted is shown whole where it is whole."""
    if cell.verdict == QUOTED and cell.printed == round(cell.printed):
        decimals = 0
    bound = "" if isnan(cell.bound) else f" ± {format_figure(cell.bound, decimals)}"
    return format_figure(cell.printed, decimals) + bound


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper and how to compute it.

    find      yields (row, column, what was found), cell by cell; None where the table is only declared
    notes     sentences on how it is computed, or why it is not
    picture   draws it as SVG text
    values    more numbers for the JSON document, such as curves
    variants  computes the table under other readings of the paper, see `Variant`
    scaled    makes all of that for an effort, where there is a choice
    effort    for which it was made, where there was one
    """

    published: PublishedTable
    find: Callable[[], Cells] | None
    notes: tuple[str, ...] = ()
    picture: Callable[[], str] | None = None
    values: Callable[[], dict[str, Any]] | None = None
    variants: Callable[[], Iterator[Variant]] | None = None
    scaled: Callable[[Effort], Experiment] | None = None
    effort: Effort | None = None

    @classmethod
    def of(cls, published: PublishedTable, find: Callable[[], Cells] | None = None, **more: Any) -> Self:
        """One of which the printed table says all that is to be noted."""
        return cls(published, find, published.notes, **more)

    def at(self, effort: Effort) -> Experiment:
        """The experiment as it is done at that effort: itself where there is no choice."""
        return replace(self.scaled(effort), effort=effort) if self.scaled is not None else self


def by_effort(make: Callable[[Effort], Experiment]) -> Experiment:
    """An experiment that is made for an effort; its table is that of the smallest one."""
    return Experiment(make(Effort("smoke")).published, None, scaled=make)


def experiment(
    published: PublishedTable,
    notes: Callable[[Effort], tuple[str, ...]] = lambda _effort: (),
    picture: Callable[[Effort], str] | None = None,
) -> Callable[[Callable[[Effort], Cells]], Callable[[Effort], Experiment]]:
    """Of a generator of cells at an effort, the experiment; `notes` come behind those of the table."""

    def decorate(find: Callable[[Effort], Cells]) -> Callable[[Effort], Experiment]:
        @wraps(find)
        def at(effort: Effort) -> Experiment:
            draw = partial(picture, effort) if picture is not None else None
            return Experiment(published, partial(find, effort), (*published.notes, *notes(effort)), draw)

        return at

    return decorate


class Variant(NamedTuple):
    """One reading of what a paper leaves open, the rows it gives, and its largest distance from the printed ones."""

    name: str
    rows: dict[str, tuple[float, ...]]
    distance: float


@dataclass(frozen=True)
class Reproduction:
    """A table computed again."""

    paper: str
    table: str
    experiment: Experiment
    rows: dict[str, list[Cell]]
    seconds: float = 0.0
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def counts(self) -> dict[str, int]:
        """How many cells got each verdict; those that the paper leaves empty, and we too, have none."""
        everything = [cell for cells in self.rows.values() for cell in cells]
        told = [cell for cell in everything if cell.verdict != NOT_RUN or not isnan(cell.printed)]
        found = Counter(cell.verdict for cell in told or everything)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}

    @property
    def is_compared(self) -> bool:
        """Whether some figure of ours stands beside a printed one."""
        return not self.counts.keys() <= UNPRINTED

    @property
    def tolerance(self) -> str:
        """How far off ours may be where it is compared, in words."""
        compared = (cell.column for cells in self.rows.values() for cell in cells if cell.verdict not in UNPRINTED)
        return self.experiment.published.describe_tolerance(frozenset(compared))

    @property
    def reasons(self) -> dict[str, list[str]]:
        """The reasons given, each with the cells that have it."""
        reasons: dict[str, list[str]] = {}
        for row, cells in self.rows.items():
            for cell in cells:
                if cell.reason:
                    reasons.setdefault(cell.reason, []).append(f"{row} {cell.column}")
        return reasons

    def to_dict(self) -> dict[str, Any]:
        """The reproduction as JSON has it."""
        published, effort = self.experiment.published, self.experiment.effort
        return {
            "paper": self.paper,
            "table": self.table,
            "title": published.source,
            "heading": published.heading,
            "columns": list(published.columns),
            "decimals": published.decimals,
            "tolerance": published.tolerance,
            "shares": published.shares,
            "rows": {row: [vars(cell) for cell in cells] for row, cells in self.rows.items()},
            "counts": self.counts,
            "notes": list(self.experiment.notes),
            "seconds": round(self.seconds, 2),
            **({"preset": effort.preset, "seed": effort.seed} if effort is not None else {}),
            **({"chosen": [list(each) for each in effort.chosen]} if effort is not None and effort.chosen else {}),
            **self.values,
        }


def compute(experiment: Experiment) -> Iterator[tuple[str, Cell]]:
    """Every cell that is found with the name of its row, in the order in which they are computed."""
    published = experiment.published
    for row, column, found in experiment.find() if experiment.find is not None else ():
        yield row, _judge(column, published, *published.printed(row, column), found)


def gather(
    paper: str, table: str, experiment: Experiment, cells: Iterable[tuple[str, Cell]], seconds: float = 0.0
) -> Reproduction:
    """The cells in the order of the printed table; those that were not computed are said to be so."""
    published = experiment.published
    found = {(row, cell.column): cell for row, cell in cells}
    rows = {
        row: [found.get((row, column)) or _not_run(published, row, column) for column in published.columns]
        for row in published.rows
    }
    return Reproduction(paper, table, experiment, rows, seconds, experiment.values() if experiment.values else {})


def _not_run(published: PublishedTable, row: str, column: str) -> Cell:
    printed, bound = published.printed(row, column)
    return Cell(column, printed, nan, nan, nan, NOT_RUN, bound=bound)


def _judge(column: str, published: PublishedTable, printed: float, bound: float, found: Found) -> Cell:
    ours, low, high, open_, reason, verdict = found
    if isnan(printed):
        return Cell(column, printed, ours, low, high, verdict, "" if verdict == OURS else reason)
    if open_ in (SUBSTITUTE, QUOTED):
        return Cell(column, printed, ours, low, high, open_, reason, bound)
    share = published.shares.get(column, 0.0) * abs(printed)
    slack = max(published.tolerance, share, 0.0 if isnan(bound) else bound) + 1e-9
    if abs(ours - printed) <= slack:
        return Cell(column, printed, ours, low, high, ARITHMETIC if open_ == ARITHMETIC else REPRODUCED, bound=bound)
    verdict = open_ if low - slack <= printed <= high + slack else DIFFERS
    return Cell(column, printed, ours, low, high, verdict, reason, bound)
