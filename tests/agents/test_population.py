"""Bots of populations as agents."""

import pytest

from kibitz.agents.registry import absolute_agent, agent_files, load_agent
from kibitz.errors import AgentError, GameError
from kibitz.games import load_game
from kibitz.learning.population import load_population, save_population
from kibitz.testing import check_agent


@pytest.mark.parametrize("name", ["hs-03", "rule-b2", "sim-1", "maniac-1"])
def test_bots_keep_the_contract_of_agents(name):
    agent = load_agent(f"population:{name}")
    assert agent.name == name
    assert agent.plays(load_game("holdem-limit-2p"))
    check_agent(lambda: load_agent(f"population:{name}"), ["holdem-limit-2p", "holdem-limit-3p"], hands=30)


def test_a_bot_of_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save_population(load_population("switchable"), tmp_path / "mine.json")
    text = "population:timid-2,from=mine.json"
    assert load_agent(text).name == "timid-2"
    assert absolute_agent(text) == f"population:timid-2,from={tmp_path / 'mine.json'}"
    assert absolute_agent("population:hs-01") == "population:hs-01"
    assert [str(path) for path in agent_files(text)] == ["mine.json"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("population:hs-99", "no bot 'hs-99' in the population calibrated"),
        ("population:hs-01,from=nowhere.json", "no population nowhere.json"),
        ("population:hs-01,speed=3", "settings are from"),
    ],
)
def test_mistakes_are_told(text, said):
    with pytest.raises(AgentError, match=said):
        load_agent(text)


def test_other_games_are_refused():
    agent = load_agent("population:hs-01")
    assert not agent.plays(load_game("holdem-nolimit-2p"))
    with pytest.raises(GameError, match="limit hold'em"):
        agent.reset(load_game("holdem-nolimit-2p"), 0)
