"""Intervals: Student's t, weights, clusters."""

from math import inf, sqrt

import numpy as np
import pytest
from scipy.stats import t

from kibitz.statistics import Z_95, Estimate, Moments, student_95, weighted_half_width


@pytest.mark.parametrize("degrees", [1, 2, 9, 100])
def test_students_t_is_scipys(degrees):
    assert student_95(degrees) == pytest.approx(t.ppf(0.975, degrees), rel=1e-12)


def test_students_t_tends_to_the_normal_distribution():
    assert student_95(10) > student_95(1000) > Z_95
    assert student_95(10**9) == pytest.approx(Z_95)


def test_equal_weights_give_the_textbook_interval():
    values = np.random.default_rng(1).normal(size=12)
    expected = t.ppf(0.975, 11) * values.std(ddof=1) / sqrt(12)
    assert weighted_half_width(values, np.full(12, 3.0)) == pytest.approx(expected)


def test_one_value_says_nothing_of_its_spread():
    assert weighted_half_width(np.array([4.0]), np.ones(1)) == inf


def test_weighted_intervals_cover_the_mean_19_times_in_20():
    rng = np.random.default_rng(3)
    weights = rng.integers(1, 4, size=20).astype(float)
    covered = 0
    for _ in range(2000):
        values = rng.normal(2.0, 1.0, size=20)
        covered += abs(np.average(values, weights=weights) - 2.0) <= weighted_half_width(values, weights)
    assert 0.93 < covered / 2000 < 0.97


@pytest.mark.parametrize("samples", [[1.0, 4.0], [3.0, -1.0, 2.5, 0.5]])
def test_few_samples_have_the_wider_interval(samples):
    normal, few = Moments.of(samples).estimate(2.0), Moments.of(samples).estimate(2.0, few=True)
    assert few.mean == normal.mean
    assert few.half_width / normal.half_width == pytest.approx(student_95(len(samples) - 1) / Z_95)
    assert Moments.of([1.0]).estimate(few=True).half_width == inf


def test_clusters_of_equal_size_are_samples_of_their_means():
    samples, clusters = [1.0, 3.0, -2.0, 0.0, 8.0, 6.0], [0, 0, 1, 1, 2, 2]
    assert Moments.of_clusters(samples, clusters) == Moments.of([2.0, -1.0, 7.0])


def test_the_mean_of_uneven_clusters_is_that_of_all_samples():
    moments = Moments.of_clusters([5.0, 1.0, 3.0], [0, 1, 1])
    assert (moments.count, moments.mean) == (2, 3.0)


def test_estimates_have_ends_and_a_dictionary():
    estimate = Estimate(3.0, 1.0, 7)
    assert (estimate.low, estimate.high) == (2.0, 4.0)
    assert estimate.to_dict() == {"mean": 3.0, "half_width": 1.0}
