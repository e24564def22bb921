import numpy as np
import pytest

from agents.implicit.small_experts import problem, rival
from kibitz.agents import agent_files, load_agent
from kibitz.agents.exploring import ExploringAgent
from kibitz.arena.match import Match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, load_game
from kibitz.testing import check_agent


def played(agent, opponent, hands, game="leduc"):
    match = Match(load_game(game), AcpcCards(3), [agent, opponent], [1, 2], hands=hands)
    return np.array([hand.chips[0] for hand in match.play_out()])


def test_counts_are_those_of_hands_that_were_shown():
    of = problem("kuhn")
    agent, opponent = ExploringAgent(load_agent("always-call"), 10_000), rival(of)
    played(agent, opponent, 600, "kuhn")
    model, truth = agent.model, opponent.strategy
    assert model.counts.sum() >= 600  # always-call never ends a hand; the rival never faces a bet
    often = model.visits > 100
    assert often.any()
    assert np.allclose(model.strategy.values[often], truth.values[often], atol=0.12)


@pytest.mark.parametrize("p_max", [1.0, 0.9])
def test_what_was_learnt_is_used(p_max):
    agent = ExploringAgent(load_agent("probe"), 200, 100, p_max)
    chips = played(agent, load_agent("always-raise"), 500)
    assert chips[200:].mean() > chips[:200].mean() + 0.5


def test_it_keeps_the_contract_of_agents():
    check_agent("explore:probe,hands=5,refit=5", ["kuhn"], hands=20)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("explore:probe,hands=x", "hands and refit are whole numbers"),
        ("explore:probe,refit=0", "refit after at least one"),
        ("explore:probe,rate=1", "settings are hands, refit, p_max, name"),
        ("explore:probe,p_max=2", "P_max = 2"),
        ("explore:nobody", "no agent 'nobody'"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(Exception, match=message):
        load_agent(text)


def test_large_games_are_refused():
    agent = load_agent("explore:probe")
    assert agent_files("explore:probe,hands=3") == []
    with pytest.raises(AgentError, match="in small games only"):
        agent.reset(load_game("holdem-limit-2p"), 0)
    with pytest.raises(AgentError, match="has 3 players"):
        agent.reset(load_game("kuhn-3p"), 0)
