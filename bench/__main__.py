"""`python -m bench [NAME...]`: measure Kibitz against its peers, in one run, and print ratios.

With --write, the table is also kept in bench/RESULTS.md.
"""

from __future__ import annotations

import platform
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

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
PEERS = ("numpy", "numba", "scipy", "phevaluator", "eval7", "pokerkit", "open_spiel", "rlcard", "LiteEFG")


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(BENCHMARKS))
@click.option("--write", is_flag=True, help="Keep the table in bench/RESULTS.md.")
def main(names: tuple[str, ...], write: bool) -> None:
    rows = []
    for name in names or BENCHMARKS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        rows += import_module(f"bench.{name}").run()
    table = Table(box=None, padding=(0, 2, 0, 0))
    table.add_column("benchmark", no_wrap=True)
    for heading in ("ours", "peer", "unit", "ratio", "wanted"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*map(escape, _cells(row)))  # names hold brackets
    Console(width=140).print(table)
    if write:
        Path(__file__).with_name("RESULTS.md").write_text(_markdown(rows))
    missed = [row["name"] for row in rows if row["target"] is not None and row["ratio"] < row["target"]]
    if missed:
        raise click.ClickException(f"below the wanted ratio: {', '.join(missed)}")


def _cells(row: dict) -> list[str]:
    def number(value: float | None) -> str:
        return "" if value is None else f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

    ratio = "" if row["ratio"] is None else _times(row["ratio"])
    wanted = "" if row["target"] is None else f"{row['target']:,}x"
    return [row["name"], number(row["ours"]), number(row["peer"]), row["unit"], ratio, wanted]


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}x" if ratio >= 10 else f"{ratio:.1f}x" if ratio >= 1 else f"{ratio:.2g}x"


def _markdown(rows: list[dict]) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Written by `python -m bench --write`: every row is one interleaved run of Kibitz and its peer on the same",
        f"machine ({platform.machine()}, Python {platform.python_version()}); each side keeps its best turn.",
        "Ratios carry over to other machines better than rates do.",
        "",
        ", ".join(f"{name} {_version(name)}" for name in PEERS) + ".",
        "",
        "| benchmark | ours | peer | unit | ratio | wanted |",
        "|---|--:|--:|---|--:|--:|",
    ]
    return "\n".join([*lines, *("| " + " | ".join(_cells(row)) + " |" for row in rows)]) + "\n"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(absent)"


if __name__ == "__main__":
    main()
