"""The passes for GPUs: their threads run one after the other on the processor, and in numba's simulator."""

import os
import subprocess
import sys

import numpy as np
import pytest

from kibitz.bet_sizing import SizeRange, Transformation
from kibitz.bet_sizing.vector import VectorBets
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.games.named import leduc_nolimit
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import Options, make_solver


class Kernel:
    """`kernel[blocks, threads, stream](...)` without a GPU: every phase of a block by all its threads in turn."""

    def __init__(self, *phases):
        self.phases = phases

    def __getitem__(self, launch):
        blocks, threads, _stream = launch

        def run(*arguments):
            for block in range(blocks):
                for phase in self.phases:
                    for lane in range(threads):
                        phase(block, lane, threads, *arguments)

        return run


@pytest.fixture
def on_processor(monkeypatch):
    """Kernels of `kibitz.solvers.gpu` made of the functions that the kernels of the GPU are made of."""
    from numba import njit

    from kibitz.solvers.compiled import gpu as compiled
    from kibitz.solvers.gpu import _kernels

    match, descend, gather, scatter, ascend, fold, won = _kernels.node_functions(njit)

    def of_node(function):
        return lambda block, lane, lanes, which, *rest: function(which[block], lane, lanes, *rest)

    def lift(block, lane, lanes, which, p, job, nodes, rounds, *rest):
        ascend(which[block], lane, lanes, p, job, nodes, rounds, *rest[:6])

    def drop(block, lane, lanes, which, p, job, nodes, rounds, *rest):
        fold(which[block], lane, lanes, p, nodes, rounds, *rest[6:], rest[2])

    def add(block, lane, lanes, slots, places, widths, reach, values, totals):
        totals[block] = won(block, lane, lanes, slots, places, widths, reach, values) + totals[block] * (lane > 0)

    kernels = (Kernel(of_node(match)), Kernel(of_node(descend)), Kernel(gather), Kernel(scatter))
    monkeypatch.setattr(compiled, "_kept", [(*kernels, Kernel(lift, drop), Kernel(add))])


@pytest.mark.parametrize(("algorithm", "alternating"), [("dcfr", True), ("cfr+", True), ("linear", False)])
def test_iterations_are_those_of_the_processor(on_processor, algorithm, alternating):
    from kibitz.solvers.gpu.cfr import GpuCFR, best_values, expected_value

    compiled = Problem(load_game("leduc"), "limit").vector
    there, here = GpuCFR(compiled, algorithm, alternating, np, threads=3), CFR(compiled, algorithm, alternating)
    for count in (1, 4):
        there.step(count)
        here.step(count)
        np.testing.assert_allclose(there.regret, here.regret, atol=1e-12)
        np.testing.assert_allclose(there.average, here.average, atol=1e-12)
    strategy = here.average_strategy()
    assert best_values(there.gpu, strategy) == pytest.approx(exploitability(compiled, strategy).responses)
    assert expected_value(there.gpu, strategy) == pytest.approx(expected_values(compiled, strategy)[0])
    there.step(1)  # measuring has not disturbed it
    here.step(1)
    np.testing.assert_allclose(there.regret, here.regret, atol=1e-12)


def test_bet_sizes_are_those_of_the_processor(on_processor):
    from kibitz.bet_sizing.gpu import GpuBets

    game = leduc_nolimit(400, 2)
    tree = Transformation(game, ((SizeRange(0.8, 1.5),), ()), ("all-in", "fcpa")).build()
    deal = Problem(game, "fcpa").deal
    there, here = GpuBets(tree, deal, arrays=np, block=2, warmup=2), VectorBets(tree, deal, warmup=2)
    there.step(3)
    here.step(3)
    there.step(2)
    here.step(2)
    np.testing.assert_allclose(there.sizes(), here.sizes(), atol=1e-12)
    assert np.ptp(here.sizes() - tree.middles) > 0.01  # they have moved
    np.testing.assert_allclose(there.sizing.table, here.sizing.table, atol=1e-9)


SIMULATED = """
import numpy as np
from kibitz.games import load_game
from kibitz.solvers.cfr import CFR
from kibitz.solvers.gpu.cfr import GpuCFR, best_values
from kibitz.responses.best_response import exploitability
from kibitz.solvers.problem import Problem
form = Problem(load_game("kuhn"), "limit").vector
there, here = GpuCFR(form, "dcfr", arrays=np, threads=2), CFR(form, "dcfr")
there.step(2), here.step(2)
np.testing.assert_allclose(there.regret, here.regret, atol=1e-12)
np.testing.assert_allclose(there.average, here.average, atol=1e-12)
found = best_values(there.gpu, here.average_strategy())
np.testing.assert_allclose(found, exploitability(form, here.average_strategy()).responses)
totals = np.zeros(2)
slots, places, widths = np.array([0, 1]), np.array([0, 2]), np.array([3, 1])
there.gpu.win(slots, places, widths, totals)
reach, values = there.gpu.reach, there.gpu.values
np.testing.assert_allclose(totals, [reach[:3] @ values[:3], reach[1] * values[2]])
"""


def test_kernels_in_the_simulator():
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SIMULATED],
        env=os.environ | {"NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_missing_gpu_is_an_error():
    from kibitz.solvers.gpu import check_gpu

    try:
        cupy = check_gpu()
    except KibitzError:
        with pytest.raises(KibitzError, match=r"kibitz\[gpu\]|GPU"):
            check_gpu()
    else:
        assert cupy.cuda.runtime.getDeviceCount() > 0


def test_predictions_do_not_run_on_a_gpu():
    from kibitz.solvers.gpu.cfr import GpuCFR

    with pytest.raises(KibitzError, match=r"pcfr\+ does not run on a GPU"):
        GpuCFR(Problem(load_game("kuhn"), "limit").vector, "pcfr+", arrays=np)


@pytest.mark.parametrize("algorithm", ["external", "pcfr+", "pcs"])
def test_only_some_solvers_run_there(algorithm):
    with pytest.raises(KibitzError, match="only cfr, cfr\\+, linear, dcfr, dcfr-3 run there"):
        make_solver(algorithm, Problem(load_game("kuhn"), "limit"), Options(device="gpu"))


def test_what_is_missing_is_said(monkeypatch):
    from kibitz.solvers.gpu import check_gpu

    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(KibitzError, match=r"pip install '\.\[gpu\]' in the project's folder"):
        check_gpu()
