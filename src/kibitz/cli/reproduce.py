"""`kibitz reproduce`: published tables recomputed and compared with the printed figures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isnan
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from kibitz.cli._bars import stages
from kibitz.cli._console import MovingConsole, ResultConsole
from kibitz.cli._files import folder_for, write_whole
from kibitz.cli._options import seed_option
from kibitz.cli._output import folded, print_json
from kibitz.errors import KibitzError
from kibitz.experiments import find_experiments, read_options
from kibitz.experiments.published import (
    NOT_RUN,
    QUOTED,
    VERDICTS,
    Cell,
    Effort,
    Experiment,
    PublishedTable,
    Reproduction,
    Variant,
    add_counts,
    format_figure,
    format_printed,
)
from kibitz.experiments.results import PAGE, describe_papers, folder_files, load_documents, run_table
from kibitz.files import locked

COLOURS = {"good": "green", "between": "yellow", "bad": "red", "apart": "default"}
WIDE = 7  # characters of a heading that is broken at its hyphens
BEST = 12  # variants shown


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
    "--with",
    "chosen",
    multiple=True,
    metavar="NAME=VALUE",
    help="A setting of the paper's own, such as expert=FOLDER of rubin2011; an unknown name lists them.",
)
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
    chosen: tuple[str, ...],
    out: Path | None,
    as_json: bool,
) -> None:
    """Recompute TABLES of PAPER (all by default) and compare them with the printed figures.

    Every cell gets a verdict, and every cell that is not reproduced a reason. Without PAPER, lists the papers and their
    tables.
    """

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
    folder = out / "work" / paper if out is not None else None
    effort = Effort(preset, threads, seed, folder, chosen=read_options(paper, chosen))
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

    with stages() as tell:
        return run_table(paper, table, experiment, replace(effort, tell=tell))


def _search(paper: str, experiments: dict[str, Experiment], as_json: bool) -> None:
    """Rank the variants of those tables that have some."""

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

    for name, text in folder_files(reproductions, out).items():
        write_whole(out / name, text)


def print_papers(console: Console) -> None:
    """The papers and their tables."""
    for name, paper in describe_papers().items():
        title = folded(paper["title"], len(name) + 2, f"{name}  ").removeprefix(name)
        console.print(f"[bold]{name}[/]{escape(title)}", soft_wrap=True)
        wide = max(map(len, paper["tables"]))
        for table, source in paper["tables"].items():
            console.print(escape(folded(source, wide + 4, f"  {table:<{wide}}  ")), soft_wrap=True)


def print_reproduction(console: Console, reproduction: Reproduction) -> None:
    """One table: printed and ours, what the marks mean, and why cells are not simply reproduced."""
    published = reproduction.experiment.published
    console.print(f"\n[bold]{escape(published.source)}[/]")
    for table in _tables(reproduction, console.width):
        console.print(table)
    if reproduction.is_compared:
        console.print(f"[dim]Tolerance: {escape(reproduction.tolerance)}.[/]")
    for note in reproduction.experiment.notes:
        console.print(f"[dim]{escape(note)}[/]")
    _print_reasons(console, reproduction)
    counts = ", ".join(f"{count} {verdict}" for verdict, count in reproduction.counts.items())
    console.print(f"{reproduction.table}: {counts}; {reproduction.seconds:.1f} s")


def _tables(reproduction: Reproduction, width: int) -> Iterator[Table]:
    """The table, or parts of it with some of the columns each where all would not fit."""
    published, rows = reproduction.experiment.published, _lines(reproduction)
    heads = [column.replace("-", "-\n") if len(column) > WIDE else column for column in published.columns]
    cells = [[Text.from_markup(line[i]).cell_len for _, _, line in rows] for i in range(len(heads))]
    wide = [max([*map(len, head.split("\n")), *found]) + 1 for head, found in zip(heads, cells, strict=True)]
    left = width - max([len(published.heading), *(len(name) for name, _, _ in rows)]) - len("printed") - 2
    first = 0
    while first < len(heads):
        last = first + 1
        while last < len(heads) and sum(wide[first : last + 1]) <= left:
            last += 1
        table = Table(box=None, padding=(0, 1, 0, 0))
        table.add_column(published.heading, no_wrap=True)
        table.add_column("", style="dim", no_wrap=True)
        for head in heads[first:last]:
            table.add_column(head, justify="right", no_wrap=True)
        for name, whose, line in rows:
            if name or any(Text.from_markup(cell).plain.strip("– ") for cell in line[first:last]):
                table.add_row(name, whose, *line[first:last])
        yield table
        first = last


def _lines(reproduction: Reproduction) -> list[tuple[str, str, list[str]]]:
    """(name of the row, whose figures, figures) of every line."""
    published = reproduction.experiment.published
    lines = []
    for row, cells in reproduction.rows.items():
        is_found = any(cell.verdict not in (NOT_RUN, QUOTED) for cell in cells)
        is_printed = not is_found or not all(isnan(cell.printed) for cell in cells)
        if is_printed:
            marks = (VERDICTS[QUOTED].mark if cell.verdict == QUOTED else " " for cell in cells)
            printed = [
                f"[dim]{format_printed(cell, published.decimals)}{mark}[/]"
                for cell, mark in zip(cells, marks, strict=True)
            ]
            lines.append((row, "printed", printed))
        if is_found:
            lines.append(("" if is_printed else row, "ours", [_ours(cell, published) for cell in cells]))
    return lines


def print_summary(console: Console, reproductions: list[Reproduction]) -> None:
    """The legend of the marks that occur, and the verdicts of all tables together."""
    totals = add_counts(reproduction.counts for reproduction in reproductions)
    console.print()
    for verdict in totals:
        _, mark, meaning = VERDICTS[verdict]
        console.print(f"[{_colour(verdict)}]{mark} {verdict}[/]: {meaning}")
    console.print("All: " + ", ".join(f"{count} {verdict}" for verdict, count in totals.items()))


def _colour(verdict: str) -> str:
    return "dim" if verdict in (QUOTED, NOT_RUN) else COLOURS[VERDICTS[verdict].group]


def print_variants(console: Console, published: PublishedTable, variants: list[Variant]) -> None:
    """The readings that come nearest to the printed table; `variants` are sorted."""
    console.print(f"\n[bold]Readings of {escape(published.source)}[/]")
    console.print(f"{len(variants)} tried; distance is the largest difference of a row's last column")
    for variant in variants[:BEST]:
        console.print(f"{variant.distance:.4f}  {escape(variant.name)}")


def _ours(cell: Cell, published: PublishedTable) -> str:
    if cell.verdict == QUOTED:
        return ""
    half = (cell.high - cell.low) / 2
    bound = f" ± {format_figure(half, published.digits)}" if published.bounds and not isnan(half) else ""
    mark = VERDICTS[cell.verdict].mark
    return f"[{_colour(cell.verdict)}]{format_figure(cell.ours, published.digits)}{bound}{mark}[/]"


def _print_reasons(console: Console, reproduction: Reproduction) -> None:
    """Cells that are not simply reproduced, with their ranges, under the reason they share."""
    published = reproduction.experiment.published
    where = {f"{row} {cell.column}": cell for row, cells in reproduction.rows.items() for cell in cells}
    for reason, places in reproduction.reasons.items():
        console.print(f"- {escape(reason)}:")
        for place in places:
            cell = where[place]
            low, high = format_figure(cell.low, published.digits), format_figure(cell.high, published.digits)
            between = f", range {low} to {high}" if cell.low < cell.high else ""
            beside = "" if isnan(cell.printed) else f"printed {format_printed(cell, published.decimals)}, "
            figures = f"{beside}ours {format_figure(cell.ours, published.digits)}"
            console.print(f"    {place}: {figures}{between}")
