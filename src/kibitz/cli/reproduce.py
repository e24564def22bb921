"""`kibitz reproduce`: published tables recomputed and compared with the printed figures."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kibitz.cli._bars import stages
from kibitz.cli._files import folder_for, write_whole
from kibitz.cli._options import seed_option
from kibitz.cli._output import plain, print_json
from kibitz.errors import KibitzError
from kibitz.files import locked

if TYPE_CHECKING:
    from kibitz.experiments.published import Effort, Experiment, Reproduction


@click.command()
@click.argument("paper", required=False)
@click.argument("tables", nargs=-1)
@click.option(
    "--preset",
    type=click.Choice(["smoke", "short", "full"]),
    default="short",
    show_default=True,
    help="Effort per table: seconds (smoke), minutes (short) or hours (full), for tables that offer a choice.",
)
@click.option(
    "--search", is_flag=True, help="Rank alternative interpretations of what the paper leaves open (takes minutes)."
)
@click.option(
    "--threads",
    default=1,
    show_default=True,
    type=click.IntRange(1),
    help="Number of threads; the result does not depend on it.",
)
@seed_option("Seed for everything that is sampled.")
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for report.html, results.json and work/, from which a later call continues.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print {table, rows: {name: [{column, printed, ours, ...}]}} as JSON."
)
def reproduce(
    paper: str | None,
    tables: tuple[str, ...],
    preset: str,
    search: bool,
    threads: int,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Recompute TABLES of PAPER (all by default) and compare them with the printed figures.

    Every cell gets a verdict, and every cell that is not reproduced a reason. Without PAPER, lists the papers and their
    tables.
    """
    from kibitz.cli._console import ResultConsole
    from kibitz.cli._reproductions import describe_papers, print_papers, print_reproduction, print_summary
    from kibitz.experiments import find_experiments
    from kibitz.experiments.published import Effort
    from kibitz.experiments.results import PAGE, load_documents

    console = ResultConsole()
    if paper is None:
        if as_json:
            print_json(describe_papers())
        else:
            print_papers(console)
        return
    experiments = find_experiments(paper, tables)
    if search:
        _search(paper, experiments, as_json)
        return
    effort = Effort(preset, threads, seed, out / "work" / paper if out is not None else None)
    reproductions = []
    with folder_for(out), locked(out):
        if out is not None:
            load_documents(out)  # what is not ours is refused before the work begins
        for table, experiment in experiments.items():
            reproductions.append(_run(paper, table, experiment, effort))
            if not as_json:
                print_reproduction(console, reproductions[-1])
        if out is not None:
            _write(reproductions, out)
    if as_json:
        documents = [reproduction.to_dict() for reproduction in reproductions]
        print_json(documents[0] if len(tables) == 1 else documents)
        return
    print_summary(console, reproductions)
    if out is not None:
        click.echo(f"Report: {out / PAGE}")


def _run(paper: str, table: str, experiment: Experiment, effort: Effort) -> Reproduction:
    """One table, with a progress bar."""
    from kibitz.experiments.published import compute, gather

    begun = time.perf_counter()
    cells = []
    with stages() as tell:
        chosen = experiment.at(replace(effort, tell=tell))
        for cell in compute(chosen):
            cells.append(cell)
            tell(table, len(cells), experiment.published.size)
        return gather(paper, table, chosen, cells, time.perf_counter() - begun)


def _search(paper: str, experiments: dict[str, Experiment], as_json: bool) -> None:
    """Rank the variants of those tables that have some."""
    from kibitz.cli._console import MovingConsole, ResultConsole
    from kibitz.cli._reproductions import print_variants

    searched = {}
    for table, experiment in experiments.items():
        if experiment.variants is not None:
            with MovingConsole().status(f"searching readings of {table}"):
                variants = sorted(experiment.variants(), key=lambda variant: variant.distance)
            searched[table] = [variant._asdict() for variant in variants]
            if not as_json:
                print_variants(ResultConsole(), experiment.published, variants)
    if not searched:
        raise KibitzError(f"no alternative interpretations of {', '.join(experiments)} in {paper}: omit --search")
    if as_json:
        print_json(searched)


def _write(reproductions: list[Reproduction], out: Path) -> None:
    """The numbers and the page of all tables in `out`, each whole or not at all."""
    from kibitz.experiments.page import render_page
    from kibitz.experiments.results import PAGE, RESULTS, load_documents, merge, read_document, to_document

    documents = plain(merge(load_documents(out), [to_document(each) for each in reproductions]))
    write_whole(out / RESULTS, json.dumps(documents, indent=2) + "\n")
    write_whole(out / PAGE, render_page([read_document(each) for each in documents]))
