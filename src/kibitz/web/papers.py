"""Published tables on the page: which have been computed in the folder, with what verdicts, and each cell by cell."""

from __future__ import annotations

from functools import lru_cache
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.errors import KibitzError
from kibitz.experiments import find_experiments, load_paper
from kibitz.experiments.published import (
    NOT_RUN,
    QUOTED,
    VERDICTS,
    Cell,
    Experiment,
    PublishedTable,
    Reproduction,
    add_counts,
    format_figure,
    format_printed,
    gather,
)
from kibitz.experiments.results import RESULTS, describe_papers, load_documents, read_document
from kibitz.web.folder import listed
from kibitz.web.refusals import MissingError

HOME = "papers"  # the folder of computed tables, inside the one that is served
PRESETS = {"smoke": "seconds", "short": "minutes", "full": "hours"}
MARKS = {"good": "✓", "between": "≈", "bad": "✗", "apart": ""}


class Stored(NamedTuple):
    """A computed table and the folder it lies in."""

    reproduction: Reproduction
    place: str


def stored_tables(folder: Path) -> dict[tuple[str, str], Stored]:
    """The computed tables of the folder by paper and table, the latest of each."""
    root, found = folder.resolve(), dict[tuple[str, str], Stored]()
    paths = [root / name for name in listed(folder, *(f"{'*/' * depth}{RESULTS}" for depth in range(1, 4)))]
    for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns):
        for each in _read(path.parent, path.stat().st_mtime_ns):
            found[each.paper, each.table] = Stored(each, path.parent.relative_to(root).as_posix())
    return found


@lru_cache(maxsize=200)
def _read(place: Path, _changed: int) -> tuple[Reproduction, ...]:
    """The tables in a folder; none where its results are those of something else, as tournaments have them too."""
    try:
        return tuple(read_document(each) for each in load_documents(place))
    except (KibitzError, OSError, UnicodeDecodeError):
        return ()


@lru_cache(maxsize=1)
def _papers() -> dict[str, dict[str, Any]]:
    return describe_papers()


def list_papers(folder: Path) -> list[dict[str, Any]]:
    """Every paper with its tables: {name, title, tables: [{name, title, counts, bars, ...}], counts}."""
    stored, papers = stored_tables(folder), []
    for name, paper in _papers().items():
        tables = []
        for table, title in paper["tables"].items():
            found = stored.get((name, table))
            counts = found.reproduction.counts if found is not None else {}
            tables.append({"name": table, "title": title, "counts": counts, "bars": _bars(counts)})
        counts = add_counts(each["counts"] for each in tables)
        computed = sum(any(word != NOT_RUN for word in each["counts"]) for each in tables)
        papers.append(
            {"name": name, "title": paper["title"], "tables": tables, "counts": counts, "bars": _bars(counts)}
            | {"computed": computed}
        )
    return papers


def _bars(counts: dict[str, int]) -> list[dict[str, Any]]:
    """The verdicts as parts of a bar of width 100."""
    total, start, bars = sum(counts.values()), 0.0, []
    for group in MARKS:
        width = 100 * sum(count for word, count in counts.items() if VERDICTS[word].group == group) / max(1, total)
        if width:
            bars.append({"group": group, "x": start, "width": width})
        start += width
    return bars


def find_table(paper: str, table: str) -> Experiment:
    """How a published table is computed; MissingError for one that there is not."""
    try:
        return find_experiments(paper, (table,))[table]
    except KibitzError as error:
        raise MissingError(str(error)) from None


def table_view(folder: Path, paper: str, table: str) -> dict[str, Any]:
    """One table: printed beside ours where it has been computed, as printed where not."""
    experiment = find_table(paper, table)
    found = stored_tables(folder).get((paper, table))
    shown = found.reproduction if found is not None else gather(paper, table, experiment, ())
    published, effort = shown.experiment.published, shown.experiment.effort
    return {
        "paper": paper,
        "table": table,
        "title": published.source,
        "paper_title": load_paper(paper).TITLE,
        "heading": published.heading,
        "columns": published.columns,
        "rows": [(row, [_cell(cell, published) for cell in cells]) for row, cells in shown.rows.items()],
        "counts": {word: (count, VERDICTS[word].meaning, VERDICTS[word].group) for word, count in shown.counts.items()},
        "bars": _bars(shown.counts if found is not None else {}),
        "tolerance": shown.tolerance if shown.is_compared else "",
        "notes": shown.experiment.notes,
        "reasons": shown.reasons,
        "seconds": shown.seconds,
        "effort": effort,
        "place": found.place if found is not None else "",
        "has_picture": found is not None and shown.experiment.picture is not None,
        "can_choose": experiment.scaled is not None,
        "can_run": experiment.find is not None or experiment.scaled is not None,
    }


def _cell(cell: Cell, published: PublishedTable) -> dict[str, str]:
    low, high = (format_figure(each, published.digits).replace("-", "−") for each in (cell.low, cell.high))
    group = VERDICTS[cell.verdict].group
    hidden = cell.verdict in (NOT_RUN, QUOTED)
    return {
        "ours": "" if hidden else format_figure(cell.ours, published.digits).replace("-", "−"),
        "printed": "" if isnan(cell.printed) else format_printed(cell, published.decimals).replace("-", "−"),
        "between": f"{low} … {high}" if low != high else "",
        "verdict": cell.verdict,
        "reason": cell.reason,
        "group": group,
        "mark": MARKS[group],
    }


def picture_of(folder: Path, paper: str, table: str) -> str:
    """The figure of a computed table as SVG text."""
    found = stored_tables(folder).get((paper, table))
    draw = found.reproduction.experiment.picture if found is not None else None
    if draw is None:
        raise MissingError(f"there is no picture of {table!r} of {paper!r}")
    return draw()
