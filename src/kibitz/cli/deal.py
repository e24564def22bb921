"""`kibitz acpc deal`: the cards of a seed."""

from __future__ import annotations

from itertools import islice

import click

from kibitz.arena.chance import ACPC, Chance
from kibitz.cli._options import MAX_HANDS, MatchSeed, cards_option, seed_option
from kibitz.cli._output import print_json
from kibitz.games import format_deal, load_game


@click.command()
@click.argument("game")
@seed_option("Seed for the cards.", MatchSeed())
@cards_option(ACPC)
@click.option(
    "--match", default=0, show_default=True, type=click.IntRange(0), help="Number of the match of a series, from 0."
)
@click.option("--hands", default=1, show_default=True, type=click.IntRange(1, MAX_HANDS), help="Number of hands.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of {hand, cards}.")
def deal(game: str, seed: int, cards: str, match: int, hands: int, as_json: bool) -> None:
    """Print the cards that are dealt in a match of GAME, one hand per line, by default those of the ACPC dealer."""
    rules = load_game(game)
    dealt = islice(Chance(seed, cards).cards(match).hands(rules), hands)
    texts = (format_deal(rules, hand, rules.rounds - 1) for hand in dealt)
    if as_json:
        print_json([{"hand": number, "cards": text} for number, text in enumerate(texts)])
        return
    for text in texts:
        click.echo(text)
