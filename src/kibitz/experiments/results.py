"""Tables as they are computed, and in a folder: beside those of earlier calls, with a page for all of them."""

from __future__ import annotations

import json
import time
from importlib.resources import files
from math import nan
from pathlib import Path
from typing import Any

from kibitz.errors import KibitzError
from kibitz.experiments import PAPERS, load_paper
from kibitz.experiments.published import (
    VERDICTS,
    Cell,
    Effort,
    Experiment,
    PublishedTable,
    Reproduction,
    add_counts,
    compute,
    format_figure,
    format_printed,
    gather,
)
from kibitz.files import plain, read_json

RESULTS, PAGE = "results.json", "report.html"


def to_document(reproduction: Reproduction) -> dict[str, Any]:
    """A table with its picture, all that it takes to show it again."""
    picture = reproduction.experiment.picture
    return reproduction.to_dict() | ({"picture": picture()} if picture is not None else {})


def load_documents(folder: Path) -> list[dict[str, Any]]:
    """The tables in `folder`; refuse one with a page or results that are none of ours."""
    page, results = folder / PAGE, folder / RESULTS
    documents = _load(results) if results.exists() else []
    # Pages of earlier versions do not name themselves, but stand beside results.
    if page.exists() and not documents and not _is_ours(page):
        raise _foreign(page)
    return documents


def _is_ours(page: Path) -> bool:
    return page.is_file() and GENERATOR in page.read_text(encoding="utf-8", errors="replace")


def _load(results: Path) -> list[dict[str, Any]]:
    try:
        documents = read_json(results)
        for document in documents:
            read_document(document)
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise _foreign(results) from None
    if not isinstance(documents, list):
        raise _foreign(results)
    return documents


def _foreign(path: Path) -> KibitzError:
    return KibitzError(f"{path} is not of kibitz reproduce: move it away, or choose another folder", settings=("out",))


def merge(before: list[dict[str, Any]], now: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All tables, those of `now` in the place of the same ones before."""
    return list({(each["paper"], each["table"]): each for each in (*before, *now)}.values())


def read_document(document: dict[str, Any]) -> Reproduction:
    """A table as it was computed, with its picture and without its other values."""
    paper, table, picture = document["paper"], document["table"], document.get("picture")
    if paper not in PAPERS:
        raise KibitzError(f"no paper {paper!r}")
    rows = {row: [_read_cell(cell) for cell in cells] for row, cells in document["rows"].items()}
    bounds = {row: tuple(cell.bound for cell in cells) for row, cells in rows.items()}
    published = PublishedTable(
        document["title"],
        document["heading"],
        tuple(document["columns"]),
        {row: tuple(cell.printed for cell in cells) for row, cells in rows.items()},
        document["tolerance"],
        document.get("decimals", 3),  # earlier versions do not tell
        document.get("shares", {}),
        {row: each for row, each in bounds.items() if any(bound == bound for bound in each)},
    )
    effort = Effort(document["preset"], seed=document["seed"]) if "preset" in document else None
    draw = None if picture is None else lambda: str(picture)
    experiment = Experiment(published, None, tuple(document["notes"]), draw, effort=effort)
    return Reproduction(paper, table, experiment, rows, document["seconds"])


def _read_cell(document: dict[str, Any]) -> Cell:
    # A number that is not there is null in JSON.
    values: dict[str, Any] = {key: nan if each is None else each for key, each in document.items()}
    return Cell(**values)


GENERATOR = '<meta name="generator" content="kibitz reproduce">'  # in every page, and by which it is known


def render_page(reproductions: list[Reproduction]) -> str:
    """The page: paper by paper every table with printed figures, ours and verdicts, notes, reasons and figures."""
    from jinja2 import Environment

    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters["figure"] = lambda value, decimals: format_figure(value, decimals).replace("-", "−")
    environment.filters["printed"] = lambda cell, decimals: format_printed(cell, decimals).replace("-", "−")
    template = environment.from_string(
        (files("kibitz.experiments") / "templates" / "reproduction.html").read_text(encoding="utf-8")
    )
    return template.render(
        generator=GENERATOR,
        titles={each.paper: load_paper(each.paper).TITLE for each in reproductions},
        reproductions=reproductions,
        verdicts=VERDICTS,
        totals=add_counts(each.counts for each in reproductions),
    )


def run_table(paper: str, table: str, experiment: Experiment, effort: Effort) -> Reproduction:
    """Compute one table; `effort.tell` is told its stages, and every cell that is found."""
    begun = time.perf_counter()
    chosen, cells = experiment.at(effort), []
    for cell in compute(chosen):
        cells.append(cell)
        effort.tell(table, len(cells), experiment.published.size)
    return gather(paper, table, chosen, cells, time.perf_counter() - begun)


def folder_files(reproductions: list[Reproduction], folder: Path) -> dict[str, str]:
    """The files of `folder` by name, with these tables beside or in the place of those that are there."""
    documents = plain(merge(load_documents(folder), [to_document(each) for each in reproductions]))
    page = render_page([read_document(each) for each in documents])
    return {RESULTS: json.dumps(documents, indent=2) + "\n", PAGE: page}


def describe_papers() -> dict[str, dict[str, Any]]:
    """The papers by name, with their title and what each of their tables is."""
    described: dict[str, dict[str, Any]] = {}
    for name, (_module, title) in PAPERS.items():
        sources = {table: each.published.source for table, each in load_paper(name).EXPERIMENTS.items()}
        described[name] = {"title": title, "tables": {t: source.partition(": ")[2] for t, source in sources.items()}}
    return described
