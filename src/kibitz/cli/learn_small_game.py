"""`kibitz learn small-game`: self-play by policy gradient where everything can be measured exactly."""

from __future__ import annotations

import click

from kibitz.cli._output import folded, print_json
from kibitz.cli._plans import Work, plan_command
from kibitz.learning.small_games.plan import PLOT, POINTS, SmallGamePlan
from kibitz.plans import Row

ROWS = 10  # of the printed curve, beside the start


@plan_command(SmallGamePlan, "Print {game, settings, curve: [...]} as JSON.")
def small_game(work: Work[SmallGamePlan]) -> None:
    """Print the curve as it comes."""
    plan, curve = work.plan, list[Row]()
    for row in work.rows():
        if not work.as_json and len(curve) % max(1, min(POINTS, plan.steps) // ROWS) == 0:
            heading = "" if curve else "     steps    strategy      anchor     average      return\n"
            click.echo(heading + _row(row))
        curve.append(row)
    if work.as_json:
        told = {**plan.make_learner().parameters(), "steps": plan.steps, "unit": "chips/hand"}
        print_json({**told, "curve": curve})
        return
    click.echo(folded("Exploitability and the first player's return, chips per hand."))
    if work.out is not None:
        click.echo(f"Strategy: {work.out}, curve: {work.out / PLOT}")


def _row(each: Row) -> str:
    """A line of the curve."""
    anchor = f"{each['anchor']:12.6f}" if each["anchor"] is not None else f"{'–':>12}"
    return f"{each['iteration']:>10,}{each['current']:12.6f}{anchor}{each['average']:12.6f}{each['value']:+12.6f}"
