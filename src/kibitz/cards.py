"""Cards as integers and as text.

A card is 4 * rank + suit with ranks 2..A = 0..12 and suits c d h s = 0..3, so 2c is 0 and As is 51.
Small decks keep the highest ranks and the last suits, as the ACPC dealer does: Kuhn's three cards are
Qs Ks As, Leduc's six are Qh Qs Kh Ks Ah As. Older programs keep the lowest ranks and the first suits.

>>> parse_cards("AhTd2c")
(50, 33, 0)
>>> format_cards((50, 33, 0))
'AhTd2c'
"""

from collections.abc import Iterable
from functools import lru_cache

from kibitz.arguments import whole
from kibitz.errors import CardError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARD_TEXT: tuple[str, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD_OF_TEXT: dict[str, int] = {text: card for card, text in enumerate(CARD_TEXT)}


def parse_card(text: str) -> int:
    """The card written `text`, a rank of 23456789TJQKA and a suit of cdhs."""
    try:
        return _CARD_OF_TEXT[text]
    except KeyError:
        raise CardError(f"{text!r} is not a card: a rank of {RANKS} then a suit of {SUITS}") from None


def parse_cards(text: str | Iterable[str | int]) -> tuple[int, ...]:
    """The cards written end to end in `text`, such as `AhTd2c`; blanks between cards are allowed, and so are lists."""
    text = "".join(text.split()) if isinstance(text, str) else _joined(text)
    if len(text) % 2:
        raise CardError(f"{text!r} has an odd number of characters; cards are written like AhTd2c")
    cards = tuple(parse_card(text[i : i + 2]) for i in range(0, len(text), 2))
    if len(set(cards)) != len(cards):
        raise CardError(f"{text!r} names a card twice")
    return cards


def _joined(cards: object) -> str:
    """The text of a list of cards, each a text or a number."""
    if not isinstance(cards, Iterable):
        raise CardError(f"{cards!r} is not a list of cards: they are written like AhTd2c")
    return "".join(card if isinstance(card, str) else format_cards((whole(card, "a card"),)) for card in cards)


def format_cards(cards: Iterable[int]) -> str:
    """The text of `cards`, end to end."""
    cards = tuple(cards)
    if cards and min(cards) < 0:
        raise CardError(f"{min(cards)} is not a card: cards are numbered 0 to {len(CARD_TEXT) - 1}")
    try:
        return "".join([CARD_TEXT[card] for card in cards])
    except IndexError:
        raise CardError(f"{max(cards)} is not a card: cards are numbered 0 to {len(CARD_TEXT) - 1}") from None


def describe_card(card: int) -> str:
    """The text of a card, or the number of what is none, for messages.

    >>> describe_card(5), describe_card(52)
    ('3d', '52')
    """
    return CARD_TEXT[card] if 0 <= card < len(CARD_TEXT) else str(card)


@lru_cache(maxsize=64)  # every game asks for its deck
def make_deck(suits: int = 4, ranks: int = 13, lowest: bool = False) -> tuple[int, ...]:
    """The deck of the `ranks` highest ranks in the `suits` last suits, suit by suit as ACPC builds it.

    lowest: instead the lowest ranks in the first suits; each card is then `lowest_shift` below its counterpart

    >>> format_cards(make_deck(suits=2, ranks=3)), format_cards(make_deck(suits=2, ranks=3, lowest=True))
    ('QhKhAhQsKsAs', '2c3c4c2d3d4d')
    """
    if not (1 <= suits <= 4 and 1 <= ranks <= 13):
        raise CardError(f"a deck of {suits} suits and {ranks} ranks: 1-4 suits and 1-13 ranks are possible")
    shift = lowest_shift(suits, ranks) if lowest else 0
    return tuple(4 * rank + suit - shift for suit in range(4 - suits, 4) for rank in range(13 - ranks, 13))


def lowest_shift(suits: int, ranks: int) -> int:
    """How much smaller the cards of the lowest deck are than those of the highest, one by one."""
    return 4 * (13 - ranks) + 4 - suits


def cards_to_mask(cards: Iterable[int]) -> int:
    """Cards as a 64-bit set: bit 16 * suit + rank is set for each card.

    Sixteen bits a suit keep the thirteen ranks of one suit together, which is what an evaluator asks for.
    """
    mask = 0
    for card in cards:
        mask |= 1 << (16 * (card & 3) + (card >> 2))
    return mask
