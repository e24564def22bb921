"""Cards from a seed, the same as the ACPC dealer deals.

The original dealer seeds MT19937 with `init_genrand(seed)`, builds the deck afresh for every hand, and draws
`deck[word % n]`, filling the hole with the last card. The generator runs on through the match.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from kibitz.games.deal import Deal
from kibitz.games.game import Game

_WORDS_AT_ONCE = 1 << 14  # 64 KiB


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
    left = hands * _cards_per_hand(game)
    while left:
        count = min(left, _WORDS_AT_ONCE)
        words.getrandbits(32 * count)
        left -= count


def deal_from(words: random.Random, game: Game) -> Iterator[Deal]:
    """Hands dealt with the next words of a `mersenne_twister`, without end; `pass_over` may take some in between."""
    draw = words.getrandbits
    fresh, size = list(game.deck), len(game.deck)
    per_player, hole = game.hole_cards, game.hole_cards * game.players
    count = _cards_per_hand(game)
    starts = range(0, hole, per_player)
    while True:
        deck = fresh.copy()
        cards = []
        for left in range(size, size - count, -1):
            place = draw(32) % left
            cards.append(deck[place])
            deck[place] = deck[left - 1]
        yield Deal(tuple([tuple(cards[i : i + per_player]) for i in starts]), tuple(cards[hole:]))


def _cards_per_hand(game: Game) -> int:
    """Cards dealt for every hand, each for one word, whether or not the betting gets that far."""
    return game.hole_cards * game.players + game.board_ends[-1]
