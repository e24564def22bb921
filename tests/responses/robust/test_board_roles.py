"""Data-biased responses of hold'em whose roles have their own cards: on sampled boards, and beside the exact solver."""

from functools import cache

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.methods import Solving, confidence
from kibitz.responses.robust.observing import observe
from kibitz.responses.robust.respond import Run
from kibitz.responses.robust.roles import BucketRoles, SmallRoles
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Strategy

THREE = "PR EHS2 3-3-3-1"  # buckets that are found in a moment: those of the river would take half a minute


@cache
def problem() -> Problem:
    return Problem(load_game("holdem-nolimit-2p"), "all-in", cards=THREE, boards=300)


@cache
def roles(free: str = THREE, model: str = THREE) -> BucketRoles:
    return BucketRoles(problem(), free, model)


@cache
def counted(model: str, hands: int = 4_000) -> FrequentistModel:
    """Observations of somebody who plays at random, each bucket in its own way."""
    home = roles(model=model).home
    sums = np.random.default_rng(3).exponential(size=home.size)
    return observe(roles(model=model).home_problem().deal, Strategy.from_sums(home, sums), hands, 1)


@pytest.mark.parametrize("p_max", [0.5, 1.0])
def test_with_the_same_cards_boards_come_to_what_the_exact_solver_comes_to(p_max):
    """The exact game knows 300 boards, and sampling has 1,500 others: chips of a game with stacks of 20,000."""
    method, model = Method("dbr", p_max), counted(THREE)
    exact = respond(roles(), model, method, Solving("dcfr", 400))
    found = respond(roles(), model, method, Solving("pcs", 1_500, seed=2))
    assert exact.gap < 1
    assert found.exploitation == pytest.approx(exact.exploitation, rel=0.02)
    assert found.exploitability == pytest.approx(exact.exploitability, rel=0.05, abs=60)
    assert np.isnan(found.gap)
    # The mimic of both is the model where it is believed; its choice elsewhere was learnt on other boards.
    assert found.mimic is not None
    sure = confidence(model.visits, "linear", p_max) >= 1
    assert sure.any() == (p_max == 1.0)
    np.testing.assert_allclose(found.mimic.values[sure], model.strategy.values[sure])
    for node in roles().home.tree.decisions:
        np.testing.assert_allclose(found.mimic.at(node).sum(axis=0), 1)
    floor = confidence(model.visits, "linear", p_max) * model.strategy.values
    assert (found.mimic.values >= floor - 1e-12).all()


def test_other_cards_of_the_model_are_solved_on_boards():
    model = counted("2-bucket")
    responses = [respond(roles(model="2-bucket"), model, Method("dbr", p), Solving("auto", 600)) for p in (0, 0.9)]
    safe, greedy = responses
    assert greedy.strategy.manifest["algorithm"] == "pcs"
    assert greedy.exploitation > safe.exploitation + 100
    assert greedy.exploitability > safe.exploitability
    assert greedy.mimic is None  # it would tell apart pairs of buckets
    again = respond(roles(model="2-bucket"), model, Method("dbr", 0.9), Solving("pcs", 600, threads=2))
    np.testing.assert_array_equal(again.strategy.values, greedy.strategy.values)
    other = respond(roles(model="2-bucket"), model, Method("dbr", 0.9), Solving("pcs", 600, seed=1))
    assert not np.array_equal(other.strategy.values, greedy.strategy.values)


def test_what_was_learnt_is_kept_for_a_checkpoint():
    run = Run(roles(model="2-bucket"), counted("2-bucket"), Method("dbr", 0.5), Solving(seed=4))
    run.solver.step(3)
    assert run.solver.parameters()["seed"] == 4
    later = Run(roles(model="2-bucket"), counted("2-bucket"), Method("dbr", 0.5), Solving(seed=4))
    later.solver.restore(3, {name: array.copy() for name, array in run.solver.arrays().items()})
    for each in (run, later):
        each.solver.step(4)
    for name, array in run.solver.arrays().items():
        np.testing.assert_array_equal(later.solver.arrays()[name], array)


def test_seeds_are_told_where_there_are_any():
    assert "seed" not in Solving().describe()
    assert Solving(seed=3).describe()["seed"] == 3


@pytest.mark.parametrize(
    ("method", "algorithm", "words"),
    [
        (Method("dbr", 0.5), "dcfr", "solved on sampled boards, by pcs"),
        (Method("rnr", 0.5), "pcs", "rnr by pcs: only dbr"),
    ],
)
def test_what_boards_are_not_for(method, algorithm, words):
    with pytest.raises(KibitzError, match=words):
        Run(roles(model="2-bucket"), counted("2-bucket"), method, Solving(algorithm))


def test_an_unknown_gap_stops_nothing():
    with pytest.raises(KibitzError, match="its gap is not known"):
        Run(roles(model="2-bucket"), counted("2-bucket"), Method("dbr", 0.5), Solving(until=0.1))


def test_observations_are_needed():
    with pytest.raises(KibitzError, match="needs observations"):
        Run(roles(model="2-bucket"), Strategy.uniform(roles(model="2-bucket").home), Method("dbr", 0.5))


def test_small_games_have_no_boards_to_sample():
    leduc = Problem(load_game("leduc"))
    model = observe(leduc.deal, Strategy.uniform(leduc.vector.layout), 50)
    with pytest.raises(KibitzError, match="sampled boards are for hold'em"):
        Run(SmallRoles(leduc), model, Method("dbr", 0.5), Solving("pcs"))
