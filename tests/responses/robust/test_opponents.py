"""Opponents as strategies of a compiled game: what they would do, in every state."""

from functools import cache

import numpy as np
import pytest

from kibitz.agents import load_agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import AgentError
from kibitz.games import load_game
from kibitz.policy import policy_of
from kibitz.policy.hands import decisions
from kibitz.responses.best_response import expected_values
from kibitz.responses.robust.opponents import opponent_strategy
from kibitz.solvers.problem import Problem
from kibitz.solvers.restricted import owner_mask
from kibitz.strategy import Strategy


@cache
def problem(name: str, menu: str = "full", suits_merged: bool = True) -> Problem:
    return Problem(load_game(name), menu, suits_merged)


def random_strategy(of: Problem, seed: int) -> Strategy:
    layout = of.vector.layout
    return Strategy.from_sums(layout, np.random.default_rng(seed).exponential(size=layout.size))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_random_is_uniform_where_bets_have_one_size(name):
    found = opponent_strategy(policy_of(load_agent("random")), problem(name))
    assert found.values == pytest.approx(Strategy.uniform(problem(name).vector.layout).values)


@pytest.mark.parametrize("agent", ["tight-passive", "loose-aggressive-bluffing", "always-call"])
@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc-nolimit"])
def test_what_an_agent_does_with_each_hand(agent, name):
    of = problem(name, "full" if name != "leduc-nolimit" else "0.75, 1, all-in")
    policy = policy_of(load_agent(agent))
    try:
        found = opponent_strategy(policy, of)
    except AgentError as error:
        assert name == "leduc-nolimit"
        assert "give menus with all its bets" in str(error)  # noqa: PT017 - raises for some only
        return
    game, tree = of.game, of.tree
    for node, state in decisions(tree):
        board = game.deck[-1:] if tree.round[node] else ()
        for card in game.deck[:-1]:
            hand = np.array([[card]], dtype=np.uint8)
            chances = policy.probabilities(state, hand, board)[:, 0]
            first = int(tree.first_child[node])
            wanted = dict.fromkeys(tree.actions[first : first + int(tree.children[node])], 0.0)
            for action, chance in zip(policy.actions(state), chances, strict=True):
                if chance:
                    wanted[action.text] += chance
            own = of.sampled_deal.state(int(tree.player[node]), int(tree.round[node]), (card,), board)
            assert found.at(node)[:, own].tolist() == pytest.approx(list(wanted.values())), (node, card)


@pytest.mark.parametrize("seat", [0, 1])
def test_suits_are_merged_by_reach(seat):
    """Against one who does not tell suits apart either, it wins the same."""
    kept, merged = problem("leduc", suits_merged=False), problem("leduc")
    told = random_strategy(kept, 1)
    policy = StrategyAgent(told, kept.sampled_deal).policy
    found = opponent_strategy(policy, merged)
    values = []
    for game, strategy in ((kept.vector, told), (merged.vector, found)):
        rival = Strategy.uniform(game.layout)
        both = np.where(owner_mask(game.layout, seat), strategy.values, rival.values)
        values.append(expected_values(game, Strategy(game.layout, both)))
    assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_a_strategy_of_the_same_game_comes_as_it_is():
    strategy = random_strategy(problem("leduc"), 2)
    found = opponent_strategy(StrategyAgent(strategy, problem("leduc").sampled_deal).policy, problem("leduc"))
    assert np.array_equal(found.values, strategy.values)


def test_a_strategy_with_other_menus_is_refused():
    fcpa = problem("leduc-nolimit", "fcpa")
    policy = StrategyAgent(random_strategy(fcpa, 0), fcpa.sampled_deal, name="mine").policy
    with pytest.raises(AgentError, match=r"mine has the menus .* the opponent's own bets"):
        opponent_strategy(policy, problem("leduc-nolimit", "0.5, all-in"))
