"""`python -m bench [NAME...]`: measure Kibitz against its peers, in one run, and print ratios.

With --write, tables are also kept in bench/RESULTS.md, each as soon as it is measured.
"""

from __future__ import annotations

import sys
from importlib import import_module

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bench.results import HEADINGS, cells, keep

BENCHMARKS = (
    "evaluation",
    "equity",
    "play",
    "reading",
    "solving",
    "sampling",
    "linear_programs",
    "isomorphism",
    "dealer",
    "translation",
    "spots",
    "threads",
    "abstraction",
    "real",
    "cases",
    "models",
    "bets",
    "blueprints",
    "profiles",
    "responses",
    "portfolios",
    "learning",
    "population",
    "opponents",
    "viewers",
)


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(BENCHMARKS))
@click.option("--write", is_flag=True, help="Keep the tables in bench/RESULTS.md.")
def main(names: tuple[str, ...], write: bool) -> None:
    rows = []
    for name in names or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        found = import_module(f"bench.{name}").run()
        if write:
            keep(name, found)
        rows += found
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column(HEADINGS[0], no_wrap=True)
    for heading in HEADINGS[1:]:
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, cells(row)))  # names hold brackets
    Console(width=140).print(table)
    missed = [row["name"] for row in rows if row["target"] is not None and row["ratio"] < row["target"]]
    if missed:
        raise click.ClickException(f"below the wanted ratio: {', '.join(missed)}")


if __name__ == "__main__":
    main()
