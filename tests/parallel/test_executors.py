"""The same results wherever the work is done."""

import math
import operator
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from itertools import count, islice

import pytest

from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.arena.playing import DuplicatePlan
from kibitz.arena.series import Series, play_series
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.parallel import EXECUTORS, InProcess, Processes, WorkerLostError, load_executor
from kibitz.parallel.workers import advance
from kibitz.plans import Means, carry_out

PARENT = """
import operator, os, time
from functools import partial
from kibitz.parallel import Processes

if __name__ == "__main__":
    for _ in Processes(1).map(operator.call, [os.getpid, partial(time.sleep, 60)]):
        print("at work", flush=True)
"""

blocked = partial(signal.pthread_sigmask, signal.SIG_BLOCK, ()) if sys.platform != "win32" else set


@pytest.fixture(scope="module")
def matches():
    """Matches of both kinds: compiled, and one decision at a time."""
    leduc, holdem = load_game("leduc"), load_game("holdem-nolimit-2p")
    return [DuplicateMatch(leduc, ("random", "always-raise"), 50, 1, number) for number in range(3)] + [
        DuplicateMatch(holdem, ("tight-aggressive-bluffing", "example-player"), 10, 2, number) for number in range(3)
    ]


@pytest.fixture(scope="module")
def expected(matches):
    return [play_duplicate(match) for match in matches]


def test_in_process(matches, expected):
    assert list(InProcess().map(play_duplicate, matches)) == expected
    assert len(set(expected)) == len(expected)


def test_processes_give_the_same_moments(matches, expected):
    assert list(Processes(2).map(play_duplicate, matches)) == expected


def test_ray_gives_the_same_moments(matches, expected, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray")
    from kibitz.parallel import Ray

    try:
        executor = Ray(num_cpus=2)
        assert list(executor.map(play_duplicate, matches)) == expected
        with pytest.raises(KibitzError, match=r"^0 hands: a match has at least one$"):
            list(executor.map(play_duplicate, [replace(matches[0], hands=0)]))
        _check_relative_names(executor, tmp_path, monkeypatch)
    finally:
        ray.shutdown()


def _check_relative_names(executor, folder, monkeypatch):
    """The cluster was started in another folder than the one in which agents are named."""
    (folder / "mine.py").write_text("from kibitz.agents.frequency import example_player")
    monkeypatch.chdir(folder)
    series = Series(load_game("leduc"), ("mine.py:example_player", "tight-passive"), hands=20)
    assert dict(play_series(series, executor)) == dict(play_series(series))
    plan = DuplicatePlan(series.agents, "leduc", hands=20)
    *_, last = carry_out(plan, folder / "run", means=Means(executor=executor))
    assert last.artefact.made["plan"]["agents"][0] == "mine.py:example_player"  # as it was typed


def test_processes_keep_the_order_and_take_tasks_as_they_go():
    # More tasks than are held ahead, and no end to them.
    assert list(islice(Processes(1).map(operator.neg, count()), 10)) == [-number for number in range(10)]


def test_an_error_of_a_task_comes_through():
    results = Processes(1).map(math.sqrt, [4, -1])
    assert next(results) == 2
    with pytest.raises(ValueError, match=r"math domain|nonnegative"):
        next(results)


def test_a_worker_that_ends_is_one_sentence():
    with pytest.raises(WorkerLostError, match="a worker process ended"):
        list(Processes(1).map(os._exit, [0]))


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_are_born_deaf_to_interrupts():
    before = blocked()
    (inside,) = Processes(1).map(operator.call, [blocked])
    assert signal.SIGINT in inside
    assert blocked() == before


def test_unfinished_work_is_dropped_when_nobody_waits_for_it():
    results = Processes(1).map(operator.call, [os.getpid, partial(time.sleep, 60)])
    next(results)
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < 20


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(tmp_path, number):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as parent:
        assert parent.stdout.readline() == b"at work\n"
        parent.send_signal(number)
        assert parent.communicate(timeout=30)[0] == b""  # the workers held it open too


def test_progress_is_the_sum_of_all_workers(monkeypatch):
    monkeypatch.setattr("kibitz.parallel.executors.POLL", 0.01)
    heard = []
    tasks = [partial(advance, 3), partial(advance, 4), partial(time.sleep, 1)]
    assert list(Processes(2, heard.append).map(operator.call, tasks)) == [None] * 3
    assert heard == sorted(heard)
    assert heard[-1] == 7


def test_progress_that_nobody_asked_for():
    assert list(Processes(1).map(advance, [5])) == [None]
    advance(5)  # nor does it matter where there is no worker


def test_an_error_of_who_hears_of_progress_comes_through(monkeypatch):
    monkeypatch.setattr("kibitz.parallel.executors.POLL", 0.01)

    def fail(_done):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(Processes(1, fail).map(time.sleep, [60]))


def test_executors_by_name():
    assert isinstance(load_executor("in-process"), InProcess)
    assert isinstance(load_executor("processes"), Processes)
    with pytest.raises(KibitzError) as caught:
        load_executor("cloud")
    assert all(name in str(caught.value) for name in EXECUTORS)


def test_ray_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(KibitzError, match=r"pip install '\.\[cluster\]' in the project's folder"):
        load_executor("ray")
