"""Restricted Nash responses: the published trade-off in Leduc, and what holds against every opponent."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.responses.best_response import best_response, expected_values, exploitability
from kibitz.responses.robust import Method, respond
from kibitz.responses.robust.fronts import Point, draw_front
from kibitz.responses.robust.methods import Solving
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

# p, then objective, exploitation and exploitability in milli-antes, means of both seats: Leduc against uniform random.
UNIFORM = [
    (0, 0.00, 668.26, 0.00),
    (0.1, 87.56, 1007.60, 14.67),
    (0.2, 200.48, 1183.42, 45.25),
    (0.3, 336.95, 1386.45, 112.84),
    (0.4, 497.17, 1551.83, 205.93),
    (0.5, 696.29, 1844.95, 452.36),
    (0.6, 940.74, 1968.40, 600.75),
    (0.7, 1214.29, 2074.63, 793.17),
    (0.8, 1518.35, 2140.48, 970.18),
    (0.9, 1851.17, 2254.53, 1779.05),
    (0.95, 2097.14, 2353.75, 2778.57),
    (0.99, 2315.76, 2373.02, 3352.38),
    (1.0, 2373.61, 2373.61, 3416.67),
]


@cache
def problem(name: str) -> Problem:
    return Problem(load_game(name))


def random_strategy(name: str, seed: int) -> Strategy:
    layout = problem(name).vector.layout
    return Strategy.from_sums(layout, np.random.default_rng(seed).exponential(size=layout.size))


@pytest.mark.parametrize(("p", "objective", "exploitation", "exploitability"), UNIFORM)
def test_leduc_against_uniform_by_linear_program(p, objective, exploitation, exploitability):
    found = respond(problem("leduc"), Strategy.uniform(problem("leduc").vector.layout), Method("rnr", p))
    assert 1000 * found.objective == pytest.approx(objective, abs=0.01)
    assert found.objective == pytest.approx(p * found.exploitation - (1 - p) * found.exploitability, abs=1e-9)
    if p not in (0, 1):  # there are many equilibria, and many best responses
        assert 1000 * found.exploitation == pytest.approx(exploitation, abs=0.01)
        assert 1000 * found.exploitability == pytest.approx(exploitability, abs=0.01)


@pytest.mark.parametrize(("p", "objective"), [row[:2] for row in UNIFORM])
def test_leduc_against_uniform_by_cfr(p, objective):
    uniform = Strategy.uniform(problem("leduc").vector.layout)
    found = respond(problem("leduc"), uniform, Method("rnr", p), Solving("pcfr+", 4_000))
    assert 1000 * found.objective == pytest.approx(objective, abs=0.5)
    assert 0 <= 1000 * found.gap < 1
    assert found.objective == pytest.approx(p * found.exploitation - (1 - p) * found.exploitability, abs=1e-9)


@pytest.mark.parametrize("algorithm", ["cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+"])
def test_every_weighting_comes_near_the_linear_program(algorithm):
    opponent, method = random_strategy("kuhn", 1), Method("rnr", 0.6)
    exact = respond(problem("kuhn"), opponent, method)
    found = respond(problem("kuhn"), opponent, method, Solving(algorithm, 3_000))
    assert exact.objective - 2e-3 < found.objective <= exact.objective + 1e-12
    assert found.objective + found.gap >= exact.objective - 1e-12


def test_without_a_model_it_is_an_equilibrium_and_with_nothing_else_a_best_response():
    game, opponent = problem("leduc").vector, random_strategy("leduc", 3)
    safe, greedy = (respond(problem("leduc"), opponent, Method("rnr", p)) for p in (0, 1))
    assert exploitability(game, safe.strategy).exploitability == pytest.approx(0, abs=1e-9)
    assert expected_values(game, safe.strategy)[0] == pytest.approx(-0.0856064, abs=1e-6)
    assert greedy.exploitation == pytest.approx(best_response(game, opponent)[1].exploitability, abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(["kuhn", "leduc"]), st.integers(0, 10**6), st.data())
def test_the_front_is_monotone_and_the_objective_convex(name, seed, data):
    opponent = random_strategy(name, seed)
    # In steps that linear programs notice: a share of 1e-166 is none to them, and equilibria are many.
    drawn = data.draw(st.lists(st.integers(0, 1000), min_size=3, max_size=3, unique=True))
    shares = [each / 1000 for each in sorted(drawn)]
    low, middle, high = (respond(problem(name), opponent, Method("rnr", p)) for p in shares)
    for less, more in ((low, middle), (middle, high)):
        assert less.exploitation <= more.exploitation + 1e-7
        assert less.exploitability <= more.exploitability + 1e-7
    between = (shares[1] - shares[0]) / (shares[2] - shares[0])
    assert middle.objective <= (1 - between) * low.objective + between * high.objective + 1e-8


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan")])
def test_a_share_outside_0_to_1_is_refused(p):
    with pytest.raises(KibitzError, match="probability, from 0 to 1"):
        Method("rnr", p)


@pytest.mark.parametrize("epsilon", [0.0, 0.05, 0.3])
def test_a_safe_response_risks_no_more_than_it_may_and_wins_most_of_all_who_do(epsilon):
    opponent = random_strategy("leduc", 5)
    found = respond(problem("leduc"), opponent, Method("eps-safe", epsilon))
    assert found.exploitability <= epsilon + 1e-8
    restricted = respond(problem("leduc"), opponent, Method("rnr", 0.5))
    safe = respond(problem("leduc"), opponent, Method("eps-safe", restricted.exploitability))
    # Seats may share the risk differently; over both, nobody who risks as much wins more.
    assert found.objective == pytest.approx(found.exploitation, abs=1e-9)
    assert safe.exploitation <= respond(problem("leduc"), opponent, Method("rnr", 1)).exploitation + 1e-9


def test_iterations_do_not_depend_on_how_they_are_divided():
    from kibitz.responses.robust.respond import Run

    opponent, method = random_strategy("leduc", 2), Method("rnr", 0.4)
    whole, halves = (Run(problem("leduc"), opponent, method, Solving("dcfr", 60)) for _ in range(2))
    whole.solver.step(60)
    halves.solver.step(25)
    again = Run(problem("leduc"), opponent, method, Solving("dcfr", 60))
    again.solver.restore(25, {name: array.copy() for name, array in halves.solver.arrays().items()})
    again.solver.step(35)
    for name, array in whole.solver.arrays().items():
        assert np.array_equal(array, again.solver.arrays()[name]), name


def test_labels_of_a_front_do_not_overlap():
    points = [
        Point(p, 0.0, won, risk, 0.0) for p, won, risk in ((0, 0, 0), (0.5, 1, 1), (0.99, 2, 2), (1, 2.001, 2.02))
    ]
    (axes,) = draw_front(points, Method("rnr"), 1000, "milli-antes/hand").axes
    assert [text.get_text() for text in axes.texts] == ["1", "0.5", "0"]
