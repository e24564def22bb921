"""Sums in fewer bytes: what the bits mean, that rounding is fair, what it costs, and that runs resume."""

from functools import cache

import numpy as np
import pytest
from click.testing import CliRunner

from kibitz.cli import main
from kibitz.errors import KibitzError
from kibitz.files import load_arrays
from kibitz.games import load_game
from kibitz.plans import carry_out
from kibitz.responses.best_response import measure
from kibitz.solvers.problem import Problem
from kibitz.solvers.registry import STORED, Options, make_solver
from kibitz.solvers.sampled import STORAGE, ChanceSampled, ExternalSampling, PureCFR
from kibitz.strategy import load_strategy
from kibitz.training.memory import peak_bytes
from kibitz.training.solving import SolvePlan

LEDUC = Problem(load_game("leduc"))
BY_DEAL = [kind.algorithm for kind in STORED]


def half(code: int, mantissa: int) -> float:
    """What 16 bits mean, in words of arithmetic: exponents from -15 on, and nothing below."""
    exponent, fraction = divmod(code, 1 << mantissa)
    return (1 + fraction / (1 << mantissa)) * 2.0 ** (exponent - 16) if exponent else 0.0


@pytest.mark.parametrize(("mantissa", "most"), [(9, 0x7FFF), (10, 0xFFFF)])
def test_sixteen_bits(mantissa, most):
    from kibitz.solvers import _kernels

    codes = [0, *range(1 << mantissa, most + 1)]
    values = [half(code, mantissa) for code in codes]
    assert [_kernels._decoded(code, mantissa) for code in codes] == values
    noise = np.random.default_rng(0).integers(1 << 63, size=len(codes), dtype=np.uint64)
    assert [_kernels._encoded(v, mantissa, most, n) for v, n in zip(values, noise, strict=True)] == codes
    assert _kernels._encoded(1e30, mantissa, most, noise[0]) == most
    assert _kernels._encoded(1e-9, mantissa, most, noise[0]) == 0
    assert values[-1] > 1e14


@pytest.mark.parametrize("kind", [np.float32, np.int16, np.uint16])
def test_rounding_is_fair(kind):
    """An addition lands beside the sum it should give, and on it in the mean."""
    from numba import njit

    from kibitz.solvers._kernels import add, read

    @njit
    def add_once(sums, amount, streams, found):
        start = sums[0]
        for i in range(len(streams)):
            sums[0] = start
            add(sums, 0, amount, streams[i])
            found[i] = read(sums, 0)

    streams = np.random.default_rng(1).integers(1 << 63, size=40_000, dtype=np.uint64)
    found = np.empty(len(streams))
    amounts = (0.3, 777.7, 1.3 * 2.0**33) + ((-0.3, -123_456.7) if kind != np.uint16 else ())
    for amount in amounts:
        add_once(np.zeros(1, kind), amount, streams, found)
        neighbours = np.unique(found)
        assert len(neighbours) == 2
        step = neighbours[1] - neighbours[0]
        assert neighbours[0] < amount < neighbours[1]
        assert step <= abs(amount) * 2.0 ** -{np.float32: 23, np.int16: 9, np.uint16: 10}[kind]
        assert found.mean() == pytest.approx(amount, abs=5 * step / np.sqrt(len(streams)))


@pytest.mark.parametrize(("storage", "start", "code"), [("single", 2**25, 2**25), ("half", 2**17, (17 + 16) << 10)])
@pytest.mark.parametrize("kind", [ExternalSampling, PureCFR])
def test_sums_never_stop_growing(kind, storage, start, code):
    """Rounded to the nearest, sums this large would not feel that 1 is added to them."""
    problem = Problem(load_game("kuhn"))
    double, short = (kind(problem.sampled, seed=1, storage=each) for each in ("double", storage))
    short.average[:] = code
    for solver in (double, short):
        solver.step(200_000)
    grown = short.average.astype(float) if storage == "single" else np.array([half(int(c), 10) for c in short.average])
    assert (grown - start).sum() == pytest.approx(double.average.sum(), rel=0.03)


@cache
def reached(algorithm, storage, iterations):
    """Exploitability of Leduc, the mean of three seeds."""
    found = []
    for seed in (1, 2, 3):
        solver = make_solver(algorithm, LEDUC, Options(seed=seed, storage=storage))
        solver.step(iterations)
        found.append(measure(LEDUC, solver.average_strategy())[0].exploitability)
    return float(np.mean(found))


@pytest.mark.parametrize("algorithm", ["external", "pure"])
def test_leduc_comes_out_as_with_doubles(algorithm):
    assert reached(algorithm, "single", 200_000) < 1.25 * reached(algorithm, "double", 200_000)
    assert reached(algorithm, "half", 200_000) < 1.75 * reached(algorithm, "double", 200_000)


@pytest.mark.parametrize("storage", STORAGE)
def test_three_players_sum_to_nothing(storage):
    problem = Problem(load_game("kuhn-3p"))
    solver = make_solver("external", problem, Options(seed=1, storage=storage))
    solver.step(100_000)
    measured, values = measure(problem, solver.average_strategy())
    assert sum(values) == pytest.approx(0, abs=1e-6)
    assert measured.exploitability < 0.03


# Every kernel once, every storage more than once: they differ in nothing that a checkpoint knows of.
@pytest.mark.parametrize(("algorithm", "storage"), [*zip(BY_DEAL, ["single", "half", "single", "half"], strict=True)])
def test_a_run_resumes_bit_for_bit(tmp_path, algorithm, storage):
    options = Options(seed=5, storage=storage)
    straight, stopped, resumed = (make_solver(algorithm, LEDUC, options) for _ in range(3))
    straight.step(3000)
    stopped.step(1234)
    np.savez(tmp_path / "c.npz", **stopped.arrays())
    resumed.restore(1234, load_arrays(tmp_path / "c.npz"))
    resumed.step(3000 - 1234)
    for name, array in straight.arrays().items():
        np.testing.assert_array_equal(array, resumed.arrays()[name])
        assert array.any()


def test_memory_falls_as_promised():
    problem = Problem(load_game("holdem-limit-3p"), cards="IR-100")
    pairs, size = problem.size.pairs, LEDUC.sampled.layout.size
    peaks = {name: peak_bytes(problem, "external", Options(storage=name)) for name in STORAGE}
    for (name, kinds), pair in zip(STORAGE.items(), (16, 8, 4), strict=True):
        solver = ChanceSampled(LEDUC.sampled, storage=name)
        assert solver.regret.nbytes + solver.average.nbytes == pair * size
        assert tuple(each.dtype for each in (solver.regret, solver.average)) == tuple(map(np.dtype, kinds))
    # The strategy is held twice when it is written, and in single precision where the sums are not double.
    assert peaks["double"] - peaks["single"] == (8 + 2 * 4) * pairs
    assert peaks["single"] - peaks["half"] == 4 * pairs


def test_a_strategy_is_left_in_single_precision(tmp_path):
    *_, last = carry_out(SolvePlan("leduc", algorithm="external", storage="half", iterations=5000), tmp_path / "run")
    strategy = load_strategy(tmp_path / "run")
    assert strategy.values.dtype == np.float32
    assert strategy.manifest["storage"] == "half"
    assert measure(LEDUC, strategy)[0].exploitability == pytest.approx(last.artefact.made["exploitability"])


def test_who_has_it():
    with pytest.raises(KibitzError, match="one of double, single, half"):
        ExternalSampling(LEDUC.sampled, storage="quarter")
    with pytest.raises(KibitzError, match="might not fit half storage"):
        ExternalSampling(LEDUC.sampled, weighting="linear", storage="half").step(10**8)
    result = CliRunner().invoke(main, ["solve", "leduc", "--storage", "half"])
    assert result.exit_code == 2
    assert "half storage with cfr+: only chance, external, outcome, pure have it" in result.output
