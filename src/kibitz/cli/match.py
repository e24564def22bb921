"""`kibitz match`: one table of agents."""

from __future__ import annotations

from pathlib import Path

import click

from kibitz.arena.series import Series
from kibitz.cli._output import print_json
from kibitz.cli._series import run_series, series_options
from kibitz.games import load_game


@click.command()
@click.argument("agents", nargs=-1, required=True)
@series_options(hands=1000, matches=1)
def match(
    agents: tuple[str, ...],
    game: str,
    hands: int,
    matches: int,
    seed: int,
    out: Path | None,
    resume: bool,
    executor: str,
    as_json: bool,
) -> None:
    """Play AGENTS against each other, every deal in every seating, and print their win rates.

    An agent is a built-in name (random, always-call, always-raise, always-fold, tight-aggressive, ...),
    rules:tightness=0.8,aggression=0.3,bluffing=0.1, or path/to/file.py:Class.
    """
    rules = load_game(game)
    if len(agents) != rules.players:
        raise click.UsageError(f"{len(agents)} agents for the {rules.players} seats of {game}")
    standings = run_series(Series(rules, agents, hands, matches, seed), executor, out, resume)
    if as_json:
        print_json(standings.to_dict())
        return
    (estimates,) = standings.estimates.values()
    names = standings.series.names
    for name, estimate in zip(names, estimates, strict=True):
        click.echo(f"{name:<{max(map(len, names))}}  {estimate}")
    click.echo(f"{standings.hands_played:,} hands ({hands * matches:,} deals in every seating), seed {seed}, {game}")
