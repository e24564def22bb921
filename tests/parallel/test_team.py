"""Threads that share the tasks of a kernel: all tasks once, barriers kept, nobody left waiting."""

from signal import SIGINT, pthread_kill
from threading import Timer, main_thread

import numpy as np
import pytest
from numba import njit

from kibitz.parallel.team import STOP, Team
from kibitz.parallel.team._kernels import meet, take

TASKS = 37


@njit(nogil=True)
def count(control, size, rounds, done, early):
    """Mark every task once a round; `early` counts tasks that had been taken before the round began."""
    for r in range(rounds):
        while True:
            task = take(control, len(done))
            if task < 0:
                break
            if done[task] != r:
                early[0] += 1
            done[task] += 1
        if not meet(control, size):
            return


@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_task_is_done_once_a_round(size):
    done, early = np.zeros(TASKS, dtype=np.int64), np.zeros(1, dtype=np.int64)
    team = Team(size)
    for rounds in (3, 40):
        done[...] = 0
        team.run(lambda control, _member, rounds=rounds: count(control, size, rounds, done, early))
        assert (done == rounds).all()
    assert early[0] == 0


def test_a_member_that_fails_stops_the_others():
    done, early = np.zeros(TASKS, dtype=np.int64), np.zeros(1, dtype=np.int64)

    def work(control, member):
        if member == 1:
            raise MemoryError("no room")
        count(control, 3, 10, done, early)

    with pytest.raises(MemoryError, match="no room"):
        Team(3).run(work)


def test_an_interrupt_stops_all_members():
    done, early = np.zeros(TASKS, dtype=np.int64), np.zeros(1, dtype=np.int64)
    count(np.zeros(STOP + 8, dtype=np.int64), 1, 1, done, early)  # compiled before the clock runs
    seen = []

    def work(control, _member):
        seen.append(control)
        count(control, 2, 1_000_000_000, done, early)

    Timer(0.1, pthread_kill, (main_thread().ident, SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        Team(2).run(work)
    assert seen[0][STOP] == 1
