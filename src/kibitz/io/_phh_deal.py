"""The cards of a PHH hand, all at once: ranks and suits are looked up and added as strings of bytes."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.cards import RANKS, SUITS
from kibitz.games import Deal
from kibitz.io._phh_toml import IrregularError

HIDDEN = "????"
_DECK = bytes(range(len(RANKS) * len(SUITS)))
# Of every character what it adds to the number of a card. The marks of the wrong ones lead out of the deck, and no
# sum of the two passes a byte.
_RANK = bytes([len(SUITS) * RANKS.index(chr(code)) if chr(code) in RANKS else 128 for code in range(256)])
_SUIT = bytes([SUITS.index(chr(code)) if chr(code) in SUITS else 64 for code in range(256)])
_number = int.from_bytes
_new = tuple.__new__  # makes named tuples in half the time that their own constructors take


def cards_of_text(text: str) -> bytes:
    """The cards written `AhKs2c`..., each of them once."""
    written = text.encode("ascii")
    ranks, suits = written[::2].translate(_RANK), written[1::2].translate(_SUIT)
    cards = (_number(ranks) + _number(suits)).to_bytes(len(ranks))  # one sum of two long numbers adds all bytes
    if len(_DECK.translate(None, cards)) + len(cards) != len(_DECK):
        raise IrregularError
    return cards


def deal_of_text(holes: Sequence[str], board: str) -> Deal:
    """The cards written `AhKs`, `????`, ... for the players and without spaces for the board, each dealt once."""
    text = "".join(holes)
    if "?" in text:
        return _deal_with_hidden(holes, board)
    cards = cards_of_text(text + board)
    end = 2 * len(holes)
    each = iter(cards[:end])
    hole = tuple(zip(each, each))  # noqa: B905 (naming `strict` takes half as long again)
    return _new(Deal, (hole, tuple(cards[end:])))


def _deal_with_hidden(holes: Sequence[str], board: str) -> Deal:
    nothing: tuple[int, ...] = ()
    if holes.count(HIDDEN) == len(holes):
        return _new(Deal, ((nothing,) * len(holes), tuple(cards_of_text(board)) if board else nothing))
    known = [hole for hole in holes if hole != HIDDEN]
    if len(known) == len(holes):
        raise IrregularError  # half a hand
    deal = deal_of_text(known, board)
    each = iter(deal.hole)
    return _new(Deal, (tuple([nothing if hole == HIDDEN else next(each) for hole in holes]), deal.board))
