"""Winner determination against plain loops, and the properties it must have."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from kibitz.arena.bankroll import (
    cap_crossings,
    cap_sweep,
    instant_runoff,
    ranking,
    runoff_rounds,
    total_bankroll,
)
from kibitz.errors import KibitzError


@st.composite
def zero_sum_fields(draw, smallest=2, largest=7):
    """Antisymmetric whole rates, so that sums are exact."""
    agents = draw(st.integers(smallest, largest))
    upper = draw(hnp.arrays(np.int64, (agents, agents), elements=st.integers(-3000, 3000)))
    rates = (np.triu(upper, 1) - np.triu(upper, 1).T).astype(float)
    np.fill_diagonal(rates, np.nan)
    return rates


@st.composite
def three_player_fields(draw):
    agents = draw(st.integers(3, 6))
    cells = draw(hnp.arrays(np.int64, (agents,) * 3, elements=st.integers(-900, 900)))
    return (cells + cells.transpose(0, 2, 1)).astype(float)


def plain_bankroll(rates, alive, cap=float("inf")):
    """Bankrolls by loops; for three players over unordered pairs."""
    scores = {}
    for a in alive:
        others = [b for b in alive if b != a]
        if rates.ndim == 2:
            results = [rates[a, b] for b in others]
        else:
            results = [rates[a, b, c] for b in others for c in others if b < c]
        scores[a] = sum(min(cap, max(-cap, float(result))) for result in results) / len(results)
    return scores


def plain_runoff(rates):
    """Who is dropped, by loops; only for fields without ties."""
    alive, dropped = list(range(len(rates))), []
    while len(alive) >= rates.ndim:
        scores = plain_bankroll(rates, alive)
        assume(len(set(scores.values())) == len(scores))
        dropped.append(min(alive, key=scores.__getitem__))
        alive.remove(dropped[-1])
    return dropped


@given(st.one_of(zero_sum_fields(), three_player_fields()), st.floats(0, 4000))
def test_bankrolls_equal_the_plain_loops(rates, cap):
    expected = plain_bankroll(rates, range(len(rates)), cap)
    assert total_bankroll(rates, cap) == pytest.approx(list(expected.values()))


@given(zero_sum_fields(), st.one_of(st.none(), st.integers(0, 4000)))
def test_what_one_wins_another_loses_capped_or_not(rates, cap):
    assert total_bankroll(rates, cap).sum() == pytest.approx(0, abs=1e-9)


@given(zero_sum_fields())
def test_a_cap_beyond_every_rate_is_no_cap(rates):
    uncapped = total_bankroll(rates)
    assert (total_bankroll(rates, np.inf) == uncapped).all()
    assert (total_bankroll(rates, 3000) == uncapped).all()
    assert (total_bankroll(rates, 0) == 0).all()


@given(st.one_of(zero_sum_fields(), three_player_fields()))
def test_the_run_off_equals_the_plain_loops(rates):
    dropped = plain_runoff(rates)
    result = instant_runoff(rates)
    assert [each.dropped for each in result.rounds] == dropped
    assert result.ranking[rates.ndim - 1 :] == tuple(reversed(dropped))


@given(st.one_of(zero_sum_fields(), three_player_fields()))
def test_a_run_off_drops_all_but_those_who_could_not_fill_a_table(rates):
    result = instant_runoff(rates)
    agents, seats = len(rates), rates.ndim
    assert len(result.rounds) == agents - seats + 1
    assert sorted(result.ranking) == list(range(agents))
    for each in result.rounds:
        assert each.scores[each.alive.index(each.dropped)] == min(each.scores)
        expected = plain_bankroll(rates, each.alive)
        assert each.scores == pytest.approx(tuple(expected.values()))


@given(zero_sum_fields(), st.randoms())
def test_names_do_not_matter(rates, random):
    plain_runoff(rates)  # skips fields with ties, where the order of the list decides
    order = list(range(len(rates)))
    random.shuffle(order)
    shuffled = rates[np.ix_(order, order)]
    assert (total_bankroll(shuffled, 750) == total_bankroll(rates, 750)[order]).all()
    assert tuple(order[agent] for agent in instant_runoff(shuffled).ranking) == instant_runoff(rates).ranking


@given(hnp.arrays(np.int64, (5, 4, 4), elements=st.integers(-3, 3)))
def test_many_run_offs_at_once_are_the_single_ones(cells):
    fields = np.where(np.eye(4, dtype=bool), np.nan, cells - cells.transpose(0, 2, 1)).astype(float)
    dropped, _ = runoff_rounds(fields, seats=2)
    singles = [[each.dropped for each in instant_runoff(field).rounds] for field in fields]
    assert dropped.tolist() == singles


def test_ties_go_against_the_smaller_first_bankroll_then_against_the_last_listed():
    nobody_wins = np.zeros((3, 3))
    assert instant_runoff(nobody_wins).ranking == (0, 1, 2)
    # 0 and 1 draw once 2 is gone; 1 had won more from 2.
    rates = np.array([[0.0, 0, 10], [0, 0, 20], [-10, -20, 0]])
    assert instant_runoff(rates).ranking == (1, 0, 2)
    assert ranking([1.0, 3.0, 1.0]) == (1, 0, 2)


@given(zero_sum_fields(), st.floats(0, 4000))
def test_the_sweep_is_the_capped_bankroll_at_every_cap(rates, cap):
    assert cap_sweep(rates).at(cap) == pytest.approx(total_bankroll(rates, cap), abs=1e-9)


@given(zero_sum_fields(smallest=3))
def test_the_lead_changes_hands_at_crossings_and_nowhere_else(rates):
    crossings = cap_crossings(rates, 0, 1)
    bounds = np.concatenate([[0.0], crossings, [4000.0]])
    signs = []
    for low, high in pairwise(bounds):
        caps = np.linspace(low, high, 41)[1:-1]
        scores = np.array([total_bankroll(rates, cap)[:2] for cap in caps])
        lead = scores[:, 0] - scores[:, 1]
        seen = set(np.sign(lead[np.abs(lead) > 1e-6]))
        assert len(seen) <= 1
        signs.extend(seen)
    if len(signs) == len(crossings) + 1:  # every stretch is wide enough to show its sign
        assert all(first == -second for first, second in pairwise(signs))


def test_a_stretch_of_level_caps_counts_once_at_its_start():
    # Four times the lead of 0 over 1 is 2 min(c, 100) + min(c, 300) - min(c, 200) - min(c, 400): positive
    # below 200, zero from there to 300, then negative.
    rates = np.full((5, 5), np.nan)
    rates[0, 2:], rates[1, 2:], rates[0, 1] = (100, 100, 300), (200, 0, 400), 0
    rates[2:, 0], rates[2:, 1], rates[1, 0] = -rates[0, 2:], -rates[1, 2:], 0
    assert cap_crossings(rates, 0, 1).tolist() == [200.0]
    assert cap_crossings(rates, 1, 0).tolist() == [200.0]


def test_tables_not_played_are_left_out_of_the_mean():
    rates = np.array([[np.nan, np.nan, 30.0], [np.nan, np.nan, -10.0], [-30.0, 10.0, np.nan]])
    assert total_bankroll(rates).tolist() == [30, -10, -10]


@pytest.mark.parametrize(
    ("rates", "message"),
    [
        (np.zeros((2, 3)), "shape"),
        (np.zeros((1, 1)), "shape"),
        (np.full((2, 2), np.nan), "no results"),
        (np.full((2, 2), np.inf), "infinite"),
    ],
)
def test_fields_that_cannot_be_ranked_are_refused(rates, message):
    with pytest.raises(KibitzError, match=message):
        total_bankroll(rates)


def test_a_run_off_that_runs_out_of_tables_says_in_which_round():
    rates = np.array([[np.nan, np.nan, 30.0], [np.nan, np.nan, 10.0], [-30.0, -10.0, np.nan]])
    with pytest.raises(KibitzError, match="round 1"):
        instant_runoff(rates)
    with pytest.raises(KibitzError, match="cap"):
        total_bankroll(rates, cap=-1)
