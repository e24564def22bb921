"""Agents with a strategy for each position."""

import pytest
from click.testing import CliRunner

from arena.dealer_thread import Table
from kibitz.agents import load_agent
from kibitz.agents.strategic import SeatedAgent, StrategyAgent
from kibitz.cli import main
from kibitz.errors import AgentError
from kibitz.games import State, load_game
from kibitz.testing import check_agent

GAME = load_game("leduc-nolimit")
LEARN = ("abstract", "bets", "leduc-nolimit", "--ranges", "2", "--extras", "1", "--iterations", "60", "--runs", "1")


def run(*arguments):
    return CliRunner().invoke(main, [*LEARN, *map(str, arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What `kibitz abstract bets --agent` leaves."""
    out = tmp_path_factory.mktemp("sizes")
    result = run("--out", out, "--agent", 100)
    assert result.exit_code == 0, result.output
    assert f"agent: {out / 'agent'}" in result.output
    return out / "agent"


def test_learnt_sizes_make_an_agent_that_loads_by_its_folder(folder):
    agent = load_agent(str(folder))
    assert isinstance(agent, SeatedAgent)
    assert agent.name == "agent"
    one, two = agent.agents
    assert one.strategy.layout.tree.fingerprint != two.strategy.layout.tree.fingerprint
    assert not one.strategy.layout.tree.menus
    check_agent(str(folder), games=["leduc-nolimit"], hands=200)


def test_settings_go_to_every_position(folder):
    agent = load_agent(f"{folder},mapping=det-geo,name=learnt")
    assert agent.name == "learnt"
    assert all(isinstance(each, StrategyAgent) for each in agent.agents)
    assert {str(each.policy.reading.mapping) for each in agent.agents} == {"det-geo"}


def test_each_position_is_played_by_its_own(folder):
    class Fixed:
        def __init__(self, action):
            self.name, self.action, self.seen = action, action, 0

        def reset(self, game, seed):
            self.seen = 0

        def act(self, state):
            return self.action

        def observe(self, state, position):
            self.seen += 1

    agent = SeatedAgent([Fixed("c"), Fixed("f")])
    agent.reset(GAME, 1)
    state = State.start(GAME)
    assert agent.act(state) == "c"
    assert agent.act(state.apply("r3")) == "f"
    agent.observe(state, 0)
    assert [each.seen for each in agent.agents] == [1, 1]
    with pytest.raises(AgentError, match="plays 2 positions, not the 3"):
        agent.reset(load_game("kuhn-3p"), 1)


def test_it_plays_over_the_dealer(folder):
    table = Table("leduc-nolimit", 60, seed=7)
    table.seat(0, str(folder), seed=1)
    table.seat(1, "random", seed=2)
    table.finish()
    assert table.error is None
    assert table.warnings == []
    assert len([line for line in table.log if line.startswith("STATE:")]) == 60


def test_sizes_that_are_there_make_an_agent_too(folder):
    again = run("--out", folder.parent, "--agent", 50, "--resume")
    assert again.exit_code == 0, again.output
    assert load_agent(str(folder)).agents[0].strategy.manifest["iterations"] == 50


def test_an_agent_needs_both_seats_and_a_folder(tmp_path):
    for arguments in (("--agent", 10), ("--agent", 10, "--seat", "0", "--out", tmp_path)):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "--agent needs --out" in result.output
