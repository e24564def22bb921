"""A published table as it is computed, and the files that its folder holds then."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from kibitz.experiments import PAPERS, load_paper
from kibitz.experiments.published import Effort, Experiment, Reproduction, compute, gather
from kibitz.experiments.results import (
    PAGE,
    RESULTS,
    load_documents,
    merge,
    read_document,
    render_page,
    to_document,
)
from kibitz.files import plain


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
