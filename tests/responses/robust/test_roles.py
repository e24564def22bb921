"""Roles with their own cards: in small games measured with all cards, in hold'em in the games of buckets."""

from functools import cache

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.methods import Solving
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.roles import BucketRoles, SmallRoles, make_roles
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy


@cache
def leduc() -> Problem:
    return Problem(load_game("leduc"))


@cache
def holdem() -> Problem:
    return Problem(load_game("holdem-limit-2p"), cards="2-bucket", boards=20)


def opponent(seed: int = 0) -> Strategy:
    layout = leduc().vector.layout
    return Strategy.from_sums(layout, np.random.default_rng(seed).exponential(size=layout.size))


@pytest.mark.parametrize("cards", [("2-bucket", "", ""), ("", "2-bucket", ""), ("", "", "2-bucket"), ("3-bucket",) * 3])
@pytest.mark.parametrize("p", [0.3, 0.8])
def test_restricted_nash_by_cfr_is_that_by_linear_program_whatever_the_cards(cards, p):
    roles = SmallRoles(leduc(), *cards)
    exact = respond(roles, opponent(), Method("rnr", p), Solving("lp"))
    found = respond(roles, opponent(), Method("rnr", p), Solving("pcfr+", 2_000))
    assert exact.objective - 2e-3 < found.objective <= exact.objective + 1e-9


def test_coarser_cards_of_ours_win_less_and_coarser_ones_of_the_opponent_let_us_hope_for_more():
    whole = respond(SmallRoles(leduc()), opponent(), Method("rnr", 0.5))
    coarse = respond(SmallRoles(leduc(), "2-bucket"), opponent(), Method("rnr", 0.5))
    weaker = respond(SmallRoles(leduc(), "", "2-bucket"), opponent(), Method("rnr", 0.5))
    assert coarse.objective < whole.objective < weaker.objective
    assert weaker.exploitability > 0  # measured with all cards


def test_models_are_averaged_by_reach():
    """A player who never tells apart what the model does not is kept as it is."""
    roles = SmallRoles(leduc(), "", "", "2-bucket")
    layout = leduc().vector.layout
    uniform = Strategy.uniform(layout)
    assert roles.model_strategy(0, uniform).values == pytest.approx(Strategy.uniform(roles.model_game(0).layout).values)
    counted = observe(leduc().deal, opponent(), 1_000)
    total = roles.model_counts(1, counted).counts.sum() + roles.model_counts(0, counted).counts.sum()
    assert total == counted.counts.sum()


@pytest.mark.parametrize("cards", ["three", "0-bucket", "IR-3"])
def test_unknown_cards_of_small_games_are_refused(cards):
    with pytest.raises(KibitzError, match="such as 3-bucket"):
        make_roles(leduc(), cards)


def test_holdem_with_cards_for_each_role():
    roles = BucketRoles(holdem(), free="one-bucket", model="one-bucket")
    calls = Strategy.always(roles.home, "r")
    assert roles.home.counts.max() == 1
    best = respond(roles, calls, Method("fbr"))
    assert best.exploitation == pytest.approx(best.objective, abs=1e-6)
    held = respond(roles, calls, Method("rnr", 0.5), Solving("cfr+", 8))
    assert held.objective <= best.objective
    assert held.strategy.layout.cards == holdem().sampled_deal.fingerprint
    # What it is sure of is what it wins and loses, in proportion.
    assert held.objective == pytest.approx(0.5 * held.exploitation - 0.5 * held.exploitability, abs=1e-3)
    counted = observe(roles.home_problem().deal, calls, 500)
    biased = respond(roles, counted, Method("dbr", 1.0, "1-step"), Solving("cfr+", 8))
    assert biased.exploitation > 0


def test_a_model_beside_the_free_opponent_is_refused_in_holdem():
    with pytest.raises(KibitzError, match="same cards for both"):
        BucketRoles(holdem(), free="one-bucket", model="2-bucket").joint_game(0)


def test_linear_programs_are_for_small_games():
    with pytest.raises(KibitzError, match="linear programs have 200,000 at most"):
        respond(holdem(), Strategy.uniform(BucketRoles(holdem()).home), Method("eps-safe", 0.1))
