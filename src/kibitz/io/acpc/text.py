"""The small words of ACPC text: actions, cards, chips and names, read fast and refused with a reason."""

from __future__ import annotations

import re
from functools import lru_cache

from kibitz.cards import CARD_TEXT, format_cards
from kibitz.errors import CardError, FormatError
from kibitz.games import Game

Cards = tuple[int, ...]

_CARD: dict[str, int] = {text: card for card, text in enumerate(CARD_TEXT)}
LENIENT = str.maketrans("kKCFbBR", "cccfrrr")  # what the original dealer also takes
# At most ten digits an amount: chips fit 31 bits, and Python refuses to convert numbers without end.
HISTORY = r"(?:[fc/]|r[0-9]{0,10}+)*+"
BETTING = re.compile(HISTORY)
_VALUE = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def normalise_actions(text: str) -> str:
    """Betting text with the letters the dealer also takes (k, K, C, F, b, B, R) written as f, c and r."""
    history = text.translate(LENIENT)
    if not BETTING.fullmatch(history):
        good = BETTING.match(history)
        end = good.end() if good else 0
        raise FormatError(f"betting {text!r}: {text[end:]!r} is no action; f, c, r, r<chips> and / are")
    return history


def format_value(chips: float) -> str:
    """Chips as the dealer prints them: six decimals, trailing zeros and point dropped.

    >>> format_value(-20.0), format_value(552584.5), format_value(100 / 3)
    ('-20', '552584.5', '33.333333')
    """
    if isinstance(chips, int):
        return str(chips)
    text = f"{chips:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@lru_cache(maxsize=1 << 14)
def parse_values(text: str) -> tuple[float, ...]:
    """The chips written `20|-20`, one number per player."""
    words = text.split("|")
    for word in words:
        if not _VALUE.fullmatch(word):
            raise FormatError(f"values {text!r}: {word!r} is not a number of chips such as -20 or 552584.5")
    return tuple([float(word) for word in words])


@lru_cache(maxsize=1 << 10)
def split_names(text: str) -> tuple[str, ...]:
    """The names written `p1|p2`; none is empty."""
    names = tuple(text.split("|"))
    if not all(names):
        raise FormatError(f"names {text!r}: one per player, separated by '|'")
    return names


_UNSAYABLE = re.compile(r"[:|\r\n]|^\s|\s$|^$|\(\s*-?[0-9.]+(?:e[-+]?[0-9]+)?\s*\)$|#\s*[0-9.]+$")


def is_sayable(name: str) -> bool:
    """Whether a log can give `name` so that it is read again: no ':' or '|', nothing like the remarks of dialects."""
    return not _UNSAYABLE.search(name)


class _CardGroups(dict[str, Cards]):
    """Cards of a text such as `AhKs`; short texts are remembered, since hole cards come again and again."""

    def __missing__(self, text: str) -> Cards:
        try:
            cards = tuple([_CARD[text[i : i + 2]] for i in range(0, len(text), 2)])
        except KeyError as error:
            raise CardError(f"{error.args[0]!r} is not a card such as Ah") from None
        if len(text) <= 4:
            self[text] = cards
        return cards


GROUPS = _CardGroups()


def parse_groups(text: str) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """Hole cards per player and board cards per round of a match state, no card twice."""
    hole_text, *sections = text.split("/")
    try:
        hole = tuple(GROUPS[group] for group in hole_text.split("|"))
        board = tuple(GROUPS[group] for group in sections)
    except CardError as error:
        raise FormatError(f"cards {text!r}: {error}") from None
    cards = [card for group in (*hole, *board) for card in group]
    if len(set(cards)) != len(cards):
        raise FormatError(f"cards {text!r}: a card stands there twice")
    return hole, board


@lru_cache(maxsize=1 << 10)
def section_lengths(game: Game) -> tuple[tuple[int, ...], ...]:
    """Characters of each board section when 0, 1, 2, ... rounds after the first are reached."""
    lengths = tuple(2 * count for count in game.board_cards[1:])
    return tuple(lengths[:count] for count in range(game.rounds))


def split_first_board(hole: tuple[Cards, ...], game: Game) -> tuple[tuple[Cards, ...], Cards]:
    """(Hole cards, board cards of the first round) of `hole`: nothing stands between these and the last hand."""
    count = game.board_cards[0]
    if not count or len(hole[-1]) < count:
        return hole, ()
    return (*hole[:-1], hole[-1][:-count]), hole[-1][-count:]


def check_hole(hole: tuple[Cards, ...], game: Game) -> None:
    """Refuse hole cards of too many or too few players, or of too many or too few cards."""
    if len(hole) != game.players:
        raise FormatError(f"hole cards of {len(hole)} players: the game has {game.players}")
    wanted = game.hole_cards
    for cards in hole:
        if cards and len(cards) != wanted:
            raise FormatError(f"hole cards {format_cards(cards)!r}: {wanted} per player, or none where hidden")


def wanted_cards(game: Game, rounds: int) -> str:
    """What the board of a log line must look like when `rounds` rounds after the first are reached."""
    counts = " / ".join(str(count) for count in game.board_cards[1 : rounds + 1])
    return f"board sections of {counts} cards are wanted" if counts else "no board cards are wanted"
