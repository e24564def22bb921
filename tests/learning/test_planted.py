"""A planted hidden Markov model: an observer fitted to its deals has its transitions and emissions again."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy.optimize import minimize

from kibitz.learning import Model, Structure, TableRules
from kibitz.learning.model import views
from kibitz.learning.records import CONSTANT, TYPES
from learning.test_learning import Deals, dealt

KINDS = 2  # card-types that occur; those of a stage may come back in another order
DEALS, FRESH = 2000, 100
HEADS_UP, OWED = 7, 3  # bet features: always 1 here; chips that the opponent would have to call
RAISING, CALLING = 0, 1  # outcome states
STAY, MOVE = 0.85, 0.15
RULES = TableRules(decision_cap=24, uncapped_heads_up=False)
PLANTED = np.array([[[MOVE, STAY], [STAY, MOVE]], [[STAY, MOVE], [MOVE, STAY]], [[MOVE, STAY], [STAY, MOVE]]])
"""Transitions to flop, turn and river, float64[3, from, to], on any board."""


def set_moves(model, moves):
    for stage, each in enumerate(moves, 1):
        logs = np.full((TYPES, TYPES), -70.0)  # nobody comes to the other types
        logs[:KINDS, :KINDS] = np.log(each)
        model.weights.transitions[CONSTANT[stage]] = logs.ravel()


def planted_model():
    """One type mostly raises, one mostly calls, at every stage; folds are rare, so that deals are long."""
    model = Model.random(Structure(), 0, 0.0)
    weights = model.weights
    weights.values[:, HEADS_UP] = 3.0
    weights.values[:, OWED] = [24, -24, 0, 0, 0, 0, 0, 0]
    weights.values[2:, OWED] /= 2  # bets are twice as large
    for kind in (RAISING, CALLING):
        weights.types[:, kind, kind] = 3.0
    weights.initial[:] = 0.0
    weights.initial[:KINDS] = 1 / KINDS
    weights.usage[:] = 1.0  # so that gradients are not rescaled
    set_moves(model, PLANTED)
    return model


def drawn(chances, noise):
    sums = np.cumsum(chances)
    return int(np.searchsorted(sums, noise.random() * sums[-1], side="right"))


def draw_deals(source, noise, count):
    """Deals of two players whose hidden types move with the board and act."""
    made, work = [], source.work
    for _ in range(count):
        cards, actions, stage = dealt(noise, 2), [], 0
        kinds = [drawn(source.model.weights.initial, noise) for _ in range(2)]
        while source.play(cards, [*actions, 1]) > len(actions):
            decision = len(actions)
            while stage < work.stage[decision]:
                stage += 1
                kinds = [drawn(work.moves[stage, kind], noise) for kind in kinds]
            actions.append(drawn(work.type_chance[decision, :, kinds[work.player[decision]]], noise))
        made.append((cards, tuple(actions)))
    return made


def fit(deals, lessons, start):
    """Maximise the conditional likelihood with the kernel's gradients; transitions are kept stochastic by soft-max.

    start : types float64[4, 8, KINDS], then logits of transitions float64[3, KINDS, KINDS]
    """
    weights, split = deals.model.weights, 4 * 8 * KINDS

    def loss(flat):
        weights.types[..., :KINDS] = flat[:split].reshape(4, 8, KINDS)
        moves = np.exp(flat[split:].reshape(3, KINDS, KINDS))
        moves /= moves.sum(axis=2, keepdims=True)
        set_moves(deals.model, moves)
        gradient, total = np.zeros_like(deals.model.flat), 0.0
        for cards, actions in lessons:
            deals.play(cards, actions)
            total += deals.learn(gradient, learn_observer=True, floor=1e-12)
        found = views(gradient)
        moved = found.transitions[CONSTANT[1:]].reshape(3, TYPES, TYPES)[:, :KINDS, :KINDS]
        moved = moved - moves * moved.sum(axis=2, keepdims=True)
        slope = np.concatenate([found.types[..., :KINDS].ravel(), moved.ravel()])
        return -total / len(lessons), -slope / len(lessons)

    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 60})
    loss(found.x)  # leaves the weights of the maximum in the model


def emissions(deals, fresh):
    """Probabilities of actions by type at all decisions: for each stage float64[decisions, 3, KINDS]."""
    found = [[] for _ in range(4)]
    for cards, actions in fresh:
        for decision in range(deals.play(cards, actions)):
            found[deals.work.stage[decision]].append(deals.work.type_chance[decision, :, :KINDS].copy())
    return [np.array(each) for each in found]


def test_transitions_and_emissions_of_a_planted_model_are_recovered():
    """Emissions to 0.03 on average at new decisions, transitions to 0.1; types in any order at each stage."""
    noise = np.random.default_rng(1)
    source = Deals(planted_model(), RULES, 2)
    lessons, fresh = draw_deals(source, noise, DEALS), draw_deals(source, noise, FRESH)
    deals = Deals(planted_model(), RULES, 2)
    start = np.concatenate([noise.normal(0, 0.3, 4 * 8 * KINDS), noise.normal(0, 0.1, 3 * KINDS * KINDS)])
    fit(deals, lessons, start)  # from small weights: from large ones it may end in a local maximum
    orders = []
    for ours, theirs in zip(emissions(deals, fresh), emissions(source, fresh), strict=True):
        assert len(theirs) > 100
        assert abs(theirs[..., 0] - theirs[..., 1]).mean() > 0.3  # the two types differ, by ten times the tolerance
        errors = {order: abs(ours[..., order] - theirs).mean() for order in permutations(range(KINDS))}
        orders.append(min(errors, key=errors.__getitem__))
        assert min(errors.values()) < 0.03
    for stage in (1, 2, 3):
        logs = deals.model.weights.transitions[CONSTANT[stage]].reshape(TYPES, TYPES)
        moves = np.exp(logs)[np.ix_(orders[stage - 1], orders[stage])]
        np.testing.assert_allclose(moves, PLANTED[stage - 1], atol=0.1)
