"""`kibitz sweep`: any command over any of its settings."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.cli._output import print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.plans.sweep import PLOT, TABLE, SweepPlan


@plan_command(SweepPlan, "Print the rows of the table as JSON.")
def sweep(work: Work[SweepPlan]) -> None:
    """Print a line for every cell: its settings, and the figure that is plotted."""
    plan = work.plan
    width = max(map(len, plan.points))
    if not work.as_json:
        click.echo(f"{len(plan.points)} cells of {plan.base.command()}")
    artefact = work.made()
    rows, measure = artefact.content or _rows(work.out), artefact.about["measure"]
    if work.as_json:
        print_json(rows)
        return
    if measure:
        click.echo(f"{'cell':<{width}}  {measure}")
        for name, row in zip(plan.points, rows, strict=True):
            value = row.get(measure)
            click.echo(f"{name:<{width}}  {'–' if value is None else f'{value:.6g}'}")
    if work.out is not None:
        click.echo(f"Table: {work.out / TABLE}" + (f", plot: {work.out / PLOT}" if measure else ""))


def _rows(out: Path | None) -> list[dict[str, object]]:
    """Those of a sweep that was finished before."""
    import polars as pl

    assert out is not None
    return list(pl.read_parquet(out / TABLE).to_dicts())


sweep.context_settings = {"ignore_unknown_options": True}  # they are those of COMMAND
