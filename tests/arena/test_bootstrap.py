"""The bootstrap against theory, against plain resampling, and on cases whose answer is known."""

from __future__ import annotations

from itertools import combinations
from math import erf, sqrt

import numpy as np
import pytest

from kibitz.arena.bankroll import instant_runoff, total_bankroll
from kibitz.arena.bootstrap import bootstrap_rankings
from kibitz.errors import KibitzError


def noisy_field(agents=4, matches=60, spread=50.0, seed=0):
    """Agent i beats agent j by 10 (j - i) on average."""
    rng = np.random.default_rng(seed)
    return {(i, j): 10.0 * (j - i) + spread * rng.standard_normal(matches) for i, j in combinations(range(agents), 2)}


def plain_bootstrap(matches, agents, resamples, cap, seed):
    """One resampled competition at a time: frequencies of bankrolls, winners of the run-off, who comes before whom."""
    rng = np.random.default_rng(seed)
    ahead, wins, before = np.zeros((agents, agents)), np.zeros(agents), np.zeros((agents, agents))
    for _ in range(resamples):
        rates = np.full((agents, agents), np.nan)
        for (i, j), results in matches.items():
            rates[i, j] = rng.choice(results, size=len(results)).mean()
            rates[j, i] = -rates[i, j]
        scores = total_bankroll(rates, cap)
        ahead += scores[:, None] > scores[None, :]
        order = instant_runoff(rates).ranking
        wins[order[0]] += 1
        before[tuple(zip(*combinations(order, 2), strict=True))] += 1
    return ahead / resamples, wins / resamples, before / resamples


@pytest.mark.parametrize("cap", [None, 25.0])
def test_frequencies_agree_with_plain_resampling(cap):
    matches = noisy_field()
    result = bootstrap_rankings(matches, resamples=4000, cap=cap, seed=1, runoff=True)
    frequency, wins, before = plain_bootstrap(matches, 4, 1500, cap, seed=2)
    assert result.frequency == pytest.approx(frequency, abs=0.05)  # 3 sd of the difference are 0.046
    assert result.runoff_wins == pytest.approx(wins, abs=0.05)
    assert result.runoff_wins.sum() == pytest.approx(1)
    assert result.runoff_frequency == pytest.approx(before, abs=0.05)


def test_two_agents_follow_the_normal_approximation():
    results = np.random.default_rng(5).normal(6, 50, size=100)
    z = results.mean() / (results.std() / sqrt(100))
    frequency = bootstrap_rankings({(0, 1): results}, resamples=20_000, seed=3).frequency
    assert frequency[0, 1] == pytest.approx((1 + erf(z / sqrt(2))) / 2, abs=0.02)
    assert frequency[0, 1] + frequency[1, 0] == pytest.approx(1)


def test_results_without_luck_leave_no_doubt():
    result = bootstrap_rankings(noisy_field(spread=0.0), resamples=50, seed=0, runoff=True)
    better = np.triu(np.ones((4, 4), dtype=bool), 1)
    assert (result.significant == better).all()
    assert result.runoff_wins.tolist() == [1, 0, 0, 0]
    assert (result.runoff_frequency == better).all()
    assert result.interval(0) == pytest.approx((20, 20))


def test_agents_who_are_level_are_not_ahead_of_each_other():
    result = bootstrap_rankings({(0, 1): [0.0, 0.0]}, resamples=20, seed=0)
    assert (result.frequency == 0).all()


def test_the_cap_takes_the_crown_from_a_kingmaker():
    matches = {(0, 1): [5.0] * 4, (0, 2): [745.0] * 4, (1, 2): [5000.0] * 4}
    assert bootstrap_rankings(matches, resamples=10, seed=0).frequency[1, 0] == 1
    assert bootstrap_rankings(matches, resamples=10, cap=750, seed=0).frequency[0, 1] == 1


def test_a_drawn_final_goes_by_the_rule_of_the_run_off():
    matches = {(0, 1): [0.0] * 3, (0, 2): [10.0] * 3, (1, 2): [20.0] * 3}
    result = bootstrap_rankings(matches, resamples=10, seed=0, runoff=True)
    assert result.runoff_wins.tolist() == [0, 1, 0]  # 1 won more from 2 in the first round


def test_the_same_seed_gives_the_same_result_in_any_order_of_tables():
    matches = noisy_field()
    forwards = bootstrap_rankings(matches, resamples=200, seed=9)
    backwards = bootstrap_rankings(dict(reversed(matches.items())), resamples=200, seed=9)
    turned = bootstrap_rankings({(j, i): -r for (i, j), r in matches.items()}, resamples=200, seed=9)
    assert (forwards.bankrolls == backwards.bankrolls).all()
    assert forwards.bankrolls == pytest.approx(turned.bankrolls)
    assert not (forwards.bankrolls == bootstrap_rankings(matches, resamples=200, seed=10).bankrolls).all()


def test_luck_that_all_tables_share_is_not_counted_as_doubt():
    luck = 500 * np.random.default_rng(0).standard_normal(80)
    # 0 and 1 play the same cards against 2; 0 always wins one unit more.
    matches = {(0, 1): np.zeros(80), (0, 2): luck + 1, (1, 2): luck}
    apart = bootstrap_rankings(matches, seed=0)
    together = bootstrap_rankings(matches, seed=0, shared_deals=True)
    assert 0.4 < apart.frequency[0, 1] < 0.6
    assert together.frequency[0, 1] == 1


def test_three_players():
    rng = np.random.default_rng(0)
    strength = np.array([30.0, 10.0, 0.0, -40.0])
    matches = {}
    for table in combinations(range(4), 3):
        agents = np.array(table)
        noise = rng.normal(0, 20, size=(50, 3))
        matches[table] = strength[agents] - strength[agents].mean() + noise - noise.mean(axis=1, keepdims=True)
    result = bootstrap_rankings(matches, resamples=500, seed=1, runoff=True)
    rates = np.full((4, 4, 4), np.nan)
    for (a, b, c), results in matches.items():
        for (i, j, k), mean in zip([(a, b, c), (b, a, c), (c, a, b)], results.mean(axis=0), strict=True):
            rates[i, j, k] = rates[i, k, j] = mean
    assert result.bankrolls.mean(axis=0) == pytest.approx(total_bankroll(rates), abs=1.0)
    assert result.bankrolls.sum(axis=1) == pytest.approx(np.zeros(500), abs=1e-9)
    assert result.significant[0, 1]
    assert result.runoff_wins[0] > 0.9


@pytest.mark.parametrize(
    ("matches", "message"),
    [
        ({}, "two at every table"),
        ({(0, 1): [1.0], (0, 1, 2): [[1.0, 0.0, -1.0]]}, "two at every table"),
        ({(0, 1): [1.0], (1, 0): [2.0]}, "under two keys"),
        ({(0, 0): [1.0]}, "different agents"),
        ({(0, 2): [1.0]}, "no table"),
        ({(0, 1): []}, "shape"),
        ({(0, 1, 2): [1.0, 2.0]}, "shape"),
        ({(0, 1): [np.nan]}, "not finite"),
    ],
)
def test_matches_that_do_not_make_a_field_are_refused(matches, message):
    with pytest.raises(KibitzError, match=message):
        bootstrap_rankings(matches, seed=0)


def test_shared_deals_need_the_same_deals():
    with pytest.raises(KibitzError, match="same number"):
        bootstrap_rankings({(0, 1): [1.0], (0, 2): [1.0, 2.0]}, seed=0, shared_deals=True)


@pytest.mark.parametrize("matches", [4, 10, 20])
def test_intervals_cover(matches):
    rng = np.random.default_rng(matches)
    inside = 0
    for _ in range(400):
        low, high = bootstrap_rankings({(0, 1): rng.normal(0, 50, matches)}, seed=1, resamples=400).interval(0)
        inside += low < 0 < high
    assert 0.92 < inside / 400 < 0.985


def test_one_match_has_no_interval():
    assert bootstrap_rankings({(0, 1): [3.0]}, seed=1, resamples=20).interval(0) == (-np.inf, np.inf)
