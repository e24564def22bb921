from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.bandits import BanditError, Exp3G, FixedShare, Hedge, check_weights

REWARDS = st.lists(st.lists(st.floats(-5, 5), min_size=3, max_size=3), min_size=1, max_size=30)


@given(REWARDS, st.floats(0, 2), st.floats(0, 1))
def test_hedge_is_the_softmax_of_discounted_sums(rewards, rate, discount):
    bandit = Hedge(3, rate, discount)
    for row in rewards:
        bandit.update(row)
    last = len(rewards) - 1
    sums = [sum(row[k] * discount ** (last - t) for t, row in enumerate(rewards)) for k in range(3)]
    expected = np.array([exp(rate * (each - max(sums))) for each in sums])
    assert np.allclose(bandit.weights(), expected / expected.sum())


@given(REWARDS, st.floats(0, 2))
def test_fixed_share_without_a_share_is_hedge(rewards, rate):
    plain, shared = Hedge(3, rate), FixedShare(3, rate, 0.0)
    for row in rewards:
        plain.update(row)
        shared.update(row)
    assert np.allclose(plain.weights(), shared.weights())


@given(REWARDS, st.floats(0.01, 2), st.floats(0.01, 1))
def test_fixed_share_is_a_sum_over_all_sequences_of_arms(rewards, rate, share):
    """The reference implementation: weights forward through a Markov chain that changes its arm with the share."""
    rewards = rewards[:6]
    bandit = FixedShare(3, rate, share)
    chain = np.full((3, 3), share / 3) + (1 - share) * np.eye(3)
    weights = np.full(3, 1 / 3)
    for row in rewards:
        bandit.update(row)
        weights = (weights * np.exp(rate * np.array(row))) @ chain
        weights /= weights.sum()
    assert np.allclose(bandit.weights(), weights)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_hedge_keeps_its_regret_bound(seed):
    """Regret at most ln K / rate + rate T / 8 for rewards from 0 to 1."""
    rounds, arms, rate = 200, 4, 0.2
    rewards = np.random.default_rng(seed).random((rounds, arms))
    bandit, won = Hedge(arms, rate), 0.0
    for row in rewards:
        won += bandit.weights() @ row
        bandit.update(row)
    assert rewards.sum(axis=0).max() - won <= np.log(arms) / rate + rate * rounds / 8


@pytest.mark.parametrize("forgetting", [{"share": 0.01}, {"discount": 0.98}])
def test_those_who_forget_follow_a_change_and_those_who_do_not_are_late(forgetting):
    rewards = np.repeat([[1.0, 0.0], [0.0, 1.0]], 200, axis=0)
    plain, tracking = Exp3G(2, 0.2), Exp3G(2, 0.2, **forgetting)
    won = {plain: 0.0, tracking: 0.0}
    for row in rewards:
        for bandit in won:
            won[bandit] += bandit.weights() @ row
            bandit.update(row)
    assert won[tracking] > 350 > 230 > won[plain]


def test_the_floor_holds_whatever_was_paid():
    for exploration in ("floor", "mix"):
        bandit = Exp3G(5, 10.0, 0.02, exploration)
        for _ in range(50):
            bandit.update([1e6, 0, -1e6, 5, 5])
        weights = check_weights(bandit.weights(), 5)
        assert weights.min() >= 0.02 - 1e-12
        assert weights[0] == pytest.approx(0.92)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Hedge(0, 1.0), "0 arms"),
        (lambda: Hedge(2, -1.0), "rate = -1: from 0 to inf"),
        (lambda: Hedge(2, float("nan")), "rate = nan"),
        (lambda: FixedShare(2, 1.0, 1.5), "share = 1.5: from 0 to 1"),
        (lambda: Exp3G(2, exploration="random"), "no exploration 'random': one of floor, mix"),
        (lambda: Exp3G(2, share=0.1, discount=0.9), "one way to forget, not both"),
        (lambda: Exp3G(60), "a least weight of 0.02 for 60 arms"),
        (lambda: Exp3G(2).update([1.0]), r"rewards of shape \(1,\): one for each of 2 arms"),
        (lambda: Exp3G(2).update([1.0, float("nan")]), "not all of them are finite"),
        (lambda: check_weights([0.5, float("nan")], 2), "not all of them are finite"),
        (lambda: check_weights([0.5, 0.6], 2), "they sum to 1"),
        (lambda: check_weights([1.0], 2), "one for each of 2 arms"),
    ],
)
def test_what_is_refused(make, text):
    with pytest.raises(BanditError, match=text):
        make()
