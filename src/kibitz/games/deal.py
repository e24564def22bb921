"""The cards of a hand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

from kibitz.cards import describe_card, format_cards, make_deck
from kibitz.errors import CardError
from kibitz.games.game import Game


class Deal(NamedTuple):
    """The cards of one hand as far as they are known: `()` for hidden hole cards, a short board for unseen cards."""

    hole: tuple[tuple[int, ...], ...] = ()
    board: tuple[int, ...] = ()


def check_cards(game: Game, deal: Deal) -> None:
    """Refuse cards that are dealt twice, that the deck of `game` does not have, or for too many or few players."""
    if not isinstance(deal, Deal):
        raise CardError(
            f"{deal!r} is not a Deal: next(deal_hands(game, seed)) is one, and Deal((parse_cards('Ks'), ()))"
        )
    if deal.hole and len(deal.hole) != game.players:
        raise CardError(f"hole cards of {len(deal.hole)} players: the game has {game.players}")
    cards = [*chain.from_iterable(deal.hole), *deal.board]
    different = set(cards)
    if not different <= game.card_set:
        raise CardError(describe_strange_cards(game, cards))
    if len(different) != len(cards):
        twice = next(card for card in cards if cards.count(card) > 1)
        raise CardError(f"{format_cards((twice,))} is dealt twice")


def describe_strange_cards(game: Game, cards: Iterable[int]) -> str:
    """Which of `cards` the deck of `game` does not have, and whether the other kind of small deck has them all."""
    given = set(cards)
    strange = " ".join(map(describe_card, sorted(given - game.card_set)))
    text = f"{strange} not in the deck of this game, {format_cards(sorted(game.deck))}"
    other = "highest" if game.has_lowest_deck else "lowest"
    if not given <= set(make_deck(game.suits, game.ranks, other == "lowest")):
        return text
    return f"{text}, but in that of the {other} ranks: add deck={other} to the game, as in leduc,deck={other}"


def format_deal(game: Game, deal: Deal, round_: int) -> str:
    """Cards as ACPC prints them: hole cards separated by "|", then "/" and the board cards of each round reached."""
    text = "|".join([format_cards(cards) for cards in deal.hole]) if deal.hole else "|" * (game.players - 1)
    start = game.board_ends[0]
    text += format_cards(deal.board[:start])  # empty in every game that deals its first board cards after betting
    for end in game.board_ends[1 : round_ + 1]:
        text += "/" + format_cards(deal.board[start:end])
        start = end
    return text
