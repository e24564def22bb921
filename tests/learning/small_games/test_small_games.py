"""Gradients by enumeration, by REINFORCE and by plain recursion; learners that cycle and that converge."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from kibitz.errors import KibitzError
from kibitz.games import Deal, State, load_game
from kibitz.learning.small_games import (
    GradientPlay,
    SmallGame,
    SmallGamePlan,
    continuous_exploitability,
    cut_off_strategy,
    follow,
    solve_cut_offs,
)
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.vector import NO_RULE, REGRETS
from kibitz.solvers.vector.passes import Passes

CARDS = 3


def play(game, **settings):
    """Players of a game that is built already."""
    return GradientPlay(game, SmallGamePlan(game.name, **settings))


@pytest.fixture(scope="module")
def kuhn():
    return SmallGame.named("kuhn")


def enumerated(learner, shaping=None, to_fold=False):
    """REINFORCE's expectation in Kuhn over every deal and every sequence of actions, from the rules themselves."""
    game, rules = learner.game, load_game("kuhn")
    tree, strategy = game.vector.tree, learner.strategy_of(learner.theta)
    gradient = np.zeros(game.layout.size)
    deck = sorted(rules.deck)

    def walk(state, chance, decisions):
        node = tree.find(state.history)
        if state.finished:
            for number, (at, player, action, state_number) in enumerate(decisions):
                target = state.returns()[player]
                if to_fold:
                    target += decisions_spent[number]
                for later_at, later_player, later_action, later_state in decisions[number:]:
                    if later_player == player and shaping is not None:
                        target -= entry_of(shaping, later_at, later_action, later_state)
                block = strategy.at(at)
                for other in range(len(block)):
                    place = game.layout.offset[at] + other * CARDS + state_number
                    score = (other == action) - block[other, state_number]
                    gradient[place] += chance * target * score
            return
        player = state.player
        own = deck.index(state.hole[player][0])
        for action, text in enumerate(tree.offered(node)):
            decisions_spent.append(state.spent[player])
            walk(state.apply(text), chance * strategy.at(node)[action, own], [*decisions, (node, player, action, own)])
            decisions_spent.pop()

    def entry_of(values, node, action, own):
        return values[game.layout.offset[node] + action * CARDS + own]

    decisions_spent: list[int] = []
    for one, two in permutations(deck, 2):
        walk(State.start(rules, Deal(((one,), (two,)))), 1 / 6, [])
    return gradient


@pytest.mark.parametrize("to_fold", [False, True])
def test_reinforce_is_the_enumerated_policy_gradient_in_kuhn(kuhn, to_fold):
    """The expectation of REINFORCE, with either baseline, is the gradient of the expected result."""
    learner = play(kuhn, scale=1.0, seed=3)
    assert enumerated(learner, to_fold=to_fold) == pytest.approx(learner.gradient(), abs=1e-12)


def test_the_gradient_is_that_of_finite_differences(kuhn):
    learner = play(kuhn, scale=1.0, seed=4)
    gradient, step = learner.gradient(), 1e-6
    layout = kuhn.layout
    for node in kuhn.vector.tree.decisions:
        player = int(kuhn.vector.tree.player[node])
        for entry in range(layout.offset[node], layout.offset[node + 1]):
            ends = []
            for sign in (1, -1):
                learner.theta[entry] += sign * step
                ends.append(expected_values(kuhn.vector, learner.strategy_of(learner.theta))[player])
                learner.theta[entry] -= sign * step
            assert gradient[entry] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-8)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "uniform"])
def test_the_gradient_is_that_of_counterfactual_regrets(name):
    """Reach and regrets of the solvers' kernels give the same: reach * probability * counterfactual regret."""
    game = SmallGame.named(name, 6)
    learner = play(game, scale=0.7, seed=5)
    sigma = learner.strategy_of(learner.theta).values
    regret, average = np.zeros_like(sigma), np.zeros_like(sigma)
    passes, sums = Passes(game.vector), (regret, regret[:0], average)
    passes.down(0, sigma, sums)
    for player in range(2):
        passes.up(player, REGRETS, NO_RULE, sigma, sums)
    assert learner.gradient() == pytest.approx(regret * average, abs=1e-12)


def test_the_pull_of_the_anchor_is_part_of_the_target(kuhn):
    learner = play(kuhn, anchor="strategy", pull=0.3, scale=1.0, seed=6)
    learner.anchor = np.random.default_rng(7).normal(size=kuhn.layout.size)
    shaping = 0.3 * np.log(learner.strategy_of(learner.theta).values / learner.strategy_of(learner.anchor).values)
    assert enumerated(learner, shaping) == pytest.approx(learner.gradient(), abs=1e-12)


@pytest.mark.parametrize("settings", [{"baseline": "none"}, {"baseline": "fold"}, {"anchor": "strategy", "pull": 0.2}])
def test_sampled_hands_estimate_the_gradient(kuhn, settings):
    exact = play(kuhn, scale=1.0, seed=8, **settings)
    sampled = play(kuhn, method="reinforce", batch=20_000, scale=1.0, seed=8, **settings)
    exact.anchor[:] = sampled.anchor[:] = 0.5 * np.random.default_rng(9).normal(size=kuhn.layout.size)
    estimates = []
    for _ in range(20):
        estimates.append(sampled.gradient())
        sampled.iteration += 1
    mean, error = np.mean(estimates, axis=0), np.std(estimates, axis=0, ddof=1) / np.sqrt(20)
    assert (np.abs(mean - exact.gradient()) <= 4.5 * error + 1e-12).all()


def test_plain_self_play_cycles_and_the_anchor_converges(kuhn):
    plain = [*follow(SmallGamePlan("kuhn", steps=6_000), 60)]
    anchored = [*follow(SmallGamePlan("kuhn", steps=6_000, anchor="strategy", pull=0.1, lag=0.01), 60)]
    by_parameters = [*follow(SmallGamePlan("kuhn", steps=6_000, anchor="parameters", pull=0.02, lag=0.02), 60)]
    assert min(point.current for point in plain[30:]) > 0.05
    assert plain[-1].average < 0.02  # its average does converge
    for run in (anchored, by_parameters):
        assert max(point.current for point in run[30:]) < 0.005
        assert run[-1].value == pytest.approx(-1 / 18, abs=0.005)


def test_the_anchor_lowers_exploitability_in_leduc():
    plain = [*follow(SmallGamePlan("leduc", steps=3_000, rate=2.0), 10)][-3:]
    anchored = [*follow(SmallGamePlan("leduc", steps=3_000, rate=2.0, anchor="strategy", pull=1.0, lag=1e-4), 10)]
    assert [each.current for each in anchored[1:]] == sorted((each.current for each in anchored[1:]), reverse=True)
    assert anchored[-1].current < 0.5 < min(each.current for each in plain)


def test_the_cut_offs_of_the_uniform_game_are_an_equilibrium():
    """Von Neumann's kind of solution, with ante 1 and a bet of 1; the value is that of Kuhn, -1/18."""
    cuts = solve_cut_offs()
    assert cuts == pytest.approx((1 / 9, 2 / 3, 1 / 3, 1 / 3, 1 / 6, 1 / 2))
    game = SmallGame.named("uniform", 18)
    strategy = cut_off_strategy(game, cuts)
    assert continuous_exploitability(game, strategy).exploitability == pytest.approx(0, abs=1e-12)
    assert expected_values(game.vector, strategy)[0] == pytest.approx(-1 / 18, abs=1e-12)
    assert solve_cut_offs(pot=2, bet=2).value > cuts.value  # a larger bet needs a better number


def test_a_best_response_that_knows_its_number_wins_at_least_as_much():
    game = SmallGame.named("uniform", 7)
    learner = play(game, scale=1.0)
    fine = SmallGame.named("uniform", 7 * 60)
    strategy = learner.strategy_of(learner.theta)
    exact = continuous_exploitability(game, strategy)
    assert exact.exploitability >= exploitability(game.vector, strategy).exploitability
    repeated = np.concatenate([np.repeat(strategy.at(node), 60, axis=1).ravel() for node in game.vector.tree.decisions])
    on_grid = exploitability(fine.vector, type(strategy)(fine.layout, repeated))
    assert on_grid.responses == pytest.approx(exact.responses, abs=1e-3)


def test_a_learner_goes_on_to_the_bit(kuhn):
    plan = SmallGamePlan("kuhn", method="reinforce", anchor="strategy", batch=16, seed=2)
    whole, part, again = (GradientPlay(kuhn, plan) for _ in range(3))
    whole.step(30)
    part.step(10)
    again.restore(part.iteration, {name: array.copy() for name, array in part.arrays().items()})
    again.step(20)
    assert (again.theta == whole.theta).all()
    assert (again.anchor == whole.anchor).all()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"method": "guess"}, "method is guess: one of exact, reinforce is needed"),
        ({"rate": 0.0}, "rate is 0.0: a number above 0 is needed"),
        ({"pull": float("nan")}, "pull is nan: a number above 0"),
        ({"steps": 0}, "steps is 0: a whole number from 1"),
        ({"batch": 0}, "batch is 0: a whole number from 1"),
    ],
)
def test_settings_are_checked(settings, reason):
    with pytest.raises(KibitzError, match=reason):
        SmallGamePlan("kuhn", **settings)


def test_games_that_do_not_fit_are_refused(kuhn):
    with pytest.raises(KibitzError, match="has 3 players"):
        SmallGame.named("kuhn-3p")
    with pytest.raises(KibitzError, match="not the U"):
        continuous_exploitability(kuhn, play(kuhn).average_strategy())
    with pytest.raises(KibitzError, match="0 tiles"):
        SmallGame.named("uniform", 0)
    with pytest.raises(KibitzError, match="take a smaller rate"):
        play(kuhn, rate=1e308, anchor="parameters", pull=10.0).step(5)
