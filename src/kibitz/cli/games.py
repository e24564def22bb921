"""`kibitz games`: the built-in games."""

from __future__ import annotations

import click

from kibitz.cli._output import print_json
from kibitz.games import GAMES
from kibitz.games.game import UNLIMITED_STACK


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print {name: {players, betting, cards, stack, blinds}} as JSON.")
def games(as_json: bool) -> None:
    """List the built-in games.

    A game is also the path of an ACPC game definition. Hold'em has a name for 2 to 10 players, such as
    holdem-limit-4p.
    """
    made = {name: make() for name, make in GAMES.items()}
    rows = {
        name: {
            "players": game.players,
            "betting": game.betting,
            "cards": len(game.deck),
            "stack": None if game.stacks[0] == UNLIMITED_STACK else game.stacks[0],
            "blinds": list(game.blinds),
        }
        for name, game in made.items()
    }
    if as_json:
        print_json(rows)
        return
    click.echo(f"{'game':<22}{'players':>8}  {'betting':<9}{'cards':>6}{'stack':>10}  blinds")
    for name, row in rows.items():
        stack = "unlimited" if row["stack"] is None else f"{row['stack']:,}"
        blinds = "/".join(map(str, made[name].blinds))
        click.echo(f"{name:<22}{row['players']:>8}  {row['betting']:<9}{row['cards']:>6}{stack:>10}  {blinds}")
