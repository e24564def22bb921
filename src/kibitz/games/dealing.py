"""Where the cards of a match come from: a key that cannot be guessed, or the seed of the ACPC dealer.

The original dealer seeds MT19937 with `init_genrand(seed)`, builds the deck afresh for every hand, and draws
`deck[word % n]`, filling the hole with the last card. The generator runs on through the match. Whoever has seen a hand
or two finds the seed by trying all 2^32, and with it every other hand.

Keyed cards are drawn from the same deck in the same way, but hand by hand: each has its words of a BLAKE2b digest as a
fraction, which times the number of cards left gives a place in the deck, and the next fraction. A hand tells nothing of
any other, and can be dealt without the ones before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count as counting
from math import perm

from kibitz.games.deal import Deal
from kibitz.games.game import Game

_WORDS_AT_ONCE = 1 << 14  # 64 KiB
WORDS = 16  # of a digest, each of 32 bits
_SPARE_BITS = 40  # of the words of a hand, beyond those that tell all hands apart: no hand is likelier by over 2^-40


@dataclass(frozen=True)
class AcpcCards:
    """The cards that the ACPC dealer deals from `seed`, of which 32 bits count. Players can find it out."""

    seed: int

    def hands(self, game: Game) -> Iterator[Deal]:
        """The hands of a match in order, without end."""
        return deal_hands(game, self.seed)


@dataclass(frozen=True)
class KeyedCards:
    """Cards from a key of 32 bytes, such as `kibitz.random.secret` gives: no hand tells anything of another.

    >>> from kibitz.games import format_deal, load_game
    >>> game = load_game("holdem-nolimit-2p")
    >>> format_deal(game, next(KeyedCards(bytes(32)).hands(game)), 3)
    'Kc9c|4d2d/2c5h6c/Qc/4s'
    """

    key: bytes

    def hands(self, game: Game) -> Iterator[Deal]:
        """The hands of a match in order, without end."""
        length, size = words_per_hand(game), len(game.deck)
        draws, bits = range(size, size - cards_per_hand(game), -1), 32 * length
        mask = (1 << bits) - 1
        for number in counting():
            words = blake2b(number.to_bytes(8, "little"), key=self.key, digest_size=4 * WORDS).digest()
            left = int.from_bytes(words, "little")
            for _ in range(WORDS // length):
                fraction, left = left & mask, left >> bits
                places = []
                for cards in draws:
                    fraction *= cards
                    places.append(fraction >> bits)
                    fraction &= mask
                yield _dealt(game, places)


CardSource = AcpcCards | KeyedCards


def words_per_hand(game: Game) -> int:
    """Words of a digest with which a hand is dealt: so many that bits are left to spare."""
    hands = perm(len(game.deck), cards_per_hand(game))
    return next(words for words in (3, 4, 8, WORDS) if hands << _SPARE_BITS <= 1 << 32 * words)


def mersenne_twister(seed: int) -> random.Random:
    """Python's MT19937 in the state that `init_genrand(seed)` leaves; `getrandbits(32)` gives its words.

    `random.Random(seed)` would initialise by array, which is another stream.
    """
    word = seed & 0xFFFFFFFF
    words = [word]
    for i in range(1, 624):
        word = (1812433253 * (word ^ word >> 30) + i) & 0xFFFFFFFF
        words.append(word)
    generator = random.Random()
    generator.setstate((3, (*words, 624), None))
    return generator


def deal_hands(game: Game, seed: int) -> Iterator[Deal]:
    """The hands of a match in order, without end: hole cards player by player, then all board cards.

    >>> from kibitz.games import format_deal, load_game
    >>> game = load_game("holdem-nolimit-2p")
    >>> format_deal(game, next(deal_hands(game, 0)), 3)
    '5d5c|9hQd/8dAs8s/4h/6d'
    """
    return deal_from(mersenne_twister(seed), game)


def pass_over(words: random.Random, game: Game, hands: int) -> None:
    """Take from `words` what `deal_from` would take for `hands` hands, a hundred times as fast as dealing them."""
    left = hands * cards_per_hand(game)
    while left:
        count = min(left, _WORDS_AT_ONCE)
        words.getrandbits(32 * count)
        left -= count


def deal_from(words: random.Random, game: Game) -> Iterator[Deal]:
    """Hands dealt with the next words of a `mersenne_twister`, without end; `pass_over` may take some in between."""
    draw = words.getrandbits
    size = len(game.deck)
    draws = range(size, size - cards_per_hand(game), -1)
    while True:
        yield _dealt(game, [draw(32) % left for left in draws])


def _dealt(game: Game, places: Sequence[int]) -> Deal:
    """The hand when cards are drawn from these places of the deck, whose last card fills the hole each time."""
    deck, last = list(game.deck), len(game.deck) - 1
    cards = []
    for place in places:
        cards.append(deck[place])
        deck[place] = deck[last]
        last -= 1
    per_player, hole = game.hole_cards, game.hole_cards * game.players
    return Deal(tuple([tuple(cards[i : i + per_player]) for i in range(0, hole, per_player)]), tuple(cards[hole:]))


def cards_per_hand(game: Game) -> int:
    """Cards dealt for every hand, whether or not the betting gets that far."""
    return game.hole_cards * game.players + game.board_ends[-1]
