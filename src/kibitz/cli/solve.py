"""`kibitz solve`: equilibria of games."""

from __future__ import annotations

import click

from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.training.solving import PLOT, SolvePlan


@plan_command(SolvePlan, "Print {game, algorithm, iterations, value, ...} as JSON.")
def solve(work: Work[SolvePlan]) -> None:
    """Print the curve as it comes, and in the end what the exploitability is of."""
    from kibitz.strategy.exploitability import Solved
    from kibitz.training.measuring import Measurement

    plan, problem = work.plan, work.plan.problem
    solved = Solved(problem.game, problem.tree.menus, problem.describe_cards())
    heading, wide = ("abstract exploitability", 24) if solved.is_abstract else ("exploitability", 15)
    for number, last in enumerate(map(Measurement.of, work.rows())):
        if work.as_json:
            continue
        if number == 0:
            click.echo(f"{'iterations':>12} {heading:>{wide}} {'value, seat 0':>15} {'seconds':>9}")
        reached, value = (f"{figure:z.9f}" if last.is_known else "–" for figure in last[1:3])
        click.echo(f"{last.iteration:>12,} {reached:>{wide}} {value:>15} {last.seconds:>9.2f}")
    if work.as_json:
        print_json(
            {
                "game": plan.game,
                "algorithm": plan.algorithm,
                "iterations": last.iteration,
                "value": last.value,
                "exploitability": last.exploitability,
                "abstract": solved.is_abstract,
                "seconds": last.seconds,
            }
        )
        return
    if solved.is_abstract:
        click.echo(folded(f"Exploitability: {solved.describe(last.exploitability, str(work.out or ''))}"))
    if work.out is not None:
        click.echo(f"Strategy: {work.out}" + (f", curve: {work.out / PLOT}" if last.is_known else ""))
