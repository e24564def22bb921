import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.bandits import UCB1, BanditError, Exp3


def pulled(bandit, means, rounds, seed=0):
    """How often each arm was played when arms pay 0 or 1 with these means."""
    random, plays = np.random.default_rng(seed), np.zeros(len(means))
    for _ in range(rounds):
        arm = bandit.choose(random.random())
        bandit.learn(arm, float(random.random() < means[arm]))
        plays[arm] += 1
    return plays


@pytest.mark.parametrize("make", [lambda: UCB1(3), lambda: Exp3(3, 0.1)])
def test_the_best_arm_is_played_most(make):
    plays = pulled(make(), [0.2, 0.8, 0.4], 3000)
    assert plays.argmax() == 1
    assert plays[1] > 2000
    assert plays.min() > 10


def test_ucb_by_hand():
    bandit = UCB1(2, scale=0.5)
    assert bandit.choose() == 0
    bandit.learn(0, 1.0)
    assert bandit.choose() == 1
    bandit.learn(1, 0.0)
    assert bandit.choose() == 0  # equal spreads, higher mean
    for _ in range(50):
        bandit.learn(0, 1.0)
    bounds = [1.0 + 0.5 * np.sqrt(2 * np.log(52) / 51), 0.5 * np.sqrt(2 * np.log(52))]
    assert bandit.choose() == int(np.argmax(bounds)) == 1


def test_a_discount_lets_ucb_follow_a_change():
    plain, tracking = UCB1(2, 0.1), UCB1(2, 0.1, discount=0.95)
    last = {}
    for bandit in (plain, tracking):
        played = []
        for t in range(800):
            arm = bandit.choose()
            bandit.learn(arm, [1.0, 0.0][arm] if t < 400 else [0.5, 1.0][arm])
            played.append(arm)
        last[bandit] = np.mean(played[400:600])
    assert last[tracking] > 0.8 > last[plain]


@given(st.integers(0, 2), st.floats(0, 1), st.floats(0.05, 1))
def test_exp3_reweighs_by_hand(arm, reward, gamma):
    bandit = Exp3(3, gamma)
    bandit.learn(arm, reward)
    shares = np.ones(3)
    shares[arm] = np.exp(gamma * reward * 3 / 3)  # its chance was 1/3
    assert np.allclose(bandit.weights(), (1 - gamma) * shares / shares.sum() + gamma / 3)
    assert bandit.weights().sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("act", "text"),
    [
        (lambda: UCB1(0), "0 arms"),
        (lambda: UCB1(2).learn(0, float("inf")), "a finite number"),
        (lambda: Exp3(2).learn(0, 1.5), "from 0 to 1; scale rewards first"),
        (lambda: Exp3(2, gamma=2.0), "gamma = 2: from 0 to 1"),
    ],
)
def test_what_is_refused(act, text):
    with pytest.raises(BanditError, match=text):
        act()
