"""No-limit: one betting abstraction for a portfolio, bets translated for all experts, and one who bets the minimum."""

import numpy as np
import pytest

from agents.implicit.small_experts import experts, problem, rival, strategy
from kibitz.agents.frequency import FrequencyAgent
from kibitz.agents.implicit import ImplicitAgent, Learning
from kibitz.agents.meta import MetaAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.arena.match import Match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards
from kibitz.modelling.estimators import Experts
from kibitz.policy.strategies import StrategyPolicy

MENU, SMALL = "1, all-in", "min, 1, all-in"


def min_bettor():
    return FrequencyAgent.of("min-bettor", {"call": 1, "min": 1}, {"call": 1, "min": 1})


def meta():
    """A portfolio without small bets on its menu, and a strategy with them."""
    of, small = problem("leduc-nolimit", MENU), problem("leduc-nolimit", SMALL)
    answer = StrategyAgent(strategy(small, 5), small.sampled_deal, name="answer")
    return MetaAgent(ImplicitAgent(experts(of), Learning(rate=0.1), "portfolio"), ["min-bets"], [answer])


def played(agent, opponent, hands=80):
    """Who was to play before each hand."""
    game = problem("leduc-nolimit", MENU).game
    who = [agent.current.name]
    for _hand in Match(game, AcpcCards(3), [agent, opponent], [1, 2], hands=hands).play_out():
        who.append(agent.current.name)
    return who


def test_the_strategy_that_knows_small_bets_takes_over_from_one_who_makes_them():
    agent, told = meta(), []
    agent.agents[0].watch = told.append
    who = played(agent, min_bettor())
    first = who.index("answer")
    assert 0 < first < 10
    assert set(who[:first]) == {"portfolio"}
    assert set(who[first:]) == {"answer"}
    # The portfolio learns from its own hands, whose bets were translated, and from hands in which nobody else acted.
    assert [step.hand for step in told][:first] == list(range(first))
    assert np.isfinite([step.estimates for step in told]).all()


def test_nobody_else_is_taken_for_one():
    of = problem("leduc-nolimit", MENU)
    assert set(played(meta(), rival(of))) == {"portfolio"}  # pots and all-in
    pots = FrequencyAgent.of("pots", {"call": 1, "pot": 1}, {"call": 1, "pot": 1})
    assert set(played(meta(), pots)) == {"portfolio"}


def test_experts_of_another_menu_are_refused():
    of, small = problem("leduc-nolimit", MENU), problem("leduc-nolimit", SMALL)
    pair = [StrategyPolicy(strategy(each, 1), each.sampled_deal, name=name) for name, each in (("a", of), ("b", small))]
    with pytest.raises(
        AgentError, match=r"a has the menu 1, all-in .*, b has the menu min, 1, all-in .* one betting abs"
    ):
        Experts(pair)


def test_a_min_bettor_is_exploited_by_the_expert_that_meets_it():
    """A static mixture and one that learns, in the same hands: the weights move, and only of the learner."""
    of = problem("leduc-nolimit", MENU)
    final = []
    for learning in (Learning(rate=0.2), Learning(bandit="static")):
        agent = ImplicitAgent(experts(of), learning)
        for _hand in Match(of.game, AcpcCards(5), [agent, min_bettor()], [1, 2], hands=300).play_out():
            pass
        final.append(agent.weights())
    assert final[0].max() > 0.5
    assert (final[1] == 1 / 3).all()
