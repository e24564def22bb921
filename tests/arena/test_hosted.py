"""Agents in processes of their own: the same play, none of the opponent's cards, and no harm to anybody else."""

import os
import signal
import subprocess
import sys
import time

import pytest

from kibitz.agents import load_agent
from kibitz.agents.remote import Player
from kibitz.arena.duplicate import DuplicateMatch, check_agents, play_duplicate
from kibitz.arena.hosted import HostedAgent, Hosting
from kibitz.arena.match import play_match
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, load_game

KUHN, LEDUC = load_game("kuhn"), load_game("leduc")
ISOLATED = Hosting(isolate=True)

WELL_BEHAVED = """
import random
from kibitz.agents import FrequencyAgent
from kibitz.agents.rules import RuleAgent, Style

class Learner:
    name = "learner"
    def reset(self, game, seed):
        self.random, self.shown = random.Random(seed), 0
    def act(self, state):
        legal, draw = state.legal(), self.random.random()
        if legal.max_raise_to and draw < 0.3 + 0.1 * (self.shown % 3) + 0.01 * sum(state.hole[state.player]) % 0.2:
            return "r" if legal.limit else f"r{legal.min_raise_to}"
        return "f" if legal.fold and draw > 0.9 else "c"
    def observe(self, state, position):
        self.shown += sum(map(len, state.hole)) + len(state.board) + round(state.returns()[position])

def rules():
    return RuleAgent(Style(tightness=0.3, aggression=0.8, bluffing=0.4), name="rules")

def frequencies():
    return FrequencyAgent.of("frequencies", free={"call": 2, "half-pot": 1}, facing={"fold": 3, "call": 5, "pot": 2})
"""

CHEAT = """
import gc, sys
from kibitz.games import State

class Agent:
    name = "cheat"
    def reset(self, game, seed): pass
    def act(self, state):
        found, frame = set(), sys._getframe()
        while frame is not None:
            found.update(value for value in frame.f_locals.values() if isinstance(value, State))
            frame = frame.f_back
        found.update(each for each in gc.get_objects() if issubclass(type(each), State))  # isinstance asks dead proxies
        known = {each.hole[1 - state.player] for each in found if each.history == state.history and each.hole}
        with open("FOUND", "a") as file:
            print(*(cards[0] for cards in known if cards), file=file)
        return "c"
    def observe(self, state, position): pass
"""

CLUMSY = """
import ctypes, os, socket, sys, threading, time

class Agent:
    name = "clumsy"
    def reset(self, game, seed): self.hands = 0
    def act(self, state): return "c"
    def observe(self, state, position): self.hands += 1
    {method}
"""


@pytest.fixture
def write(tmp_path):
    """Writes an agent with one method of its own, which stands in line 9, and gives its text for `load_agent`."""

    def write(method, text=CLUMSY):
        path = tmp_path / "clumsy.py"
        path.write_text(text.format(method=method))
        return f"{path}:Agent"

    return write


@pytest.fixture
def well_behaved(tmp_path):
    path = tmp_path / "well_behaved.py"
    path.write_text(WELL_BEHAVED)
    return path


def play(agent, hands=6, other="always-call"):
    return play_match(KUHN, [agent, load_agent(other)], [0, 1], hands, AcpcCards(0))


@pytest.mark.parametrize(
    ("game", "own", "others"),
    [
        ("leduc", "Learner", ("random",)),
        ("holdem-nolimit-2p", "rules", ("tight-aggressive-bluffing",)),
        ("leduc-nolimit", "frequencies", ("example-player",)),
        ("kuhn-3p", "Learner", ("random", "always-raise")),
    ],
)
def test_the_results_are_those_of_agents_in_one_process(well_behaved, game, own, others):
    agents = (f"{well_behaved}:{own}", *others)
    match = DuplicateMatch(load_game(game), agents, hands=30, seed=4)
    isolated = DuplicateMatch(load_game(game), agents, hands=30, seed=4, hosting=ISOLATED)
    assert play_duplicate(isolated) == play_duplicate(match)
    assert check_agents(agents, ISOLATED) == check_agents(agents)


def test_an_agent_finds_the_cards_of_others_in_one_process_but_not_in_its_own(tmp_path):
    path, found = tmp_path / "cheat.py", tmp_path / "found"
    path.write_text(CHEAT.replace("FOUND", str(found)))
    dealt = []
    with Hosting().made(f"{path}:Agent") as agent:
        play_match(
            KUHN,
            [agent, load_agent("always-call")],
            [0, 1],
            6,
            AcpcCards(0),
            lambda hand, state: dealt.append(state.hole),
        )
    lines = found.read_text().splitlines()
    assert all(str(hole[1 - hand % 2][0]) in lines[hand].split() for hand, hole in enumerate(dealt))
    found.unlink()
    with ISOLATED.made(f"{path}:Agent") as agent:
        play(agent)
    assert found.read_text() == "\n" * 6


@pytest.mark.parametrize(
    ("method", "message"),
    [
        ("def act(self, state): return 1 / 0", r"^clumsy failed in hand 0: ZeroDivisionError: .*clumsy\.py:9\)$"),
        ("def act(self, state): raise GeneratorExit", r"^clumsy failed in hand 0: GeneratorExit .*clumsy\.py:9\)$"),
        ("def act(self, state): os._exit(0)", r"^clumsy failed in hand 0: .*os\._exit\(0\) .*clumsy\.py:9\)$"),
        ("def act(self, state): os.kill(os.getpid(), 9)", r"^clumsy ended its process in hand 0 \(signal SIGKILL\)$"),
        (
            "def observe(self, state, position): ctypes.string_at(0)",
            r"^clumsy ended its process in hand 0 \(signal SIG",
        ),
        ("def reset(self, game, seed): 1 / 0", r"^clumsy failed at the start of a match: ZeroDivision"),
        ("def __init__(self): 1 / 0", r"clumsy\.py:Agent makes no agent: ZeroDivisionError"),
        ("name = 'a\\nb'", "has the name .*control characters"),
        ("def act(self, state): return None", r"^clumsy answered None in .*: legal are"),
        ("def act(self, state): return 'f'", r"^clumsy answered 'f' in .*: legal are"),
    ],
)
def test_what_goes_wrong_in_there_is_told_with_the_name(write, method, message):
    with pytest.raises(AgentError, match=message), ISOLATED.made(write(method)) as agent:
        play(agent)


def test_answers_that_an_agent_forges_are_answers_or_errors(write):
    forge = (
        "def act(self, state):"
        " [os.write(number, {line!r}) for number in range(3, 999) if _is_socket(number)]; time.sleep(60)\n"
        "def _is_socket(number):\n"
        "    try: return socket.socket(fileno=os.dup(number)) is not None\n"
        "    except OSError: return False\n"
    )
    for line, message in [
        (b"{}\n", "which is no answer"),
        (b"[" * 9999 + b"\n", "which is no answer"),
        (b'{"answer": "\\u001b"}\n', "which is no answer"),
        (b'{"failed": "\\u001b[2J"}\n', r"^\?\[2J$"),
    ]:
        with pytest.raises(AgentError, match=message), ISOLATED.made(write(forge.format(line=line))) as agent:
            play(agent)


def test_a_hanging_agent_forfeits_all_hands_in_a_bounded_time(write):
    text = write("def act(self, state): time.sleep(1000)")
    with Hosting(time_limit=0.2).made(text) as agent:
        begun = time.monotonic()
        chips = play(agent, hands=200, other="always-raise")
        assert time.monotonic() - begun < 60
        assert agent.forfeits == 200
    assert (chips[:, 0] == -1).all()  # it folds to every bet


def test_an_agent_that_is_late_once_forfeits_a_hand_and_plays_on(write):
    late = (
        "def act(self, state):\n"
        "        time.sleep(4.0 if self.hands == 1 else 0.0)\n"
        "        return 'r' if state.legal().max_raise_to else 'c'"
    )
    with Hosting(time_limit=3.0).made(write(late)) as agent:
        histories = []
        play_match(
            KUHN, [agent, load_agent("always-call")], [0, 1], 4, AcpcCards(0), lambda _, state: histories.append(state)
        )
        assert [state.history for state in histories] == ["rc", "cc", "rc", "crc"]
        assert agent.forfeits == 1


def test_forfeits_are_counted_by_agent(write):
    text = write("def act(self, state): time.sleep(1000)")
    match = DuplicateMatch(KUHN, (text, "always-call"), 3, 0, hosting=Hosting(time_limit=0.2))
    hanging, other = play_duplicate(match)
    assert (hanging.forfeits, other.forfeits) == (6, 0)


def test_an_agent_that_does_not_begin_is_an_error(write, monkeypatch):
    monkeypatch.setattr("kibitz.arena.hosted.START_SECONDS", 0.2)
    with pytest.raises(AgentError, match=r"clumsy\.py:Agent was being loaded for 0\.2 s"):
        HostedAgent(write("time.sleep(1000)"), time_limit=0.1)
    monkeypatch.setattr("kibitz.arena.hosted.START_SECONDS", 20)
    agent = HostedAgent(write("def reset(self, game, seed): time.sleep(1000)"), time_limit=0.1)
    monkeypatch.setattr("kibitz.arena.hosted.START_SECONDS", 0.2)
    with pytest.raises(AgentError, match=r"^clumsy began a match for 0\.2 s"):
        agent.reset(KUHN, 0)
    agent.close()


def test_it_plays_behind_the_protocol(write):
    with ISOLATED.made(write("")) as agent:
        assert Player(agent, KUHN, 0).hear("MATCHSTATE:0:0::As|") == "MATCHSTATE:0:0::As|:c"


def test_only_agents_from_files_are_isolated():
    assert not Hosting().isolates("mine.py:Agent")
    assert ISOLATED.isolates("mine.py:Agent")
    assert not ISOLATED.isolates("runs/leduc,mapping=det-geo")
    with pytest.raises(KibitzError, match=r"file\.py:Class"):
        ISOLATED.isolates(lambda: load_agent("random"))


def test_processes_and_what_they_start_end_with_the_match(write, tmp_path):
    started = tmp_path / "started"
    text = write(
        "def observe(self, state, position): import subprocess; subprocess.Popen(['sleep', '600']); "
        f"open({str(started)!r}, 'w').write(str(os.getpid()))"
    )
    with ISOLATED.made(text) as agent:
        play(agent, hands=1)
        group = int(started.read_text())
        os.killpg(group, 0)
    deadline = time.monotonic() + 30
    while (alive := _is_alive(group)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive


def _is_alive(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


COMMAND = "import sys; from kibitz.cli import main; main()"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_hanging_agent_ends_with_the_command(write, number):
    text = write("def act(self, state): print('thinking', flush=True); time.sleep(1000)")
    words = ["match", text, "random", "--game", "kuhn", "--hands", "5", "--isolate"]
    with subprocess.Popen([sys.executable, "-c", COMMAND, *words], stderr=subprocess.PIPE) as command:
        while b"thinking" not in command.stderr.readline():
            pass
        command.send_signal(number)
        command.communicate(timeout=60)  # the agent holds standard error open too
    assert command.returncode == (130 if number == signal.SIGINT else -number)
