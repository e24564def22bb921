"""The same results wherever the work is done."""

import math
import operator
import sys
from itertools import count, islice

import pytest

from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.arena.executors import EXECUTORS, InProcess, Processes, load_executor
from kibitz.errors import KibitzError
from kibitz.games import load_game


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


def test_ray_gives_the_same_moments(matches, expected):
    ray = pytest.importorskip("ray")
    from kibitz.arena.executors import Ray

    try:
        assert list(Ray(num_cpus=2).map(play_duplicate, matches)) == expected
    finally:
        ray.shutdown()


def test_processes_keep_the_order_and_take_tasks_as_they_go():
    # More tasks than are held ahead, and no end to them.
    assert list(islice(Processes(1).map(operator.neg, count()), 10)) == [-number for number in range(10)]


def test_an_error_of_a_task_comes_through():
    results = Processes(1).map(math.sqrt, [4, -1])
    assert next(results) == 2
    with pytest.raises(ValueError, match=r"math domain|nonnegative"):
        next(results)


def test_executors_by_name():
    assert isinstance(load_executor("in-process"), InProcess)
    assert isinstance(load_executor("processes"), Processes)
    with pytest.raises(KibitzError) as caught:
        load_executor("cloud")
    assert all(name in str(caught.value) for name in EXECUTORS)


def test_ray_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(KibitzError, match=r"kibitz\[cluster\]"):
        load_executor("ray")
