"""Moments are exact, merging is invisible, intervals mean what they say."""

from __future__ import annotations

from fractions import Fraction
from math import inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.errors import KibitzError
from kibitz.games.named import leduc, limit_holdem, nolimit_holdem
from kibitz.games.stakes import MILLI_ANTES, Stake, win_rate
from kibitz.statistics import MILLI_BIG_BLINDS, Estimate, Moments, average, merge

half_chips = st.lists(st.integers(-40_000, 40_000).map(lambda halves: halves / 2), min_size=2, max_size=60)
rates = st.lists(st.floats(-20_000, 20_000), min_size=1, max_size=60)


def estimate(samples):
    return Moments.of(samples).estimate(unit=MILLI_BIG_BLINDS)


def plain_mean_and_variance(samples):
    """The textbook formulas in fractions, rounded once at the end."""
    values = [Fraction(value) for value in samples]
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return float(mean), float(variance)


@given(half_chips)
def test_moments_of_chips_are_exact(samples):
    moments = Moments.of(samples)
    assert (moments.mean, moments.variance) == plain_mean_and_variance(samples)


@given(rates, st.randoms())
def test_merging_gives_the_same_bits_however_the_samples_were_cut_and_ordered(samples, random):
    cuts = sorted(random.randint(0, len(samples)) for _ in range(4))
    chunks = [samples[i:j] for i, j in zip([0, *cuts], [*cuts, len(samples)], strict=True)]
    random.shuffle(chunks)
    assert merge(Moments.of(chunk) for chunk in chunks) == Moments.of(samples)


def test_the_sum_of_squares_does_not_overflow():
    largest = 2**27 - 1
    samples = np.where(np.arange(200_000) % 3 == 0, -largest, largest)
    moments = Moments.of(samples)
    thirds = len(range(0, 200_000, 3))
    assert moments.squares == 200_000 * (largest * 2**20) ** 2
    assert moments.total == (200_000 - 2 * thirds) * largest * 2**20


@given(
    st.lists(st.integers(-(2**52), 2**52).map(lambda halves: halves / 2), min_size=2, max_size=20), st.integers(0, 20)
)
def test_stacks_without_end_are_summed_exactly(samples, cut):
    moments = Moments.of(samples)
    assert (moments.mean, moments.variance) == plain_mean_and_variance(samples)
    assert Moments.of(samples[:cut]) + Moments.of(samples[cut:]) == moments


def test_values_off_the_grid_agree_with_numpy():
    samples = np.random.default_rng(3).normal(12.3, 456.7, size=20_000)
    moments = Moments.of(samples)
    assert moments.mean == pytest.approx(samples.mean(), abs=1e-6)
    assert moments.variance == pytest.approx(samples.var(ddof=1), rel=1e-9)


@given(half_chips.filter(lambda samples: len(set(samples)) > 1), st.integers(2, 50))
def test_intervals_shrink_with_the_root_of_the_number_of_samples(samples, copies):
    n = len(samples)
    once, often = estimate(samples), estimate(samples * copies)
    assert often.mean == once.mean
    assert often.half_width == pytest.approx(once.half_width * sqrt((n - 1) / (copies * n - 1)))


def test_intervals_cover_the_true_mean_19_times_in_20():
    rng = np.random.default_rng(0)
    trials = [estimate(rng.exponential(100, size=400) - 100) for _ in range(1000)]
    covered = np.mean([trial.low <= 0 <= trial.high for trial in trials])
    assert 0.93 < covered < 0.97  # three standard deviations of 1,000 coin flips are 0.02


@pytest.mark.parametrize("samples", [[], [7.0]])
def test_too_few_samples_leave_the_mean_in_the_open(samples):
    result = estimate(samples)
    assert (result.mean, result.half_width, result.samples) == (sum(samples), inf, len(samples))
    assert not result.significant


def test_estimates_print_sign_interval_and_unit():
    assert str(Estimate(412.61, 11.32, 100_000)) == "+412.6 ± 11.3 mbb/hand"
    assert str(-Estimate(1_234.56, 0.04, 10, MILLI_ANTES)) == "-1,234.6 ± 0.0 milli-antes/hand"
    assert str(Estimate(7.0, inf, 1)) == "+7.0 mbb/hand"


def test_significance_is_zero_outside_the_interval():
    assert Estimate(-12.0, 11.9, 50).significant
    assert not Estimate(12.0, 12.0, 50).significant


@pytest.mark.parametrize(
    ("game", "stake"),
    [
        (nolimit_holdem(), Stake(100, MILLI_BIG_BLINDS)),
        (limit_holdem(3), Stake(10, MILLI_BIG_BLINDS)),
        (leduc(), Stake(1, MILLI_ANTES)),
    ],
)
def test_the_stake_is_the_big_blind_or_the_ante(game, stake):
    assert Stake.of(game) == stake


def test_win_rate_turns_chips_of_duplicate_deals_into_milli_big_blinds():
    chips = [300, -100, 0, 400]  # of two hands each
    rate = win_rate(Moments.of(chips), Stake(100), hands_per_sample=2)
    by_hand = estimate([1500, -500, 0, 2000])
    assert rate.mean == by_hand.mean == 750
    assert rate.half_width == pytest.approx(by_hand.half_width)


def test_independent_estimates_subtract_and_average():
    difference = Estimate(10, 3, 40) - Estimate(4, 4, 60)
    assert difference == Estimate(6, 5, 100)
    assert average([Estimate(10, 3, 40), Estimate(4, 4, 60)]) == Estimate(7, 2.5, 100)


@pytest.mark.parametrize("samples", [[1.0, float("nan")], [float("inf")], [2**53], ["12"]])
def test_samples_that_cannot_be_results_are_refused(samples):
    with pytest.raises(KibitzError, match="results are"):
        Moments.of(samples)


def test_unlike_units_do_not_mix():
    with pytest.raises(KibitzError, match="like units"):
        Estimate(1, 1, 2) - Estimate(1, 1, 2, MILLI_ANTES)
    with pytest.raises(KibitzError, match="at least one"):
        average([])
