"""Agents that change their style: they change where they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.agents import absolute_agent, agent_files, load_agent
from kibitz.agents.switching import SwitchingAgent
from kibitz.arena.match import play_match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, load_game
from kibitz.testing import check_agent


@given(st.integers(1, 12), st.integers(1, 12))
def test_it_changes_where_it_says(first, second):
    """Against one who calls: calls, then raises, then folds or checks."""
    text = f"switch:always-call@{first}@always-raise@{first + second}@always-fold"
    played: list[str] = []
    game = load_game("kuhn")
    agents = [load_agent("always-call"), load_agent(text)]
    play_match(game, agents, [1, 2], 30, AcpcCards(3), lambda hand, state: played.append(state.history))
    raised = ["r" in history for history in played]
    assert raised == [first <= hand < first + second for hand in range(30)]


def test_a_new_match_begins_anew():
    agent, game = load_agent("switch:always-call@2@always-raise"), load_game("kuhn")
    for _ in range(2):
        assert ["r" in history for history in histories(game, agent)] == [False, False, True, True]


def histories(game, agent):
    played: list[str] = []
    agents = [load_agent("always-call"), agent]
    play_match(game, agents, [1, 2], 4, AcpcCards(3), lambda hand, state: played.append(state.history))
    return played


def test_contract():
    check_agent("switch:tight-passive@5@loose-aggressive-bluffing", ["leduc", "holdem-nolimit-2p"], hands=20)


def test_paths_are_those_of_its_agents(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("from kibitz.agents.frequency import always_call\n")
    text = "switch:mine.py:always_call@3@always-raise"
    assert absolute_agent(text) == f"switch:{tmp_path}/mine.py:always_call@3@always-raise"
    assert [path.name for path in agent_files(text)] == ["mine.py"]
    assert load_agent(text).name == "always-call-3-always-raise"


@pytest.mark.parametrize(
    "text", ["switch:", "switch:random", "switch:random@5", "switch:random@five@random", "switch:random@-1@random"]
)
def test_refused(text):
    with pytest.raises(AgentError, match="write switch:AGENT@HANDS@AGENT"):
        load_agent(text)
    with pytest.raises(AgentError, match="one more than ascending hands"):
        SwitchingAgent([load_agent("random")] * 3, [5, 5])
    with pytest.raises(AgentError, match="one more than ascending hands"):
        load_agent("switch:random@0@random")
