"""Agents by name and from files."""

import pytest

from kibitz.agents import AGENTS, Agent, absolute_agent, load_agent
from kibitz.arena.match import play_match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, load_game

CALLER = """
class Caller:
    name = "caller"

    def reset(self, game, seed):
        self.hands = 0

    def act(self, state):
        return "c"

    def observe(self, state, position):
        self.hands += 1


def make():
    return Caller()


class Broken:
    name = "broken"


number = 3


class Red(Caller):
    name = "red\\x1b[31m"


class TwoLines(Caller):
    name = "two\\nlines"
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "my_agents.py"
    file.write_text(CALLER)
    return file


@pytest.mark.parametrize("name", AGENTS)
def test_every_name_makes_a_new_agent_of_that_name(name):
    agent = load_agent(name)
    assert isinstance(agent, Agent)
    assert agent.name == name
    assert load_agent(name) is not agent


def test_an_unknown_name_lists_the_known_ones():
    with pytest.raises(AgentError) as caught:
        load_agent("alwayscall")
    message = str(caught.value)
    assert "'alwayscall'" in message
    assert all(name in message for name in AGENTS)


def test_an_unknown_name_points_at_the_near_one():
    with pytest.raises(AgentError, match=r"^no agent 'randm' \(did you mean random\?\): "):
        load_agent("randm")
    with pytest.raises(AgentError, match=r"^no agent 'zzz': give"):
        load_agent("zzz")
    with pytest.raises(AgentError, match="the agent '' is empty"):
        load_agent("")


@pytest.mark.parametrize("attribute", ["Caller", "make"])
def test_an_agent_of_your_own_comes_from_a_file(path, attribute):
    agent = load_agent(f"{path}:{attribute}")
    assert agent.name == "caller"
    play_match(load_game("leduc"), [agent, load_agent("random")], [0, 1], 7, AcpcCards(0))
    assert agent.hands == 7


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{path}:Callers", "has no class or function 'Callers'"),
        ("{path}:number", "has no class or function 'number'"),
        ("{path}:Broken", "makes Broken, which lacks name, reset, act or observe"),
        ("{path}:Red", "my_agents.py:Red has the name 'red\\x1b[31m': a name has no line ends or control characters"),
        ("{path}:TwoLines", "my_agents.py:TwoLines has the name 'two\\nlines': a name has no line ends"),
        ("{path}x.py:Caller", "no file"),
        ("{path}", "give file.py:Class"),
    ],
)
def test_files_that_do_not_do(path, text, message):
    with pytest.raises(AgentError) as caught:
        load_agent(text.format(path=path))
    assert message in str(caught.value)


def test_rules_are_read():
    assert load_agent("rules:tightness=0.9").policy.style.tightness == 0.9
    with pytest.raises(AgentError, match="settings are"):
        load_agent("rules:tight=0.9")


def test_a_file_may_use_dataclasses(tmp_path):
    file = tmp_path / "mine.py"
    head = "from __future__ import annotations\nfrom dataclasses import dataclass\n\n@dataclass\n"
    file.write_text(head + CALLER.strip().replace('name = "caller"', 'name: str = "caller"'))
    assert load_agent(f"{file}:Caller").name == "caller"


def test_rule_agents_have_names_that_can_stand_in_a_log():
    assert not set(load_agent("rules:tightness=0.9").name) & set(" :|")


def test_names_of_files_are_made_whole_and_others_stay(tmp_path, monkeypatch):
    (tmp_path / "a,b").mkdir()
    for name in ("mine.py", "cases.parquet", "a,b/mine.py", "a,b/cases.parquet"):
        (tmp_path / name).write_text(CALLER)
    monkeypatch.chdir(tmp_path)
    assert absolute_agent("mine.py:make") == f"{tmp_path}/mine.py:make"
    assert absolute_agent("./mine.py:make") == f"{tmp_path}/mine.py:make"
    assert absolute_agent("cases.parquet,policy=majority") == f"{tmp_path}/cases.parquet,policy=majority"
    assert load_agent(absolute_agent("mine.py:make")).name == "caller"
    for text in ("random", "rules:tightness=0.5", "nobody", "other.py:make", "", f"{tmp_path}/mine.py:make"):
        assert absolute_agent(text) == text
    monkeypatch.chdir(tmp_path / "a,b")
    assert absolute_agent("mine.py:make") == f"{tmp_path}/a,b/mine.py:make"
    assert absolute_agent("cases.parquet") == "cases.parquet"  # a comma begins the settings
