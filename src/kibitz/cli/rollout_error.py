"""`kibitz rollout-error`: how much rollouts would improve a learned policy."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.learning.rollouts import STAGES, RolloutReport
from kibitz.learning.rollouts.plan import RolloutPlan, load_report, report_in


@plan_command(RolloutPlan, "Print {agent, players, stages: {pre-flop: ...}} as JSON.")
def rollout_error(work: Work[RolloutPlan]) -> None:
    """Print the errors by stage."""
    report = report_in(work.made())
    if work.as_json:
        print_json({"agent": str(work.plan.agent), **report.to_dict()})
    else:
        _print(report)


def show_rollouts(folder: Path, node: str, as_json: bool) -> None:
    """The same of a measurement that was kept."""
    report = load_report(folder)
    if as_json:
        print_json(report.to_dict())
    else:
        _print(report)


def _print(report: RolloutReport) -> None:
    heading = f"{'stage':<9}{'decisions':>15}{'sample':>16}{'LFO':>16}{'RI':>16}{'size':>7}"
    click.echo(heading)
    for stage, name in enumerate((*STAGES, "overall")):
        found = report.of_stage(stage if stage < len(STAGES) else None)
        if not found.decisions:
            click.echo(f"{name:<9}{0:>8,}")
            continue
        cells = "".join(
            f"{value:>+8.3f} ±{error:<6.3f}" if error == error else f"{value:>+8.3f}{'':8}"
            for value, error in (
                (found.sample, found.sample_error),
                (found.lfo, found.lfo_error),
                (found.improvement, found.improvement_error),
            )
        )
        click.echo(f"{name:<9}{found.decisions:>8,} {found.share:>5.0%} {cells}{found.size:>8,.0f}")
    settings = report.settings
    seats = "the IRC mix of players" if settings.seats == "irc" else f"{settings.seats} players"
    click.echo(
        folded(
            f"Small blinds per decision, ± standard errors; {settings.samples:,} samples in {settings.folds} folds, "
            f"{seats}, seed {settings.seed}. size: effective number of samples."
        )
    )
