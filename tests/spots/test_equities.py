"""Equities of hands against a range: a walk up the strengths, against all pairs and run-outs counted one by one."""

from itertools import combinations

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.evaluator import evaluate
from kibitz.spots import Spot, SpotCFR, SpotGame
from kibitz.spots.equities import equities
from kibitz.spots.report import inspect


def plain(board, hands, others, weights):
    found = []
    for hand in hands.tolist():
        won = met = 0.0
        for other, weight in zip(others.tolist(), weights.tolist(), strict=True):
            if set(hand) & set(other) or set(board) & {*hand, *other}:
                continue
            left = [card for card in range(52) if card not in {*board, *hand, *other}]
            for more in combinations(left, 5 - len(board)):
                mine, theirs = (evaluate((*held, *board, *more)) for held in (hand, other))
                won += weight * (0.5 if mine == theirs else float(mine > theirs))
                met += weight
        found.append(won / met if met else np.nan)
    return np.array(found)


@pytest.mark.parametrize("text", ["Qs Jh 2h 8d 3c", "Qs Jh 2h 8d"])
def test_equities_are_those_of_all_run_outs(text):
    random, board = np.random.default_rng(5), parse_cards(text)
    left = np.array([card for card in range(52) if card not in board], dtype=np.uint8)
    hands, others = (np.array([random.choice(left, 2, replace=False) for _ in range(12)]) for _ in range(2))
    hands[:3], hands[3] = others[:3], parse_cards("Qh2c")
    others = np.unique(np.sort(others, axis=1), axis=0)
    weights = random.random(len(others))
    weights[0] = 0.0
    assert equities(board, hands, others, weights) == pytest.approx(plain(board, hands, others, weights))


def test_a_flop_by_its_symmetry():
    """Two pairs of aces split the pot but for flushes."""
    board, hands = parse_cards("Ks 7s 2h"), np.array([parse_cards("AsAd"), parse_cards("AhAc")], dtype=np.uint8)
    first = equities(board, hands[:1], hands[1:], np.ones(1))[0]
    second = equities(board, hands[1:], hands[:1], np.ones(1))[0]
    assert first + second == pytest.approx(1)
    assert 0.5 < first < 0.55  # the first player has the spade


def test_a_hand_that_meets_nothing():
    hand = np.array([parse_cards("AsAd")], dtype=np.uint8)
    assert np.isnan(equities(parse_cards("Ks 7d 2h"), hand, hand, np.ones(1)))[0]


def test_decisions_looked_at_in_any_order_are_the_same():
    """Walks are kept between looks; a solver that has gone on is walked anew."""
    spot = Spot.parse("Qs Jh 2h", 10, 12, "AsAd,Th9h,QhJc", "QdQc,AhKh", "all-in")
    solver = SpotCFR(SpotGame(spot))
    solver.step(20)
    places = [("", ""), ("cc/cc/", "2c3c"), ("c", ""), ("cc/", "2c"), ("cc/c", "2c"), ("", "")]
    kept = [inspect(solver, *place) for place in places]
    for place, one in zip(places, kept, strict=True):
        solver._views = None
        two = inspect(solver, *place)
        for mine, other in zip(one.hands, two.hands, strict=True):
            assert np.array_equal(mine.values, other.values, equal_nan=True)
            assert np.array_equal(mine.reach, other.reach)
    solver.step(20)
    assert not np.array_equal(inspect(solver).strategy, kept[0].strategy)
