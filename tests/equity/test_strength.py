"""Hand strength against a plain enumeration of the opponent's hands."""

import random
from itertools import combinations

import pytest

from kibitz.cards import make_deck, parse_cards
from kibitz.equity.strength import hand_strength
from kibitz.evaluator import evaluate


def plain_strength(hole, board, deck, ranking):
    own = evaluate(hole + board, ranking)
    points = []
    for other in combinations([card for card in deck if card not in hole + board], len(hole)):
        value = evaluate(other + board, ranking)
        points.append(1.0 if own > value else 0.5 if own == value else 0.0)
    return sum(points) / len(points)


@pytest.mark.parametrize(
    ("suits", "ranks", "hole_cards", "board_cards", "ranking"),
    [
        (4, 13, 2, 3, "standard"),
        (4, 13, 2, 5, "standard"),
        (4, 9, 2, 4, "standard"),
        (2, 3, 1, 1, "standard"),
        (1, 3, 1, 0, "standard"),
        (4, 13, 1, 2, "three-card"),
    ],
)
def test_it_is_the_share_of_hands_beaten(suits, ranks, hole_cards, board_cards, ranking):
    rng = random.Random(1)
    deck = make_deck(suits, ranks)
    for _ in range(4):
        cards = tuple(rng.sample(deck, hole_cards + board_cards))
        hole, board = cards[:hole_cards], cards[hole_cards:]
        expected = plain_strength(hole, board, deck, ranking)
        assert hand_strength(hole, board, suits, ranks, ranking) == pytest.approx(expected, abs=1e-12)


def test_the_nuts_beat_everything():
    assert hand_strength(parse_cards("AsKs"), parse_cards("QsJsTs")) == 1.0
