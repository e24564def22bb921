"""Agents in processes of their own: the same play, none of the opponent's cards, and no harm to anybody else."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from kibitz.agents import load_agent
from kibitz.agents.remote import Player
from kibitz.arena.confinement import Limits, confined, has_sandbox
from kibitz.arena.duplicate import DuplicateMatch, check_agents, play_duplicate
from kibitz.arena.hosted import HostedAgent, Hosting
from kibitz.arena.match import play_match
from kibitz.errors import AgentError, KibitzError
from kibitz.games import AcpcCards, State, load_game

KUHN, LEDUC = load_game("kuhn"), load_game("leduc")
ISOLATED = Hosting(isolate=True)
SECRET = 0xF0E1D2C3B4A5968778695A4B3C2D1E0F  # a seed as an isolated agent may have one

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
        print("found", *(cards[0] for cards in known if cards), file=sys.stderr)
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
    match = DuplicateMatch(load_game(game), agents, hands=30, seed=SECRET)
    isolated = DuplicateMatch(load_game(game), agents, hands=30, seed=SECRET, hosting=ISOLATED)
    assert play_duplicate(isolated) == play_duplicate(match)
    assert check_agents(agents, ISOLATED) == check_agents(agents)


def test_an_agent_finds_the_cards_of_others_in_one_process_but_not_in_its_own(tmp_path, capfd):
    path = tmp_path / "cheat.py"
    path.write_text(CHEAT)
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
    lines = capfd.readouterr().err.splitlines()
    assert all(str(hole[1 - hand % 2][0]) in lines[hand].split() for hand, hole in enumerate(dealt))
    with ISOLATED.made(f"{path}:Agent") as agent:
        play(agent)
    assert capfd.readouterr().err == "found\n" * 6


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
    match = DuplicateMatch(KUHN, (text, "always-call"), 3, SECRET, hosting=Hosting(time_limit=0.2))
    hanging, other = play_duplicate(match)
    assert (hanging.forfeits, other.forfeits) == (6, 0)


def test_an_agent_that_does_not_begin_is_an_error(write, monkeypatch):
    monkeypatch.setattr("kibitz.arena.hosted.START_SECONDS", 0.2)
    with pytest.raises(AgentError, match=r"clumsy\.py:Agent was being loaded for 0\.2 s"):
        HostedAgent(write("time.sleep(1000)"), Hosting(time_limit=0.1))
    monkeypatch.setattr("kibitz.arena.hosted.START_SECONDS", 20)
    agent = HostedAgent(write("def reset(self, game, seed): time.sleep(1000)"), Hosting(time_limit=0.1))
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


ESCAPE = """
import os, sys

class Agent:
    name = "escape"
    def reset(self, game, seed):
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.execvp("sleep", ["sleep", "MARK"])
            os._exit(0)
        os.wait()
        os.system("sleep MARK &")
    def act(self, state): return "c"
    def observe(self, state, position): END
"""


def sleepers(mark):
    """The processes of this machine that sleep so long."""
    return [
        line
        for line in subprocess.run(["ps", "ax"], capture_output=True, text=True).stdout.splitlines()
        if mark in line
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="the system must give orphans to a guard")
@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize("end", ["pass", "os._exit(3)", "os.kill(os.getpid(), 9)", "import time; time.sleep(1000)"])
def test_all_that_an_agent_starts_ends_with_it(tmp_path, monkeypatch, sandbox, end):
    """Also in a session of its own, when its parent is gone; however the agent itself ends."""
    without_sandbox(monkeypatch, sandbox)
    path, mark = tmp_path / "escape.py", f"60{os.getpid()}{abs(hash((sandbox, end))) % 1000}"
    path.write_text(ESCAPE.replace("MARK", mark).replace("END", end))
    with suppress(AgentError), Hosting(isolate=True, time_limit=5).made(f"{path}:Agent") as agent:
        agent.reset(KUHN, 0)
        assert len(wait_for(lambda: sleepers(f"sleep {mark}"), 2)) == 2
        if "1000" in end:
            agent._send("observe", "", State.start(KUHN)[1:], 0)
        else:
            agent.observe(State.start(KUHN), 0)
    assert not wait_for(lambda: sleepers(f"sleep {mark}"), 0)


def without_sandbox(monkeypatch, sandbox):
    """As on a system without Bubblewrap, or skip the test on one."""
    if not sandbox:
        monkeypatch.setattr("kibitz.arena.confinement.has_sandbox", lambda: False)
    elif not has_sandbox():
        pytest.skip("bwrap (Bubblewrap) does not work here")


def wait_for(found, count):
    deadline = time.monotonic() + 30
    while len(what := found()) != count and time.monotonic() < deadline:
        time.sleep(0.02)
    return what


@pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")
@pytest.mark.parametrize("sandbox", [True, False])
def test_an_agent_that_takes_all_memory_is_blamed_in_one_line(write, monkeypatch, capfd, sandbox):
    without_sandbox(monkeypatch, sandbox)
    text = write("def act(self, state):\n        hoard = []\n        while True: hoard.append(bytearray(1 << 26))")
    hosting = Hosting(isolate=True, limits=Limits(memory=1 << 30))
    with (
        pytest.raises(AgentError, match=r"^clumsy failed in hand 0: MemoryError \(.*clumsy\.py:11\)$"),
        hosting.made(text) as agent,
    ):
        play(agent)
    assert capfd.readouterr().err == ""


FORKS = """
import os, time

class Agent:
    name = "forks"
    held = bytearray(b"x") * (150 << 20)  # by all together
    def reset(self, game, seed): pass
    def act(self, state):
        for _ in range(COUNT):
            if os.fork() == 0:
                own = bytearray(b"y") * (OWN << 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(SECONDS)
        return "c"
    def observe(self, state, position): pass
"""
TOO_MUCH = r"^forks ended its process in hand 0 \(more memory, processes or threads than its limits allow\)$"


@pytest.mark.skipif(sys.platform != "linux", reason="limits are those of Linux")
@pytest.mark.parametrize("sandbox", [True, False])
def test_limits_hold_for_all_processes_of_an_agent_together(tmp_path, monkeypatch, sandbox):
    """Each of them keeps within them; root may start any number of processes as far as the system is concerned."""
    without_sandbox(monkeypatch, sandbox)
    path = tmp_path / "forks.py"
    hosting = Hosting(isolate=True, limits=Limits(memory=1 << 30, processes=8))

    def play_with(**changes):
        text = FORKS
        for name, value in changes.items():
            text = text.replace(name, str(value))
        path.write_text(text)
        with hosting.made(f"{path}:Agent") as agent:
            return play(agent, hands=1)

    assert len(play_with(COUNT=6, OWN=1, SECONDS=1.5)) == 1  # what they share counts once
    for count, own in ((6, 200), (20, 1)):
        with pytest.raises(AgentError, match=TOO_MUCH if os.getuid() == 0 or count < 8 else "BlockingIOError"):
            play_with(COUNT=count, OWN=own, SECONDS=30)


def test_in_a_sandbox_an_agent_has_no_network_no_files_and_no_seed(write, monkeypatch, tmp_path):
    without_sandbox(monkeypatch, True)
    out = tmp_path / "out"
    out.mkdir()
    told, later, beside = (out / name for name in ("checkpoint.npz", "manifest.json", "notes"))
    for each in (told, told.with_name("checkpoint.npz.0123abcd.partial"), beside):
        each.write_text("the seed")
    hosting = Hosting(isolate=True, hidden=(told, later))
    for method, message in [
        (f"open({str(tmp_path / 'new')!r}, 'w')", "Read-only file system"),
        (f"open({str(told)!r}).read()", "FileNotFoundError"),
        (f"assert os.listdir({str(out)!r}) == ['notes'], open({str(beside)!r}).read(); 1 / 0", "ZeroDivisionError"),
        (f"open({str(later)!r}, 'w')", "Read-only file system"),
        ("socket.create_connection(('192.0.2.1', 80), 5)", "Network is unreachable"),
        (f"os.kill({os.getpid()}, 0)", "No such process"),
    ]:
        with (
            pytest.raises(AgentError, match=message),
            hosting.made(write(f"def reset(self, game, seed): {method}")) as agent,
        ):
            agent.reset(KUHN, 0)


def test_hidden_files_are_hidden_before_they_are_written(tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.confinement.has_sandbox", lambda: True)
    for name in ("notes", "checkpoint.npz", "checkpoint.npz.0123abcd.partial", "checkpoint.npz2"):
        (tmp_path / name).touch()
    words = confined(["agent"], [tmp_path / "checkpoint.npz", tmp_path / "manifest.json"])
    shown = [str(tmp_path / name) for name in ("checkpoint.npz2", "notes")]
    binds = [word for each in shown for word in ("--ro-bind-try", each, each)]
    begin = words.index(str(tmp_path)) - 1
    assert words[begin:] == ["--tmpfs", str(tmp_path), *binds, "--remount-ro", str(tmp_path), "--", "agent"]


def test_an_agent_with_kernels_of_its_own_plays(tmp_path):
    """Compiled and kept where a sandbox allows it, within the limits; and so are those of Kibitz."""
    path = tmp_path / "compiled.py"
    path.write_text(COMPILED)
    with ISOLATED.made(f"{path}:Agent") as agent:
        assert play(agent).shape == (6, 2)


COMPILED = """
import numba
from kibitz.random._kernels import mix

@numba.njit(cache=True)
def double(x): return 2 * x

class Agent:
    name = "compiled"
    def reset(self, game, seed): assert double(2) == 4
    def act(self, state): return "c"
    def observe(self, state, position): pass
"""


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
