"""`kibitz deal`: the cards of a dealer seed."""

from __future__ import annotations

from itertools import islice

import click

from kibitz.cli._options import DEALER_SEEDS, MAX_HANDS, seed_option
from kibitz.cli._output import print_json
from kibitz.games import deal_hands, format_deal, load_game


@click.command()
@click.argument("game")
@seed_option("Seed of the ACPC dealer.", DEALER_SEEDS)
@click.option("--hands", default=1, show_default=True, type=click.IntRange(1, MAX_HANDS), help="Number of hands.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of {hand, cards}.")
def deal(game: str, seed: int, hands: int, as_json: bool) -> None:
    """Print the cards that the ACPC dealer deals in a match of GAME, one hand per line."""
    rules = load_game(game)
    cards = (format_deal(rules, hand, rules.rounds - 1) for hand in islice(deal_hands(rules, seed), hands))
    if as_json:
        print_json([{"hand": number, "cards": text} for number, text in enumerate(cards)])
        return
    for text in cards:
        click.echo(text)
