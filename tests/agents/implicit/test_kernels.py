"""The kernels against the plain bandits and estimators."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.agents.implicit import _kernels
from kibitz.bandits import UCB1, Exp3G, floored
from kibitz.bandits.hedge import softmax

SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=12).filter(lambda values: sum(values) > 1e-3)


@settings(deadline=None)
@given(SHARES, st.floats(0, 1))
def test_floors(values, part):
    weights = np.array(values) / sum(values)
    out = np.empty(len(weights))
    _kernels.floor_weights(weights, part / len(weights), out)
    assert np.allclose(out, floored(weights, part / len(weights)))


@settings(deadline=None)
@given(st.lists(st.floats(-700, 700), min_size=1, max_size=12))
def test_softmax(logits):
    out = np.empty(len(logits))
    _kernels.softmax(np.array(logits), out)
    assert np.allclose(out, softmax(np.array(logits)))


@pytest.mark.parametrize("uniform", [0.0, 0.19, 0.2, 0.5, 0.999999])
def test_draw(uniform):
    chances = np.array([0.2, 0.0, 0.5, 0.3, 99.0])
    expected = int(np.searchsorted(np.cumsum(chances[:4]), uniform, side="right"))
    assert _kernels.draw(chances, 4, uniform) == expected


BANDITS = [
    (Exp3G(3, 0.3), {"kind": _kernels.EXP3G, "rate": 0.3}),
    (Exp3G(3, 0.3, 0.1, "mix"), {"kind": _kernels.EXP3G, "rate": 0.3, "least": 0.1, "explore": _kernels.MIX}),
    (Exp3G(3, 0.3, discount=0.9), {"kind": _kernels.EXP3G, "rate": 0.3, "discount": 0.9}),
    (Exp3G(3, 0.3, share=0.05), {"kind": _kernels.EXP3G, "rate": 0.3, "share": 0.05}),
    (UCB1(3, 0.7), {"kind": _kernels.UCB1, "scale": 0.7}),
    (UCB1(3, 0.7, discount=0.9), {"kind": _kernels.UCB1, "scale": 0.7, "discount": 0.9}),
]


def compiled(**settings):
    plain = {"rate": 0.0, "least": 0.02, "explore": _kernels.FLOOR, "share": 0.0, "discount": 1.0, "scale": 0.0}
    return _kernels.Bandit(**{**plain, "estimator": 3, "by_seat": False, "unit": 1.0, **settings})


@pytest.mark.parametrize(
    ("bandit", "settings"), BANDITS, ids=["floor", "mix", "discount", "share", "ucb1", "ucb1-disc"]
)
def test_weights_round_by_round(bandit, settings):
    """`next_weights` and `learn` against the bandits themselves, with the same rewards."""
    random, made = np.random.default_rng(4), compiled(**settings)
    sums, plays, shared, weights = np.zeros(3), np.zeros(3), np.full(3, 1 / 3), np.empty(3)
    for _round in range(60):
        rewards = random.normal([0.0, 0.4, 0.2], 1.0)
        _kernels.next_weights(made, sums, plays, shared, weights)
        if isinstance(bandit, UCB1):
            arm = bandit.choose()
            assert weights.tolist() == [float(k == arm) for k in range(3)]
            bandit.learn(arm, float(rewards[arm]))
        else:
            assert np.allclose(weights, bandit.weights(), atol=1e-12)
            bandit.update(rewards)
        _kernels.learn(made, rewards, weights, sums, plays, shared)


def reference(paths, experts, weights, hand, end, technique):
    """What each expert would have won, by sums over hands and decisions, in NumPy.

    paths : (chances float[experts, n] of the action taken, of folding or None, chips won by folding) of each decision
    end   : float[n], chips that each hand wins at the end; None where the player folded
    """
    all_cards, folds = technique & 1, technique & 2
    own, free = hand
    reach = np.ones((len(weights), len(free))) * free
    if not all_cards:
        reach *= np.arange(len(free)) == own
    total = np.zeros(len(weights))
    for taken, folded, lost in paths:
        if folds and folded is not None:
            total += lost * (reach * folded).sum(axis=1) / (weights @ reach).sum()
        reach = reach * taken
    if end is None and folds:
        return total
    value = paths[-1][2] if end is None else end
    return total + (reach * value).sum(axis=1) / (weights @ reach).sum()


@pytest.mark.parametrize("technique", range(4))
@pytest.mark.parametrize("ending", ["showdown", "other folds", "fold"])
def test_estimates_against_plain_sums(technique, ending):
    """One betting round of two decisions of ours: check, then a bet of the other that is answered."""
    random = np.random.default_rng(technique)
    n, count = 5, 3
    # Node 0: ours (check, bet). 1: theirs after a check (check, bet). 2: theirs after a bet (fold, call).
    # 3: ours after their bet (fold, call). Ends: 4 check-check, 5 we bet and they fold, 6 called, 7 we fold, 8 we call.
    kind = np.array([0, 0, 0, 0, 2, 1, 2, 1, 2])
    player = np.array([0, 1, 1, 0, -1, 0, -1, 1, -1])  # of a terminal node after a fold, who wins
    first, children = np.array([1, 4, 5, 7, 0, 0, 0, 0, 0]), np.array([2, 2, 2, 2, 0, 0, 0, 0, 0])
    # The path names its nodes, so that of the children only the number counts.
    folds = np.array([False, False, True, True, *[False] * 5])
    paid = np.full((9, 2), 1.0)
    stake = np.array([0, 0, 0, 0, 1.0, 1.0, 3.0, 1.0, 3.0])
    states = np.where(children > 0, n, 0)
    offset = np.concatenate(([0], np.cumsum(states * children)))
    betting = _kernels.TreeArrays(
        kind, player, np.zeros(9, np.int64), first, children, folds, paid, stake, offset, states
    )
    values = random.random((int(offset[-1]), count))
    for node in range(4):
        block = values[offset[node] : offset[node + 1]].reshape(2, n, count)
        block /= block.sum(axis=0)
    weights = random.dirichlet(np.ones(count))
    strength = random.permutation(n).astype(np.int32)
    apart = ~np.eye(n, dtype=bool)
    own, other = 1, 3
    shown = other if ending == "showdown" else -1
    state_of = np.arange(n, dtype=np.int32)[None]
    last = {"showdown": (3, 1, 8), "fold": (3, 0, 7), "other folds": (0, 1, 5)}[ending]
    path = np.array([[0, 0], [last[0], last[1]]] if last[0] else [[0, 1]], dtype=np.int64)
    out = np.empty(count)
    hand = (0, own, shown, state_of, strength, apart)
    _kernels.estimate(betting, values, weights, technique, hand, path, len(path), (last[2], 0), out)

    def row(node, action):
        return values[offset[node] + action * n : offset[node] + (action + 1) * n].T

    paths = [(row(node, action), row(node, 0) if folds[node] else None, -1.0) for node, action in path]
    free = apart[:, other].astype(float) if shown >= 0 else np.ones(n)
    ends = {"showdown": 3.0 * np.sign(strength - strength[other]), "fold": None, "other folds": np.full(n, 1.0)}
    assert np.allclose(out, reference(paths, values, weights, (own, free), ends[ending], technique))
