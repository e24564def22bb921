"""Compiled matches of hold'em in buckets against the engine, hand by hand."""

import numpy as np
import pytest

from kibitz.agents.implicit import ImplicitAgent, Learning
from kibitz.agents.implicit.cards import listed_cards
from kibitz.agents.implicit.tables import Table, stacked
from kibitz.agents.strategic import strategy_agent
from kibitz.arena.match import Match
from kibitz.games import AcpcCards, load_game
from kibitz.modelling.estimators import Experts
from kibitz.random import derive_seed
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

HANDS, SEED = 40, 5


@pytest.fixture(scope="module")
def players():
    """Four random strategies that fold little, so that hands reach the river."""
    problem = Problem(load_game("holdem-limit-2p"), cards="2-bucket", boards=20)
    layout, found = problem.vector.layout, []
    for seed in range(4):
        sums = np.random.default_rng(seed).gamma(0.5, size=layout.size) + 1e-6
        for node in layout.tree.decisions.tolist():
            if layout.tree.actions[int(layout.tree.first_child[node])] == "f":
                sums[layout.offset[node] : layout.offset[node] + layout.states[node]] *= 0.1
        found.append(strategy_agent(Strategy.from_sums(layout, sums, problem.describe_cards()), f"player-{seed}"))
    return found, listed_cards(problem.game, problem.sampled_deal, HANDS, AcpcCards(SEED))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    "learning", [Learning(rate=0.2), Learning(bandit="ucb1"), Learning(bandit="ucb1", estimator="imaginary")]
)
def test_compiled_matches_are_those_of_the_engine(players, learning, seat):
    (*chosen, opponent), cards = players
    experts = Experts([each.policy for each in chosen])
    agent, steps = ImplicitAgent(experts, learning), []
    agent.watch = steps.append
    seeds = [derive_seed(SEED, 0), derive_seed(SEED, 1)]
    game = experts.tree.game
    both = [agent, opponent] if seat == 0 else [opponent, agent]
    for _hand in Match(game, AcpcCards(SEED), both, seeds if seat == 0 else seeds[::-1], hands=HANDS).play_out():
        pass
    table = Table(opponent.strategy.layout, stacked([each.strategy for each in chosen]))
    found = table.play(cards, opponent.strategy.values[None], (), learning, seeds, seat)
    np.testing.assert_allclose(found.chips / game.big_blind, [step.won for step in steps])
    np.testing.assert_allclose(found.weights, [step.weights for step in steps], rtol=1e-9)
    np.testing.assert_allclose(found.estimates, [step.estimates for step in steps], rtol=1e-9, atol=1e-9)
