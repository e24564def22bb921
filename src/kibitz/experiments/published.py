"""A published table is a value, and so is what became of it when it was computed again.

Printed figures are never mixed into ours: they stand beside them, cell by cell, with a verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import isnan, nan
from typing import Any, NamedTuple

REPRODUCED = "reproduced"
IN_RANGE = "in range"
TIE_RULE = "tie rule"
TIED = "tied"
DIFFERS = "differs"
OURS = "ours alone"
NOT_RUN = "not run"

# What the verdicts mean, in the order in which they are counted.
VERDICTS: dict[str, str] = {
    REPRODUCED: "the printed figure, within its tolerance",
    TIED: "another answer that is as good, within the tolerance of the measure",
    IN_RANGE: "some solution that the paper's description allows gives the printed figure",
    TIE_RULE: "a bet lies on a threshold, and the printed figure is between the two ways of reading it",
    DIFFERS: "none of what we tried gives the printed figure",
    OURS: "nothing was printed to stand beside it",
    NOT_RUN: "not computed here",
}


@dataclass(frozen=True)
class PublishedTable:
    """Figures as they were printed.

    columns    names of the columns, as text
    rows       per row one figure for every column
    tolerance  how far ours may be off for the figure to count as reproduced: a rounding of what was printed, or more
    decimals   that were printed
    """

    source: str
    heading: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[float, ...]]
    tolerance: float
    decimals: int

    @property
    def digits(self) -> int:
        """Decimals that ours are shown with: one more than two, so that a half rounded up can be told."""
        return 3 if self.decimals == 2 else self.decimals

    @property
    def size(self) -> int:
        """Number of cells."""
        return len(self.rows) * len(self.columns)


class Found(NamedTuple):
    """What was computed for one cell.

    ours       the figure
    low, high  the least and the greatest that the paper's description leaves room for; nan where nothing is left open
    open       the verdict where the printed figure lies between them but is not ours
    reason     one sentence for the reader, used where the figure is not simply reproduced
    """

    ours: float
    low: float = nan
    high: float = nan
    open: str = IN_RANGE
    reason: str = ""


@dataclass(frozen=True)
class Cell:
    """A printed figure beside ours."""

    column: str
    printed: float
    ours: float
    low: float
    high: float
    verdict: str
    reason: str = ""


@dataclass(frozen=True)
class Experiment:
    """One table or figure of a paper and how to compute it.

    find      yields (row, column, what was found), cell by cell; None where the table is only declared
    notes     sentences on how it is computed, or why it is not
    picture   draws it as SVG text
    values    more numbers for the JSON document, such as curves
    variants  computes the table under other readings of the paper, see `Variant`
    """

    published: PublishedTable
    find: Callable[[], Iterator[tuple[str, str, Found]]] | None
    notes: tuple[str, ...] = ()
    picture: Callable[[], str] | None = None
    values: Callable[[], dict[str, Any]] | None = None
    variants: Callable[[], Iterator[Variant]] | None = None


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
        """How many cells got each verdict."""
        found = Counter(cell.verdict for cells in self.rows.values() for cell in cells)
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}

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
        published = self.experiment.published
        return {
            "paper": self.paper,
            "table": self.table,
            "title": published.source,
            "heading": published.heading,
            "columns": list(published.columns),
            "tolerance": published.tolerance,
            "rows": {row: [vars(cell) for cell in cells] for row, cells in self.rows.items()},
            "counts": self.counts,
            "notes": list(self.experiment.notes),
            "seconds": round(self.seconds, 2),
            **self.values,
        }


def compute(experiment: Experiment) -> Iterator[tuple[str, Cell]]:
    """Every cell of the table with the name of its row, in the order in which they are computed."""
    published = experiment.published
    if experiment.find is None:
        for row, figures in published.rows.items():
            for column, printed in zip(published.columns, figures, strict=True):
                yield row, Cell(column, printed, nan, nan, nan, NOT_RUN)
        return
    for row, column, found in experiment.find():
        printed = published.rows[row][published.columns.index(column)]
        yield row, _judge(column, printed, found, published.tolerance)


def gather(
    paper: str, table: str, experiment: Experiment, cells: Iterable[tuple[str, Cell]], seconds: float = 0.0
) -> Reproduction:
    """The cells in the order of the printed table."""
    published = experiment.published
    rows: dict[str, list[Cell]] = {row: [] for row in published.rows}
    for row, cell in cells:
        rows[row].append(cell)
    for placed in rows.values():
        placed.sort(key=lambda cell: published.columns.index(cell.column))
    return Reproduction(paper, table, experiment, rows, seconds, experiment.values() if experiment.values else {})


def _judge(column: str, printed: float, found: Found, tolerance: float) -> Cell:
    ours, low, high, open_, reason = found
    if isnan(printed):
        return Cell(column, printed, ours, low, high, OURS)
    slack = tolerance + 1e-9
    if abs(ours - printed) <= slack:
        return Cell(column, printed, ours, low, high, REPRODUCED)
    verdict = open_ if low - slack <= printed <= high + slack else DIFFERS
    return Cell(column, printed, ours, low, high, verdict, reason)
