"""How many private states a player can be in, round by round, counted without dealing.

>>> from kibitz.games import load_game
>>> count_private_states(load_game("leduc"))
((3, 3), (9, 9))
>>> count_private_states(load_game("leduc"), suits_merged=False)
((6, 6), (30, 30))
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

from kibitz.games import Game

FLUSH = 5  # cards that a straight or a flush takes


def ranks_tell_all(game: Game) -> bool:
    """Whether suits mean nothing at the showdown: hands too short for straights and flushes."""
    return game.hand_ranking == "standard" and game.hole_cards + sum(game.board_cards) < FLUSH


def count_private_states(game: Game, suits_merged: bool = True) -> tuple[tuple[int, ...], ...]:
    """What each player can know of the cards in each round, with perfect recall: [round][player].

    suits_merged: states that differ in the names of suits only count once, which loses nothing.
    """
    by_hole_cards = {sighted: _count(game, game.hole_cards * sighted, suits_merged) for sighted in set(game.sighted)}
    return tuple(tuple(by_hole_cards[sighted][round_] for sighted in game.sighted) for round_ in range(game.rounds))


def _count(game: Game, hole_cards: int, suits_merged: bool) -> list[int]:
    """States in each round of one who sees `hole_cards` and the board."""
    streets = tuple(cards for cards in (hole_cards, *game.board_cards) if cards)
    if not suits_merged:
        sizes = _count_hands(len(game.deck), streets)
    elif ranks_tell_all(game):
        sizes = [_count_rank_hands(game, streets[: seen + 1]) for seen in range(len(streets))]
    else:
        sizes = _count_classes(game, streets)
    sizes = [1, *sizes]
    seen, states = int(hole_cards > 0), []
    for cards in game.board_cards:
        seen += cards > 0
        states.append(sizes[seen])
    return states


def _count_hands(left: int, streets: tuple[int, ...]) -> list[int]:
    hands, sizes = 1, []
    for cards in streets:
        hands *= comb(left, cards)
        left -= cards
        sizes.append(hands)
    return sizes


def _count_classes(game: Game, streets: tuple[int, ...]) -> list[int]:
    from kibitz.isomorphism import IsomorphismIndex  # only who asks for classes waits for it

    return list(IsomorphismIndex(streets, game.suits, game.ranks).sizes) if streets else []


def _count_rank_hands(game: Game, streets: tuple[int, ...]) -> int:
    """Ways to deal ranks in streets when each rank is there once per suit: one rank after the other."""
    ways = Counter({streets: 1})  # cards still to be dealt on each street -> ways
    for _rank in range(game.ranks):
        after: Counter[tuple[int, ...]] = Counter()
        for left, count in ways.items():
            for taken in product(*(range(cards + 1) for cards in left)):
                if sum(taken) <= game.suits:
                    after[tuple(a - b for a, b in zip(left, taken, strict=True))] += count
        ways = after
    return ways[(0,) * len(streets)]
