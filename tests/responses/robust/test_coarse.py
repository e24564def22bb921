"""Roles over coarse private states find what roles over all private states find."""

from functools import cache

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.coarse import CoarseRoles, real_game
from kibitz.responses.robust.fronts import Point, by_logarithm, tune
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.roles import SmallRoles
from kibitz.responses.robust.seats import Opponent
from kibitz.solvers.problem import Problem
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import FrequentistModel, Strategy
from kibitz.strategy.classes import lifted, summed

KEPT = ("one-bucket", "2-bucket", "3-bucket")


@cache
def leduc() -> Problem:
    return Problem(load_game("leduc"))


def coarse(*cards: str, **options: bool) -> CoarseRoles:
    return CoarseRoles(leduc(), (cards[0], cards[1], cards[2]), KEPT, **options)


def opponents(roles: CoarseRoles) -> tuple[Strategy, Strategy]:
    """A player with two buckets, over the coarse states and over all."""
    game, classes = roles.symmetric("2-bucket")
    own = Strategy.from_sums(game.layout, np.random.default_rng(3).exponential(size=game.layout.size))
    layout = leduc().vector.layout
    values = np.zeros(layout.size)
    for player in range(2):
        lifted(own.values, own.layout, layout, player, classes[player].of, values)
    return roles.at_home(own, "2-bucket"), Strategy(layout, values, {})


@pytest.mark.parametrize("cards", [("3-bucket", "2-bucket", "2-bucket"), ("2-bucket", "3-bucket", "2-bucket")])
def test_restricted_nash_responses_are_those_with_all_states(cards):
    roles = coarse(*cards)
    here, there = opponents(roles)
    method = Method("rnr", 0.6)
    found, wanted = respond(roles, here, method), respond(SmallRoles(leduc(), *cards), there, method)
    assert found.objective == pytest.approx(wanted.objective, abs=1e-9)
    # The strategies need not be the same, but by iterations they are.
    solving = Solving("dcfr", 50)
    found, wanted = respond(roles, here, method, solving), respond(SmallRoles(leduc(), *cards), there, method, solving)
    assert found.exploitation == pytest.approx(wanted.exploitation, abs=1e-9)
    assert found.exploitability == pytest.approx(wanted.exploitability, abs=1e-9)


@pytest.mark.parametrize("model", KEPT)
def test_data_biased_responses_are_those_with_all_states(model):
    cards = ("3-bucket", "3-bucket", model)
    roles, plain = coarse(*cards), SmallRoles(leduc(), *cards)
    here, there = opponents(roles)
    seen = observe(leduc().deal, there, 500, seed=1)
    counts = np.zeros(roles.home.size)
    for player in range(2):
        classes = roles._classes(KEPT, player).of
        summed(seen.counts, seen.layout, roles.home, player, classes, counts)
    method, solving = Method("dbr", 0.8), Solving("dcfr", 50)
    found = respond(roles, Opponent(here, FrequentistModel(roles.home, counts)), method, solving)
    wanted = respond(plain, Opponent(there, seen), method, solving)
    assert found.exploitation == pytest.approx(wanted.exploitation, abs=1e-9)
    assert found.exploitability == pytest.approx(wanted.exploitability, abs=1e-9)


def test_observations_are_made_with_the_coarse_states():
    roles = coarse("3-bucket", "3-bucket", "2-bucket")
    here, _there = opponents(roles)
    seen = observe(roles.home_deal, here, 400)
    assert seen.counts.sum() >= 400
    total = sum(roles.model_counts(seat, seen).counts.sum() for seat in range(2))
    assert total == seen.counts.sum()


def test_exploitability_by_few_cards_is_less_than_by_all():
    roles = coarse("3-bucket", "2-bucket", "2-bucket")
    response = respond(roles, opponents(roles)[0], Method("rnr", 0.9)).strategy
    assert sum(roles.free_losses(response)) < sum(roles.real_losses(response))
    assert coarse("3-bucket", "2-bucket", "2-bucket", is_real=False).losses(response) == roles.free_losses(response)


def test_the_real_game_measures_like_any_other():
    roles = coarse("3-bucket", "3-bucket", "2-bucket")
    response = Strategy.from_sums(roles.played, np.random.default_rng(1).exponential(size=roles.played.size))
    found = [roles.real_losses(response), roles.real_losses(response)]
    first, second = root_values(leduc().vector, real_game(leduc()).sigma, np.empty(0), best=True)
    assert found[0] == found[1] == pytest.approx((second, first))


def test_duels_are_zero_sum():
    one, other = coarse("3-bucket", "2-bucket", "2-bucket"), coarse("2-bucket", "3-bucket", "2-bucket")
    generator = np.random.default_rng(2)
    mine, theirs = (
        Strategy.from_sums(roles.played, generator.exponential(size=roles.played.size)) for roles in (one, other)
    )
    won, lost = one.duel(mine, theirs), other.duel(theirs, mine)
    assert won == pytest.approx((-lost[1], -lost[0]))
    assert won[0] != pytest.approx(won[1])


def test_fewer_responses_are_solved_where_exploitability_grows_exponentially():
    solved = []

    def solve(method: Method) -> Point:
        solved.append(method.amount)
        return Point(method.amount, 0.0, 0.0, float(np.exp(9 * method.amount)) - 1, 0.0)

    halved = list(tune(Method("dbr"), solve, 50.0))[-1]
    by_halves = len(solved)
    found = list(tune(Method("dbr"), solve, 50.0, by_logarithm))[-1]
    for point in (halved, found):
        assert 49.5 <= point.exploitability <= 50
    assert len(solved) - by_halves < by_halves


def test_an_equilibrium_that_seems_to_lose_a_rounding_error_loses_nothing():
    def solve(method: Method) -> Point:
        return Point(method.amount, 0.0, 0.0, 4e-16 + method.amount, 0.0)

    assert list(tune(Method("dbr"), solve, 0.0))[-1].amount == 0
