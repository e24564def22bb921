"""Agents as guests: what they print is not the result, and a command ends whatever they leave behind."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from kibitz.cli import main

LOUD = """
import atexit, ctypes, os, subprocess
from kibitz.agents import FrequencyAgent
print("loaded")
atexit.register(print, "at last")

class Agent:
    name = "loud"
    def __init__(self): print("made")
    def __del__(self): print("dropped")
    def reset(self, game, seed):
        os.write(1, b"raw\\n")
        subprocess.run(["echo", "child"])
        ctypes.CDLL(None).puts(b"buffered by C")
    def act(self, state):
        print("acting")
        return "c"
    def observe(self, state, position): os.sys.__stdout__.write("observing\\n")

def frequencies():
    os.write(1, b"raw\\n")
    print("making")
    return FrequencyAgent.of("frequencies", free={"call": 1}, facing={"call": 1})
"""

THREAD = """
import threading, time

def wait():
    while True: time.sleep(1)

class Agent:
    name = "busy"
    def reset(self, game, seed): threading.Thread(target=wait).start()
    def act(self, state): return "c"
    def observe(self, state, position): pass
"""

HANGING = """
import time

class Agent:
    name = "hanging"
    def reset(self, game, seed): self.hands = 0
    def act(self, state):
        if self.hands > 1: time.sleep(1000)
        return "c"
    def observe(self, state, position): self.hands += 1
"""


def run(*words, **extra):
    command = [sys.executable, "-m", "kibitz", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, **extra)


@pytest.fixture
def write(tmp_path):
    """Writes an agent, and gives its text for `load_agent`."""

    def write(text, attribute="Agent"):
        path = tmp_path / "guest.py"
        path.write_text(text)
        return f"{path}:{attribute}"

    return write


@pytest.mark.skipif(sys.platform == "win32", reason="programs and the C library of POSIX")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("options", [(), ("--executor", "processes"), ("--isolate",)], ids=" ".join)
def test_what_agents_print_goes_to_standard_error(write, options, unbuffered, monkeypatch):
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    done = run("match", write(LOUD), "random", "--game", "kuhn", "--hands", 2, "--json", *options)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["agents"] == ["loud", "random"]
    words = {"loaded", "made", "dropped", "raw", "child", "buffered by C", "acting", "observing", "at last"}
    assert words <= set(done.stderr.splitlines())


def test_so_it_does_in_other_commands(write, tmp_path):
    log, loud = tmp_path / "match.log", write(LOUD)
    game = ("--game", "kuhn")
    logged = run("match", loud, "random", *game, "--hands", 2, "--log", log)
    assert [line.split()[0] for line in logged.stdout.splitlines()] == ["loud", "random", "2"]
    called = write(LOUD, "frequencies")
    evaluated = run("hands", "luck", log, "--player", "loud", "--agent", f"loud={called}", *game, "--json")
    assert json.loads(evaluated.stdout)["hands"] == 2
    assert "making" in evaluated.stderr


def test_a_thread_that_is_left_is_an_error_and_the_command_ends(write, tmp_path):
    text, game = write(THREAD), ("--game", "kuhn", "--hands", 2)
    for words in (("--executor", "in-process"), ("--executor", "processes"), ("--log", tmp_path / "match.log")):
        done = run("match", text, "random", *game, *words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.startswith("Error: busy left the thread ")
        assert done.stderr.count("\n") == 1
    assert run("match", text, "random", *game, "--isolate").returncode == 0


@pytest.mark.parametrize("command", ["match", "tournament"])
def test_forfeits_are_told(write, command, tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.hosted.MOST_LATE", 1)  # it hangs for good
    words = (command, write(HANGING), "always-call", "--game", "kuhn", "--hands", 6, "--matches", 1)
    limited = (*words, "--time-limit", 1, "--executor", "in-process", "--out", tmp_path / "out")
    printed = CliRunner().invoke(main, [str(word) for word in limited])
    assert printed.exit_code == 0, printed.output
    assert "\nhanging forfeited 8 hands (time limit 1 s)\n" in printed.stdout
    again = CliRunner().invoke(main, [str(word) for word in (*limited, "--resume", "--json")])
    results = json.loads(again.stdout)
    assert results["forfeits"] == {"hanging": 8}
    assert results["time_limit"] == 1
    without = CliRunner().invoke(main, [str(word) for word in (*words, "--out", tmp_path / "out", "--resume")])
    assert without.exit_code == 2
    assert "its run has time_limit = 1.0, this plan has None" in without.output


def test_forfeits_of_a_logged_match_are_told(write, tmp_path, monkeypatch):
    monkeypatch.setattr("kibitz.arena.hosted.MOST_LATE", 1)
    words = ("match", write(HANGING), "random", "--game", "kuhn", "--hands", "6", "--time-limit", "1")
    printed = CliRunner().invoke(main, [*words, "--log", str(tmp_path / "match.log")])
    assert printed.exit_code == 0, printed.output
    assert "hanging forfeited 4 hands (time limit 1 s)" in printed.stdout


@pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "soon"])
def test_a_time_limit_is_a_number_of_seconds(limit):
    result = CliRunner().invoke(main, ["match", "random", "random", "--time-limit", limit])
    assert result.exit_code == 2
    assert "--time-limit" in result.output
