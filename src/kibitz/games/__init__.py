"""The rules: games as values, states as values, cards from a seed."""

from kibitz.games.deal import Deal, format_deal
from kibitz.games.dealing import AcpcCards, CardSource, KeyedCards, deal_hands
from kibitz.games.game import Game
from kibitz.games.gamedef import format_gamedef, parse_gamedef
from kibitz.games.named import GAMES, load_game
from kibitz.games.naming import position_codes, position_name, round_label, round_name
from kibitz.games.notation import split_actions
from kibitz.games.state import Legal, State

__all__ = [
    "GAMES",
    "AcpcCards",
    "CardSource",
    "Deal",
    "Game",
    "KeyedCards",
    "Legal",
    "State",
    "deal_hands",
    "format_deal",
    "format_gamedef",
    "load_game",
    "parse_gamedef",
    "position_codes",
    "position_name",
    "round_label",
    "round_name",
    "split_actions",
]
