"""`kibitz tournament`: a round-robin and its rankings."""

from __future__ import annotations

import click

from kibitz.arena.playing import REPORT, TournamentPlan
from kibitz.cli._plans import Work, plan_command
from kibitz.cli._series import COMMIT, VERIFY, forfeits_told, play

FULL = click.Option(
    ["--full"], is_flag=True, help="Also print the win rate of every pair, and why another rule has another winner."
)


@plan_command(TournamentPlan, "Print the results as JSON.", FULL, COMMIT, VERIFY)
def tournament(work: Work[TournamentPlan], full: bool, commit: bool, verify: str | None) -> None:
    """Print the ranking, and where there is more."""
    standings = play(work, commit, verify)
    if work.as_json:
        return
    from kibitz.cli._tables import print_standings

    print_standings(standings, full)
    for line in forfeits_told(standings.forfeits, work.plan.time_limit):
        click.echo(line)
    if work.out is not None:
        click.echo(f"Open {work.out / REPORT} in a browser: why, every pair, and how sure it is.")
    elif not full:
        click.echo("--full prints the win rate of every pair; --out saves a report.")
