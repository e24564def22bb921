"""Hands that count for nothing, played before the clock starts."""

import subprocess
import sys
import time

import pytest

from kibitz.agents import load_agent
from kibitz.agents.remote import MOST_HANDS, warm_up
from kibitz.arena.match import play_match
from kibitz.errors import AgentError
from kibitz.games import AcpcCards, load_game

NOLIMIT = load_game("holdem-nolimit-2p")

# Counts compiled or loaded kernels, and modules, before and after the first decisions of all rounds.
FIRST_DECISIONS = """
import sys
from kibitz.agents import load_agent
from kibitz.agents.remote import Player
from kibitz.agents.remote import warm_up
from kibitz.games import load_game

name, game, warm, *lines = sys.argv[1:]

def loaded():
    kernels = 0
    for module in [module for name, module in sys.modules.items() if name.endswith("_kernels")]:
        kernels += sum(len(getattr(value, "signatures", ())) for value in vars(module).values())
    return sum(name.partition(".")[0] in ("numba", "llvmlite") or "_kernels" in name for name in sys.modules), kernels

agent, rules = load_agent(name), load_game(game)
player = Player(agent, rules, 1)
if warm == "warm":
    warm_up(agent, rules)
    player = Player(agent, rules, 1)
before = loaded()
for line in lines:
    assert player.hear(line) is not None
print(*before, *loaded())
"""
LINES = {
    "holdem-nolimit-2p": (
        "MATCHSTATE:1:0::|AsAd",
        "MATCHSTATE:1:0:cc/c:|AsAd/2c3d4h",
        "MATCHSTATE:1:0:cc/cc/c:|AsAd/2c3d4h/7h",
        "MATCHSTATE:1:0:cc/cc/cc/c:|AsAd/2c3d4h/7h/8s",
    ),
    "leduc": ("MATCHSTATE:0:0::As|", "MATCHSTATE:0:0:cc/:As|/Ks"),
}


def decide(agent, game, warm):
    words = [sys.executable, "-c", FIRST_DECISIONS, agent, game, warm, *LINES[game]]
    answer = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    modules, kernels, modules_after, kernels_after = map(int, answer.split())
    return (modules, kernels), (modules_after, kernels_after)


@pytest.mark.parametrize("game", LINES)
@pytest.mark.parametrize("agent", ["tight-aggressive", "loose-passive-bluffing"])
def test_nothing_is_loaded_or_compiled_after_it(agent, game):
    before, after = decide(agent, game, "warm")
    assert before == after


def test_without_it_the_first_decision_compiles():
    """The test above would see it."""
    before, after = decide("tight-aggressive", "holdem-nolimit-2p", "cold")
    assert before == (0, 0)
    assert min(after) > 0


@pytest.mark.parametrize("name", ["random", "example-player", "tight-aggressive-bluffing"])
def test_the_match_is_the_same(name):
    game = load_game("leduc-nolimit")
    results = []
    for warm in (False, True):
        agents = [load_agent(name), load_agent("example-player")]
        if warm:
            agents[0].reset(game, 99)
            warm_up(agents[0], game)
        results.append(play_match(game, agents, [1, 2], 50, AcpcCards(3), lambda hand, state: None).tolist())
    assert results[0] == results[1]


class Recorder:
    """Checks and calls, or does what it is told, and keeps where it acted."""

    name = "recorder"

    def __init__(self, answer="c", seconds=0.0):
        self.answer = answer
        self.seconds = seconds
        self.acted = []
        self.observed = []

    def reset(self, game, seed):
        pass

    def act(self, state):
        self.acted.append((state.player, state.round, state.to_call > 0))
        assert all(not cards for position, cards in enumerate(state.hole) if position != state.player)
        time.sleep(self.seconds)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer

    def observe(self, state, position):
        assert state.finished
        self.observed.append(position)


@pytest.mark.parametrize("name", ["holdem-nolimit-2p", "holdem-limit-3p", "kuhn", "clairvoyance", "leduc"])
def test_every_position_and_every_round(name):
    game = load_game(name)
    agent = Recorder()
    warm_up(agent, game)
    assert agent.observed[: game.players] == [*range(game.players)]
    if all(game.bettors):
        assert {round_ for _, round_, _ in agent.acted} == {*range(game.rounds)}
    assert len(agent.observed) <= MOST_HANDS


def test_whoever_never_sees_the_last_round_comes_to_an_end():
    class Folder(Recorder):
        def act(self, state):
            super().act(state)
            return "f" if state.to_call else "c"

    agent = Folder()
    warm_up(agent, load_game("holdem-nolimit-3p"))
    assert len(agent.observed) <= MOST_HANDS
    assert {position for position, _, facing in agent.acted if facing} == {0, 1, 2}  # bets meet it everywhere


def test_a_slow_thinker_is_not_made_to_play_on(monkeypatch):
    monkeypatch.setattr("kibitz.agents.remote.SLOW", 0.01)
    agent = Recorder(seconds=0.01)
    warm_up(agent, load_game("holdem-limit-3p"))
    assert len(agent.observed) == 2


@pytest.mark.parametrize("answer", [ValueError("no"), AgentError("no"), SystemExit(3), "r7", None])
def test_an_agent_that_fails_is_left_to_the_match(answer):
    agent = Recorder(answer)
    warm_up(agent, NOLIMIT)
    assert len(agent.acted) == 1


def test_whoever_wants_to_stop_may():
    with pytest.raises(KeyboardInterrupt):
        warm_up(Recorder(KeyboardInterrupt()), NOLIMIT)
