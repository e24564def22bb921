from shutil import rmtree

import numpy as np
import pytest

from agents.implicit.small_experts import problem, rival, strategy
from kibitz.agents import agent_files, load_agent
from kibitz.agents.explicit import ExplicitAgent
from kibitz.arena.match import Match
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, Deal, State
from kibitz.plans import carry_out
from kibitz.policy.strategies import StrategyPolicy
from kibitz.portfolios import PortfolioPlan
from kibitz.responses.best_response import best_response
from kibitz.testing import check_agent


def models(of, count=3):
    return [StrategyPolicy(strategy(of, seed), of.sampled_deal, name=f"model-{seed}") for seed in range(count)]


def played(agent, opponent, hands, seed=3):
    of = problem("leduc")
    match = Match(of.game, AcpcCards(seed), [agent, opponent], [1, 2], hands=hands)
    return np.array([hand.chips[0] for hand in match.play_out()])


@pytest.mark.parametrize("response", ["bayes", "map", "thompson"])
def test_the_right_model_is_found_and_beaten(response):
    of = problem("leduc")
    agent = ExplicitAgent(models(of), response)
    chips = played(agent, rival(of, 1), 300)
    assert agent.posterior.argmax() == 1
    assert agent.posterior.max() > 0.99
    value = sum(best_response(of.vector, strategy(of, 1))[1].responses) / 2
    assert abs(chips[50:].mean() - value) < 4 * chips.std() / np.sqrt(250)


def test_it_keeps_the_contract_of_agents():
    of = problem("kuhn")
    check_agent(lambda: ExplicitAgent(models(of), "thompson"), ["kuhn"], hands=20)


def test_likelihoods_by_hand():
    """Kuhn: the opponent bets and we fold, so that its card is one of two."""
    of = problem("kuhn")
    agent = ExplicitAgent(models(of), "map", 0.0)
    agent.reset(of.game, 0)
    low, middle, high = sorted(of.game.deck)
    start = State.start(of.game, Deal(((middle,), (high,)), ()))
    state = start.play("crf")
    agent.observe(state.seen_by(0), 0)
    node = of.tree.find("c")
    expected = []
    for model in agent.models.policies:
        bets = [model.strategy.at(node)[1, of.sampled_deal.state(1, 0, (card,), ())] for card in (low, high)]
        expected.append(np.mean(bets))
    assert np.allclose(agent.posterior, np.array(expected) / sum(expected))
    shown = start.play("crc")
    agent.reset(of.game, 0)
    agent.observe(shown.seen_by(0), 0)
    bets = [model.strategy.at(node)[1, of.sampled_deal.state(1, 0, (high,), ())] for model in agent.models.policies]
    assert np.allclose(agent.posterior, np.array(bets) / sum(bets))


def test_a_model_that_is_refuted_is_gone_unless_there_is_a_floor():
    of = problem("kuhn")
    layout = of.vector.layout
    calls = StrategyPolicy(type(strategy(of, 0)).always(layout, "c"), of.sampled_deal, name="calls")
    state = State.start(of.game, Deal(((of.game.deck[0],), (of.game.deck[1],)), ())).play("crf").seen_by(0)
    for floor, least in ((0.0, 0.0), (1e-3, 1e-4)):
        agent = ExplicitAgent([calls, *models(of, 1)], "bayes", floor)
        agent.reset(of.game, 0)
        agent.observe(state, 0)
        assert (agent.posterior[0] == 0) == (floor == 0)
        assert agent.posterior[0] >= least
    alone = ExplicitAgent([calls], "bayes", 0.0)
    alone.reset(of.game, 0)
    alone.observe(state, 0)  # all are refuted: nothing is learnt
    assert alone.posterior.tolist() == [1.0]


def test_by_the_folder_of_a_portfolio(tmp_path):
    out = tmp_path / "mine"
    list(carry_out(PortfolioPlan(("a=always-call", "b=always-raise"), game="kuhn"), out))
    agent = load_agent(f"explicit:{out},response=map,floor=0.01")
    assert (agent.name, agent.models.names, agent.floor) == ("mine-map", ("a", "b"), 0.01)
    assert set(agent_files(f"explicit:{out}")) == set(agent_files(str(out)))
    for text, message in (
        ("response=best", "response 'best': one of bayes, map, thompson"),
        ("floor=x", "floor=x in .*: a number is needed"),
        ("floor=2", "floor = 2: a likelihood"),
        ("rate=1", "settings are response, floor, name"),
    ):
        with pytest.raises(AgentError, match=message):
            load_agent(f"explicit:{out},{text}")
    rmtree(out / "experts" / "b" / "mimic")
    with pytest.raises(KibitzError, match=r"the model of b in .* cannot be used"):
        load_agent(f"explicit:{out}")
