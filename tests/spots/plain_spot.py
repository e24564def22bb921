"""A spot's plain twin: every pair of hands and every board listed one by one, as a matrix deal of two players.

Its values are counted from half the pot each, so a player's chips here are half the pot less than the spot solver's.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np

from kibitz.cards import format_cards
from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.evaluator import evaluate
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.spots import Spot


def plain_form(spot: Spot) -> VectorGame:
    """The spot as the vector solvers take it; the pot must be even and without rake."""
    assert spot.pot % 2 == 0
    return VectorGame(spot.tree, plain_deal(spot))


def plain_deal(spot: Spot) -> MatrixDeal:
    """Private states are (cards dealt since, hand), in the order of hands."""
    rounds = []
    total = sum(weight for _one, _two, weight in pairs(spot))
    for dealt in range(6 - len(spot.board)):
        states = [sorted({state for _r, state, _o, _w, _s in deals(spot, dealt, p)}) for p in range(2)]
        place = [{state: i for i, state in enumerate(each)} for each in states]
        weight = np.zeros((len(states[0]), len(states[1])))
        sign = np.zeros_like(weight)
        for _runout, one, two, chance, result in deals(spot, dealt, 0):
            weight[place[0][one], place[1][two]] += chance / total
            sign[place[0][one], place[1][two]] += chance * result / total
        parent = []
        for p in range(2):
            above = [] if not dealt else rounds[-1][3][p]
            parent.append(np.array([above[(s[0][:-1], s[1])] if dealt else 0 for s in states[p]], dtype=np.int64))
        rounds.append((states, weight, sign, place, parent))
    return MatrixDeal(spot.game, False, tuple(_round(*each) for each in rounds))


def _round(states, weight, sign, _place, parent) -> RoundDeal:
    labels = tuple(tuple(f"{format_cards(cards)}|{format_cards(hand)}" for cards, hand in each) for each in states)
    edges = tuple(np.array([0, len(each)]) for each in states)
    return RoundDeal(labels, tuple(parent), edges, np.array([0, weight.size]), weight.ravel(), sign.ravel())


def pairs(spot: Spot):
    """Every pair of hands that can be dealt, with its weight."""
    one, two = spot.ranges
    for hand, weight in zip(one.hands, one.weights, strict=True):
        for other, other_weight in zip(two.hands, two.weights, strict=True):
            if len({*hand, *other, *spot.board}) == 4 + len(spot.board):
                yield hand, other, weight * other_weight


def deals(spot: Spot, dealt: int, player: int):
    """(runout, own state, other state, chance, result) with `dealt` cards seen and all five dealt."""
    left = 5 - len(spot.board)
    for one, two, weight in pairs(spot):
        live = [card for card in range(52) if card not in (*one, *two, *spot.board)]
        count = len(list(permutations(live, left))) if left else 1
        for runout in permutations(live, left):
            values = [evaluate((*hand, *spot.board, *runout)) for hand in (one, two)]
            states = ((runout[:dealt], one), (runout[:dealt], two))
            result = (values[0] > values[1]) - (values[0] < values[1])
            yield runout, states[player], states[1 - player], weight / count, result if player == 0 else -result
