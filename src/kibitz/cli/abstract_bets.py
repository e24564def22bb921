"""`kibitz abstract bets`: bet sizes learned from the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kibitz.bet_sizing.seats import AGENT, BetsPlan
from kibitz.cli._output import COLUMNS, folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.plans import Row

if TYPE_CHECKING:
    from kibitz.bet_sizing import BetAbstraction

MOST = 3  # bets shown after each run
COUNTS, WIDE = ("run", "bets", "extras", "nodes", "lower", "upper", "unused"), 7


@plan_command(BetsPlan, "Print {game, algorithm, seats: [{seat, runs, bets}]} as JSON.")
def bets(work: Work[BetsPlan]) -> None:
    """Print a line for every run as it ends, and a table for every seat."""
    plan, rows, last = work.plan, list[Row](), None
    for report in work.reports():
        last = report.artefact
        if report.row is None:
            continue
        if not work.as_json:
            _tell(report.row, rows[-1] if rows else None)
        rows.append(report.row)
    if not rows and not plan.agent:
        late = "; runs are evaluated only as they end" if plan.evaluate else ""
        raise click.UsageError(f"nothing left to do: all runs in {work.out} are complete{late}")
    if not work.as_json:
        if rows:
            click.echo(_table(rows[-1]["best"]))
        if work.out is not None:
            click.echo(f"Sizes: {work.out}" + (f", agent: {work.out / AGENT}" if plan.agent else ""))
        return
    assert last is not None
    found: Mapping[int, BetAbstraction] = last.content or _loaded(work.out)
    seats = [
        {"seat": seat, "runs": [_counts(row) for row in rows if row["seat"] == seat], "bets": each.table()}
        for seat, each in found.items()
    ]
    told = {"game": plan.game, "algorithm": plan.algorithm, "form": next(iter(found.values())).made["form"]}
    told["opponent"] = plan.opponent
    print_json({**told, "seats": seats})


def _loaded(folder: Path | None) -> dict[int, BetAbstraction]:
    """The sizes of the last runs in a folder, by seat."""
    from kibitz.bet_sizing import load_bets
    from kibitz.plans import read_manifest

    assert folder is not None
    return {seat: load_bets(folder, seat) for seat in read_manifest(folder)["about"]["seats"]}


def show_bets(folder: Path, _node: str, as_json: bool) -> None:
    """What every seat has learnt: its runs, and its most important bets."""
    from kibitz.plans import read_curve

    rows, found = read_curve(folder), _loaded(folder)
    seats = list(found)
    if as_json:
        told = {seat: [_counts(row) for row in rows if row.get("seat", seat) == seat] for seat in seats}
        print_json({"seats": [{"seat": seat, "runs": told[seat], "bets": found[seat].table()} for seat in seats]})
        return
    for before, row in zip([None, *rows], rows, strict=False):
        _tell({"seat": seats[0], **row}, before and {"seat": seats[0], **before})
    if rows:
        click.echo(_table(rows[-1]["best"]))


def _tell(row: Row, before: Row | None) -> None:
    """A run; where a seat begins also the head of its table, and what the seat before has learnt."""
    if before is None or before["seat"] != row["seat"]:
        if before is not None:
            click.echo(_table(before["best"]))
        click.echo(f"seat {row['seat']}")
        click.echo(" ".join(f"{name:>{WIDE}}" for name in COUNTS) + "  most important")
    click.echo(_line(row))


def _counts(row: Row) -> dict[str, Any]:
    """A row without its bets and its seat, which are told beside it."""
    return {name: value for name, value in row.items() if name not in ("best", "seat")}


def _line(row: Row) -> str:
    numbers = " ".join(f"{row[name]:>{WIDE},}" for name in COUNTS)
    best = ", ".join(f"{each['bet']} {each['size']:.3f}" for each in row["best"][:MOST])
    value = f"; {row['value']:.2f} ± {row['error']:.2f} mbb" if "value" in row else ""
    line = f"{numbers}  {best}{value}"
    return line if len(line) <= COLUMNS else f"{numbers}\n" + folded(best + value, WIDE + 2, " " * (WIDE + 1))


def _table(best: Sequence[Mapping[str, Any]]) -> str:
    """The most important bets of a run."""
    lines = [f"{'bet':<16} {'size':>7}  {'range':<13} {'importance':>10}"]
    for row in best:
        between = f"{row['low']:.3f}-{row['high']:.3f}"
        lines.append(f"{row['bet']:<16} {row['size']:>7.3f}  {between:<13} {row['importance']:>10.4g}")
    return "\n".join(lines)
