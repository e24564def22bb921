"""The closed form of half-street Kuhn poker against the general machinery: linear programs, lifting, best responses."""

import numpy as np
import pytest

from kibitz.experiments.ganzfried2013.half_street import (
    Equilibria,
    calls_of_size,
    exploitabilities,
    full_value,
    least_gain,
)
from kibitz.experiments.ganzfried2013.mappings import NAMES, TiedReading, mapping_with_ties
from kibitz.experiments.ganzfried2013.small_games import POT, calls_of_all_in, sweep
from kibitz.games.named import nolimit_kuhn
from kibitz.responses.best_response import exploitability
from kibitz.solvers.problem import Problem
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.strategy import Strategy
from kibitz.translation import lift_translated
from kibitz.tree import DECISION
from solvers.functionals import functional_range


def problem(stack: int, menu: str) -> Problem:
    return Problem(nolimit_kuhn(stack, half_street=True), menu)


def calling_nodes(coarse: Problem) -> dict[float, int]:
    """Player 2's nodes by the bet he faces."""
    tree = coarse.tree
    nodes = np.flatnonzero((tree.kind == DECISION) & (tree.player == 1))
    return {float(np.ptp(tree.spent[node])) / POT: int(node) for node in nodes}


def strategy_of(coarse: Problem, calls: dict[float, np.ndarray]) -> Strategy:
    strategy = Strategy.uniform(coarse.vector.layout)
    for bet, node in calling_nodes(coarse).items():
        strategy.at(node)[...] = (1 - calls[bet], calls[bet])
    return strategy


@pytest.mark.parametrize("stack", [1, 5, 20])
def test_value_of_the_full_game(stack):
    assert solve_lp(problem(stack, "full").vector).value / POT == pytest.approx(full_value(stack), abs=1e-12)


@pytest.mark.parametrize(("stack", "size"), [(1, 0.4), (3, 0.2), (3, 1.0), (5, 2.3), (10, 7.9)])
def test_exploitability_equals_the_lifted_strategy_s(stack, size):
    coarse, full = problem(stack, f"{size}, all-in"), problem(stack, "full")
    generator = np.random.default_rng(7)
    at_size, at_all_in = generator.random(3), generator.random(3)  # any calls will do, not only those of an equilibrium
    strategy = strategy_of(coarse, {size: at_size, float(stack): at_all_in})
    for name in NAMES.values():
        lifted = lift_translated(strategy, coarse.deal, full.vector.layout, TiedReading(name))
        exact = exploitability(full.vector, lifted).responses[0] / POT - full_value(stack)
        mapping = mapping_with_ties(name)
        ours = exploitabilities(stack, np.array([size]), at_size[None], at_all_in[None], mapping)
        assert ours[0] == pytest.approx(exact, abs=1e-12), name


def test_the_sweep_equals_the_lifted_strategies():
    stack, full = 5, problem(5, "full")
    for size, name in ((0.3, "rand-geo-1"), (1.2, "det-psharmonic"), (4.9, "det-arith"), (5.0, "rand-arith")):
        coarse = problem(stack, f"{size}, all-in")
        calls = {size: calls_of_size(np.array(size)), float(stack): calls_of_all_in(stack)}
        lifted = lift_translated(strategy_of(coarse, calls), coarse.deal, full.vector.layout, TiedReading(name))
        exact = exploitability(full.vector, lifted).responses[0] / POT - full_value(stack)
        assert sweep(stack, name)[round(10 * size) - 1] == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize(("stack", "size"), [(1, 0.4), (3, 0.4), (3, 1.0), (10, 0.7), (10, 2.5)])
def test_all_equilibria(stack, size):
    """Any linear functional of the calls ranges over the corners as over the optimal face of the linear program."""
    coarse = problem(stack, f"{size}, all-in")
    compiled, nodes = coarse.vector, calling_nodes(coarse)
    assert solve_lp(compiled).value / POT == pytest.approx(least_gain(size) / 6, abs=1e-12)
    at_size, at_all_in = Equilibria(stack, size).corners()
    generator = np.random.default_rng(3)
    for _ in range(6):
        weights = {bet: generator.normal(size=3) for bet in nodes}
        functional = np.zeros(compiled.layout.size)
        for bet, node in nodes.items():
            functional[compiled.layout.offset[node] + 3 : compiled.layout.offset[node] + 6] = weights[
                bet
            ]  # folds come first
        values = at_size @ weights[size] + at_all_in @ weights[float(stack)]
        low, high = functional_range(compiled, 1, functional)
        assert (values.min(), values.max()) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize("name", ["det-geo", "det-psharmonic", "rand-geo-1"])
@pytest.mark.parametrize(("stack", "size"), [(5, 0.4), (10, 1.0), (10, 2.0)])
def test_the_range_contains_all_mixtures_and_its_ends_are_near_some(stack, size, name):
    equilibria, mapping = Equilibria(stack, size), mapping_with_ties(name)
    at_size, at_all_in = equilibria.corners()
    shares = np.random.default_rng(1).dirichlet(np.full(len(at_size), 0.2), 4000)
    sizes = np.full(len(shares), size)
    values = exploitabilities(stack, sizes, shares @ at_size, shares @ at_all_in, mapping)
    low, high = equilibria.lowest(mapping), equilibria.highest(mapping)
    assert low - 1e-9 <= values.min() <= low + 0.01
    assert high + 1e-9 >= values.max() >= high - 0.01
