"""A series that is being played: rates and curves so far."""

import pytest

from kibitz.arena.live import order_so_far, rate_curve, rates_so_far
from kibitz.arena.series import Series, play_series
from kibitz.arena.standings import Standings, rate_of
from kibitz.games import load_game

FIELD = ("random", "always-call", "always-raise")
SERIES = Series(load_game("kuhn"), FIELD, hands=10, matches=7, seed=4)


@pytest.fixture(scope="module")
def outcomes():
    return dict(play_series(SERIES))


def test_at_the_end_rates_are_those_of_the_standings(outcomes):
    rates = rates_so_far(SERIES, outcomes)
    standings = Standings(SERIES, outcomes)
    assert rates == standings.estimates
    best = max(range(3), key=lambda agent: standings.bankrolls[agent])
    assert order_so_far(SERIES, rates)[0] == best


def test_before_the_end_only_what_was_played_counts(outcomes):
    some = {key: each for key, each in outcomes.items() if key[0] == (0, 1) and key[1] < 2}
    rates = rates_so_far(SERIES, some)
    assert [*rates] == [(0, 1)]
    assert rates[0, 1][0].samples == 20
    assert order_so_far(SERIES, rates)[2] == 2
    assert rates_so_far(SERIES, {}) == {}
    assert rate_curve(SERIES, {}, (0, 1)) == []


def test_a_curve_has_the_rate_after_every_match(outcomes):
    points = rate_curve(SERIES, outcomes, (0, 2))
    assert [point.hands for point in points] == [20 * match for match in range(1, 8)]
    for end, point in enumerate(points, 1):
        for seat in range(2):
            assert point.rates[seat] == rate_of(SERIES.game, [outcomes[(0, 2), match][seat] for match in range(end)])
    thin = rate_curve(SERIES, outcomes, (0, 2), most=3)
    assert [point.hands for point in thin] == [20, 80, 140]
    assert thin[-1] == points[-1]


def test_tables_of_many_take_matches_as_samples():
    series = Series(load_game("holdem-limit-6p"), ("always-call",) * 5 + ("random",), hands=3, matches=4, seed=1)
    played = dict(play_series(series))
    points = rate_curve(series, played, (0, 1, 2, 3, 4, 5))
    assert points[-1].rates == Standings(series, played).estimates[0, 1, 2, 3, 4, 5]
