"""Vector CFR of every weighting against plain NumPy, and what holds of any strategy in any game."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import best_response, expected_values, exploitability
from kibitz.solvers.cfr import CFR, CFRBR, WEIGHTINGS
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.solvers.sequence_lp import solve_lp
from kibitz.strategy import Strategy
from kibitz.tree import build_tree
from solvers.plain_cfr import RULES, PlainCFR, flat, shares

UNEQUAL_MENUS = ("0.5, all-in", "1, all-in")


def blinded(game):
    """Leduc in which player 1 does not tell his queen from his king: a rectangle of states, made from the square."""
    whole = Problem(game, "full").deal
    rounds, merged_above = [], None
    for each in whole.rounds:
        names = [label.replace("K", "Q", 1) for label in each.labels[1]]
        kept = list(dict.fromkeys(names))
        merge = np.array([kept.index(name) for name in names])
        matrices = []
        for entries in (each.weight, each.sign):
            matrix = np.zeros((len(each.labels[0]), len(kept)))
            np.add.at(matrix.T, merge, each.dense(entries).T)
            matrices.append(matrix.ravel())
        parent = np.zeros(len(kept), dtype=np.int64)
        if merged_above is not None:
            parent[merge] = merged_above[each.parent[1]]
        merged_above = merge
        states = len(each.labels[0]), len(kept)
        rounds.append(
            RoundDeal(
                (each.labels[0], tuple(kept)),
                (each.parent[0], parent),
                (np.array([0, states[0]]), np.array([0, states[1]])),
                np.array([0, states[0] * states[1]]),
                *matrices,
            )
        )
    return MatrixDeal(game, True, tuple(rounds), "player 1 takes kings for queens")


@cache
def compiled(name):
    if name == "rectangle":
        return VectorGame(build_tree(load_game("leduc")), blinded(load_game("leduc")))
    if name == "unequal menus":
        return Problem(leduc_nolimit(8), UNEQUAL_MENUS).vector
    if name == "antes":
        return Problem(replace(leduc_nolimit(5), antes=(1, 1), name="antes"), "1, all-in").vector
    return Problem(load_game(name)).vector


GAMES = ("kuhn", "kuhn-half-street", "leduc", "unequal menus", "antes", "rectangle")


def test_the_rules_are_those_of_the_papers():
    assert WEIGHTINGS.keys() == RULES.keys()
    for name, each in WEIGHTINGS.items():
        assert (*each.discounts, each.predict) == RULES[name]


@pytest.mark.parametrize("alternating", [True, False], ids=["alternating", "simultaneous"])
@pytest.mark.parametrize("algorithm", WEIGHTINGS)
@pytest.mark.parametrize("name", GAMES)
def test_iterations_are_those_of_the_plain_algorithm(name, algorithm, alternating):
    game = compiled(name)
    plain, solver = PlainCFR(game.tree, game.deal, algorithm, alternating), CFR(game, algorithm, alternating)
    # From random regrets: at the uniform start many are zero but for rounding, and then signs are a matter of luck.
    start = np.random.default_rng(11).normal(size=game.layout.size)
    if algorithm in ("cfr+", "pcfr+"):
        start = np.maximum(start, 0)
    solver.regret[...] = start
    for node in plain.regret:
        begin, end = game.layout.offset[node], game.layout.offset[node + 1]
        plain.regret[node] = start[begin:end].reshape(plain.regret[node].shape).copy()
    for _ in range(3):
        plain.step()
    solver.step(3)
    np.testing.assert_allclose(solver.regret, flat(plain.regret, game.layout), atol=1e-10)
    np.testing.assert_allclose(solver.average, flat(plain.average, game.layout), atol=1e-10)
    played = {node: shares(average) for node, average in plain.average.items()}
    np.testing.assert_allclose(solver.average_strategy().values, flat(played, game.layout), atol=1e-9)


def test_a_wrong_rule_would_be_seen():
    """The twin tells algorithms apart that differ in one number only."""
    game = compiled("kuhn")
    found = {}
    for algorithm in WEIGHTINGS:
        plain = PlainCFR(game.tree, game.deal, algorithm)
        for _ in range(6):
            plain.step()
        found[algorithm] = flat(plain.average, game.layout)
    for one in found:
        for two in found:
            assert (one == two) == np.allclose(found[one], found[two]), (one, two)


@pytest.mark.parametrize("name", GAMES)
def test_cfr_finds_the_value_of_the_linear_program(name):
    game = compiled(name)
    solution, solver = solve_lp(game), CFR(game, "dcfr-3")
    solver.step(400)
    strategy = solver.average_strategy()
    near = 1e-3 * game.stake.max()
    assert exploitability(game, strategy).exploitability < near
    assert expected_values(game, strategy)[0] == pytest.approx(solution.value, abs=2 * near)
    first, second = exploitability(game, solution.strategy).responses
    assert first == pytest.approx(solution.value, abs=1e-8)
    assert second == pytest.approx(-solution.value, abs=1e-8)


def test_learning_against_best_responses_is_cfr_against_them():
    """Each player's regrets in cfr-br are those of plain CFR against a best response to what he plays."""
    game = compiled("leduc")
    solver = CFRBR(game)
    for _ in range(3):
        before, current = solver.regret.copy(), solver.current_strategy()
        responses, _values = best_response(game, current)
        solver.step()
        for player in range(2):
            plain = PlainCFR(game.tree, game.deal, "cfr")
            sigma = {}
            for node in plain.regret:
                own = game.tree.player[node] == player
                sigma[node] = (current if own else responses).at(node)
            plain.t = 1
            plain.values(0, player, [np.ones(int(game.deal.counts[0, p])) for p in range(2)], sigma)
            for node in plain.regret:
                if game.tree.player[node] == player:
                    begin, end = game.layout.offset[node], game.layout.offset[node + 1]
                    gained = (solver.regret - before)[begin:end]
                    np.testing.assert_allclose(gained, plain.regret[node].ravel(), atol=1e-10)


numbers = st.integers(0, 2**32 - 1)


def some_strategy(game, seed):
    """Probabilities of all kinds, 0 and 1 among them."""
    generator = np.random.default_rng(seed)
    sums = generator.exponential(size=game.layout.size) ** 3
    return Strategy.from_sums(game.layout, sums * (generator.random(game.layout.size) < 0.7))


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(GAMES), seed=numbers)
def test_nobody_gains_on_average_and_a_response_never_loses(name, seed):
    game = compiled(name)
    strategy = some_strategy(game, seed)
    first, second = expected_values(game, strategy)
    assert first == pytest.approx(-second, abs=1e-9)
    measured = exploitability(game, strategy)
    assert measured.responses[0] >= first - 1e-9
    assert measured.responses[1] >= second - 1e-9
    assert measured.exploitability >= -1e-9


@settings(max_examples=25, deadline=None)
@given(name=st.sampled_from(GAMES), seed=numbers)
def test_a_best_response_wins_what_is_said(name, seed):
    """It is pure, and played against the strategy it wins what `exploitability` promises, seat by seat."""
    game = compiled(name)
    strategy = some_strategy(game, seed)
    response, promised = best_response(game, strategy)
    assert set(np.unique(response.values).tolist()) <= {0.0, 1.0}
    owner = np.repeat(game.tree.player, game.layout.states * game.tree.children)
    for seat in range(2):
        values = np.where(owner == seat, response.values, strategy.values)
        won = expected_values(game, Strategy(game.layout, values))[seat]
        assert won == pytest.approx(promised.responses[seat], abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(name=st.sampled_from(GAMES), algorithm=st.sampled_from(list(WEIGHTINGS)), seed=numbers)
def test_regrets_stay_finite_wherever_they_begin(name, algorithm, seed):
    game = compiled(name)
    solver = CFR(game, algorithm)
    solver.regret[...] = 1e6 * np.random.default_rng(seed).normal(size=game.layout.size)
    solver.step(5)
    assert np.isfinite(solver.regret).all()
    assert np.isfinite(solver.average).all()
    assert (solver.average >= 0).all()
    assert exploitability(game, solver.average_strategy()).exploitability >= -1e-9


@settings(max_examples=20, deadline=None)
@given(name=st.sampled_from(GAMES), seed=numbers)
def test_the_value_of_the_game_lies_between_the_responses(name, seed):
    """Weak duality: no strategy of seat 1 holds seat 0 below the value, nor the other way round."""
    game = compiled(name)
    value = game_value(name)
    first, second = exploitability(game, some_strategy(game, seed)).responses
    assert first >= value - 1e-8
    assert second >= -value - 1e-8


@cache
def game_value(name):
    return solve_lp(compiled(name)).value
