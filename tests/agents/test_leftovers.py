"""Threads that agents leave running: an error that names the agent, and never a program that does not end."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from kibitz.agents import load_agent
from kibitz.agents.faults import no_threads_left, running
from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.errors import AgentError
from kibitz.games import load_game

AGENT = """
import threading, time
from concurrent.futures import ThreadPoolExecutor

ends = threading.Event()
def work():
    ends.wait(60)

class Agent:
    name = "busy"
    def reset(self, game, seed):
        {reset}
    def act(self, state): return "c"
    def observe(self, state, position): pass
    def __del__(self):
        {at_last}
"""


@pytest.fixture
def write(tmp_path):
    """Writes an agent whose `reset` and end are given, and gives its text for `load_agent`."""

    def write(reset, at_last="pass"):
        path = tmp_path / "busy.py"
        path.write_text(AGENT.format(reset=reset, at_last=at_last))
        return f"{path}:Agent"

    return write


def play(text):
    play_duplicate(DuplicateMatch(load_game("kuhn"), (text, "always-call"), 2, 0))


@pytest.mark.parametrize(
    ("reset", "place"),
    [
        ("threading.Thread(target=work).start()", r"running at .*busy\.py:7"),
        ("ThreadPoolExecutor().submit(work)", r"running at .*busy\.py:7"),
        ("threading.Thread(target=ends.wait, args=(5,)).start()", "running"),
    ],
)
def test_a_thread_that_is_left_running_is_an_error_that_names_the_agent(write, reset, place):
    text = write(reset)
    with pytest.raises(AgentError, match=rf"busy.* left the thread '.*' {place}: .*daemon=True"):
        play(text)


@pytest.mark.parametrize(
    ("reset", "at_last"),
    [
        ("threading.Thread(target=work, daemon=True).start()", "pass"),
        ("threading.Thread(target=time.sleep, args=(0.1,)).start()", "pass"),
        ("threading.Thread(target=work).start()", "ends.set()"),
        ("self.pool = ThreadPoolExecutor(); self.pool.submit(len, ())", "pass"),
    ],
)
def test_threads_that_keep_nobody_waiting_are_welcome(write, reset, at_last):
    play(write(reset, at_last))


def test_threads_of_others_are_not_looked_at(write):
    load_agent(write("pass"))
    ends = threading.Event()
    other = threading.Thread(target=ends.wait)
    other.start()
    try:
        with no_threads_left():
            pass
        assert other in running()
    finally:
        ends.set()
        other.join()


def test_idle_threads_of_a_pool_are_not_waited_for():
    with ThreadPoolExecutor(1, thread_name_prefix="idle") as pool:
        pool.submit(len, ()).result()
        assert not {thread for thread in running() if thread.name.startswith("idle")}
