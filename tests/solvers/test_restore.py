"""The memory of every solver: all of it comes back, and two that were restored from it do not share it."""

import numpy as np
import pytest

from kibitz.games import load_game
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import ALGORITHMS, Options, make_solver

KUHN = Problem(load_game("kuhn"))


@pytest.mark.parametrize("algorithm", [name for name in ALGORITHMS if name != "cfr-br-real"])
def test_everything_comes_back(algorithm):
    solver, other = (make_solver(algorithm, KUHN, Options(seed=3)) for _ in range(2))
    solver.step(20)
    other.restore(20, {name: np.array(array) for name, array in solver.arrays().items()})
    assert other.iteration == 20
    for name, array in solver.arrays().items():
        assert other.arrays()[name].dtype == array.dtype
        assert np.array_equal(other.arrays()[name], array), name


def test_a_restored_memory_is_a_copy():
    solver, one, two = (CFR(KUHN.vector, "pcfr+") for _ in range(3))
    solver.step(7)
    memory = {name: np.array(array) for name, array in solver.arrays().items()}
    for each in (one, two):
        each.restore(7, memory)
    one.step(5)
    assert np.array_equal(two.regret, solver.regret)
    assert not np.array_equal(one.regret, two.regret)
