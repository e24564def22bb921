"""What is learned: the exact policy gradient by enumeration, a planted observer, and showdowns that are sampled."""

from itertools import product

import numpy as np
import pytest

from kibitz.learning import Model, Structure, TableRules
from kibitz.learning.model import views
from learning.dealing import Deals, dealt, nothing


def legal_sequences(deals, cards):
    """All sequences of actions, by extending those that are legal."""
    waiting, whole = [()], []
    while waiting:
        each = waiting.pop()
        count = deals.play(cards, each, learners=1)
        if count == len(each):
            whole.append(each)
            continue
        waiting += [(*each, action) for action in range(3) if deals.work.chance[len(each), action] > 0]
    return whole


def test_reinforce_is_the_enumerated_policy_gradient():
    """The mean of the gradient over all action sequences is the derivative of the mean return of the learner."""
    noise = np.random.default_rng(0)
    model = Model.random(Structure(), 1, 0.5)
    deals = Deals(Model.random(Structure(), 2, 0.5), TableRules(decision_cap=4), 2, model)
    policy = deals.model.flat
    cards = dealt(noise, 2)
    whole = legal_sequences(deals, cards)
    assert len(whole) > 15
    gradient, total = nothing(), 0.0

    def probability(count):
        return float(np.prod([deals.work.chance[d, deals.work.action[d]] for d in range(count)]))

    for actions in whole:
        count = deals.play(cards, actions, learners=1)
        share = probability(count)
        total += share
        for baseline in ("none", "fold"):  # both have the same mean
            found = nothing()
            deals.learn(found, policy=True, baseline=baseline)
            gradient += share * found / 2
    assert total == pytest.approx(1)

    def mean_return():
        value = 0.0
        for actions in whole:
            count = deals.play(cards, actions, learners=1)
            value += probability(count) * float(deals.work.net[0])
        return value

    places = noise.permutation(np.flatnonzero(gradient))[:60]
    for place in places:
        values, weight = [], policy[place]
        for sign in (1, -1):
            policy[place] = weight + sign * 1e-5
            values.append(mean_return())
        policy[place] = weight
        assert gradient[place] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-6)


def planted_deals(deals, noise, count):
    """Deals whose actions come from the observer's own model: card-types are drawn, and act."""
    weights, made = deals.model.weights, []
    while len(made) < count:
        cards, actions = dealt(noise, 2), []
        types = [int(noise.choice(8, p=weights.initial)) for _ in range(2)]
        stage = 0
        while True:
            total = deals.play(cards, [*actions, 1])
            d = len(actions)
            if total <= d:
                break
            actor, now = int(deals.work.player[d]), int(deals.work.stage[d])
            while stage < now:
                stage += 1
                for p in range(2):
                    shares = deals.work.moves[stage, types[p]]
                    types[p] = int(noise.choice(8, p=shares / shares.sum()))
            chances = deals.work.type_chance[d, :, types[actor]]
            actions.append(int(noise.choice(3, p=chances / chances.sum())))
        if actions:
            made.append((cards, tuple(actions[: deals.play(cards, actions)])))
    return made


def test_a_planted_observer_is_recovered():
    """Learning from the deals of another observer closes most of the gap to its likelihood on new deals."""
    noise = np.random.default_rng(3)
    rules = TableRules(decision_cap=12)
    planted = Model.random(Structure(), 4, 0.1)
    planted.weights.values[:] = noise.normal(0, 4.0, planted.weights.values.shape)
    planted.weights.types[:] = noise.normal(0, 3.0, planted.weights.types.shape)
    source = Deals(planted, rules, 2)
    lessons, fresh = planted_deals(source, noise, 900), planted_deals(source, noise, 300)
    learner = Model(planted.structure, planted.flat.copy())
    learner.weights.types[:] = noise.normal(0, 0.2, learner.weights.types.shape)
    deals = Deals(learner, rules, 2)

    def mean_likelihood(of):
        spare = nothing()
        total = 0.0
        for cards, actions in fresh:
            of.play(cards, actions)
            total += of.learn(spare, observer=True)
        return total / sum(len(actions) for _, actions in fresh)

    best, start = mean_likelihood(source), mean_likelihood(deals)
    for _ in range(6):
        for begin in range(0, len(lessons), 10):
            gradient = nothing()
            for cards, actions in lessons[begin : begin + 10]:
                deals.play(cards, actions)
                deals.learn(gradient, observer=True)
            found = views(gradient)
            learner.weights.types[:] += 0.02 * found.types  # usage is 1/8: steps are eight times that
            learner.weights.transitions[:] += 0.0005 * found.transitions
    assert best - start > 0.02
    assert mean_likelihood(deals) > start + 0.5 * (best - start)


def test_sampled_showdowns_are_right_on_average():
    """Of four players one showdown in eight is worked, and counts eight times."""
    noise = np.random.default_rng(7)
    model = Model.random(Structure(), 5, 0.5)
    model.weights.usage[:] = 1.0
    deals = Deals(model, TableRules(), 4)
    calls = [1] * 16
    for _ in range(50):
        cards = dealt(noise, 4)
        deals.play(cards, calls)
        if int(deals.work.winners).bit_count() == 1:
            break
    sums, exact, worked = np.zeros(8), np.zeros(8), 0
    for key in range(1, 400):
        gradient = nothing()
        deals.learn(gradient, key=key * 0x9E3779B97F4A7, observer=True)
        found = views(gradient).showdown
        if found.any():
            worked, exact = worked + 1, found / 8
            sums += found
    assert 25 < worked < 80
    np.testing.assert_allclose(sums, worked * 8 * exact, rtol=1e-9)
    assert abs(exact).max() > 1e-3


def test_sequences_are_those_of_the_rules():
    """The kernel's legal actions are those of `State`, sequence by sequence."""
    from kibitz.games import Deal, State

    noise = np.random.default_rng(1)
    rules = TableRules(decision_cap=5)
    deals = Deals(Model.random(Structure(), 1), rules, 3)
    cards = dealt(noise, 3)
    found = {tuple(each) for each in legal_sequences(deals, cards)}
    start = State.start(
        rules.game(3), Deal(tuple(map(tuple, cards[:6].reshape(3, 2).tolist())), tuple(cards[20:].tolist()))
    )
    waiting, whole = [(start, ())], set()
    while waiting:
        state, actions = waiting.pop()
        if state.finished or len(actions) == 5:
            whole.add(actions)
            continue
        waiting += [(state.apply(each), (*actions, "fcr".index(each))) for each in state.legal().actions()]
    assert found == whole
    assert len(list(product(range(3), repeat=2))) < len(whole)
