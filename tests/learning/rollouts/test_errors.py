"""Sample, LFO and RI errors: the formulas, and what they estimate where the truth is known."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.learning.rollouts import decision_errors, option_values


def plain_errors(values, logs, chances, folds):
    """Algorithm 5-1, sum by sum."""
    weights = np.exp(logs)
    count, options = values.shape
    v = [sum(weights[j] * values[j, d] for j in range(count)) / sum(weights) for d in range(options)]
    blocks = [range(i * count // folds, (i + 1) * count // folds) for i in range(folds)]
    tilde = 0.0
    for block in blocks:
        outside = [j for j in range(count) if j not in block]
        without = [sum(weights[j] * values[j, d] for j in outside) for d in range(options)]
        best = max(range(options), key=lambda d: without[d])
        tilde += sum(weights[j] * values[j, best] for j in block) / sum(weights)
    hat = sum(chances[d] * v[d] for d in range(options))
    return max(v) - hat, max(v) - tilde, tilde - hat, sum(weights) ** 2 / sum(weights**2)


@pytest.mark.parametrize("folds", [2, 7, 10])
def test_errors_are_those_of_the_algorithm(folds):
    rng = np.random.default_rng(folds)
    values, logs = rng.normal(size=(53, 3)), rng.normal(size=53)
    chances = np.array([0.2, 0.5, 0.3])
    found = decision_errors(values, logs, chances, folds)
    assert found == pytest.approx(plain_errors(values, logs, chances, folds))
    assert found.sample == pytest.approx(found.lfo + found.improvement)
    assert decision_errors(values, logs - 5000, chances, folds) == pytest.approx(found)  # no underflow


def test_improvement_tends_to_the_true_gain():
    """Options worth 0, 1 and 3 chips, a uniform policy: the best option gains 3 - 4/3, less what noise costs."""
    rng = np.random.default_rng(1)
    truth, chances = np.array([0.0, 1.0, 3.0]), np.full(3, 1 / 3)
    gaps = []
    for count in (20, 200, 2000):
        found = [decision_errors(truth + rng.normal(0, 8, (count, 3)), np.zeros(count), chances) for _ in range(200)]
        gain = np.mean([each.improvement for each in found])
        assert gain > 0
        assert np.mean([each.lfo for each in found]) >= -1e-12
        assert np.mean([each.sample for each in found]) > gain - 1e-12
        gaps.append(5 / 3 - gain)
    assert gaps[0] > gaps[1] > gaps[2] - 0.02
    assert abs(gaps[2]) < 0.05


def test_nothing_is_gained_where_options_are_equal():
    """The estimate is not biased upwards, as that of the sample is."""
    rng = np.random.default_rng(2)
    found = [decision_errors(rng.normal(size=(50, 3)), np.zeros(50), np.full(3, 1 / 3)) for _ in range(2000)]
    gains = np.array([each.improvement for each in found])
    assert abs(gains.mean()) < 4 * gains.std() / np.sqrt(len(gains))
    assert np.mean([each.sample for each in found]) > 0.05


def test_all_weight_in_one_fold_leaves_the_policys_own_choice():
    values = np.tile([0.0, 5.0], (10, 1))
    logs = np.full(10, -1e4)
    logs[3] = 0.0
    found = decision_errors(values, logs, np.array([0.9, 0.1]), 5)
    assert found.size == pytest.approx(1)
    assert found.sample == pytest.approx(4.5)
    assert found.improvement == pytest.approx(-0.5)  # the others say nothing: the likelier option is worth 0


def test_option_values_are_weighted_means():
    values = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert option_values(values, np.log([1.0, 3.0])) == pytest.approx([2.5, 5.0])


def test_folds_must_fit():
    with pytest.raises(KibitzError, match="1 folds of 5 samples"):
        decision_errors(np.zeros((5, 2)), np.zeros(5), np.ones(2) / 2, 1)
