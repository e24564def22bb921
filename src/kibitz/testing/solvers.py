"""The contract of a solver: what everything that steps and averages keeps, whatever it solves.

>>> from kibitz.games import load_game
>>> from kibitz.solvers.problem import Problem
>>> from kibitz.solvers.registry import make_solver
>>> problem = Problem(load_game("kuhn"))
>>> check_solver(lambda: make_solver("cfr+", problem), measure_in(problem))
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from kibitz.strategy import Layout, Strategy

if TYPE_CHECKING:
    from kibitz.solvers.base import Solver
    from kibitz.solvers.problem import Problem

CLOSE = 1e-6  # probabilities may be kept in single precision
NOTHING = -1e-9  # chips: exploitability is never less, but for rounding

Make = Callable[[], "Solver"]
Measure = Callable[[Strategy], float]


def measure_in(problem: Problem) -> Measure:
    """The exploitability of strategies in their own game, chips per hand."""
    from kibitz.responses.best_response import measure

    return lambda strategy: measure(problem, strategy)[0].exploitability


def check_solver(
    make: Make, measure: Measure | None = None, iterations: int = 100, layout: Layout | None = None
) -> None:
    """Raise AssertionError, with a sentence, unless the solvers that `make` makes keep the contract of `Solver`.

    - `step` adds as many iterations as it is told; with 0 it changes nothing. In one step or in several, what comes out
      is the same, to the bit, and so it is for another solver made alike.
    - The average strategy has a probability of at least 0 for every action, and they add up to 1 at every information
      set of the layout. Its manifest tells the algorithm and the iterations. To ask for it changes nothing.
    - A solver that has restored the memory of another goes on as that one, to the bit.
    - The sums stay finite, and exploitability, where it is measured, falls and is never less than 0.

    make      makes a new solver, always the same
    measure   the exploitability of a strategy; None where there is no best response
    layout    that strategies must have; by default any
    """
    solver = make()
    name = str(solver.parameters().get("algorithm"))
    _require(name != "None", type(solver).__name__, "its parameters do not name the algorithm")
    _check_parameters(name, solver)
    start = _check_start(name, solver)
    solver.step(iterations)
    _require(solver.iteration == iterations, name, f"{iterations} steps lead to iteration {solver.iteration}")
    found = _check_average(name, solver, layout)
    for which, array in solver.arrays().items():
        _require(np.isfinite(array).all(), name, f"{which} is not finite after {iterations} iterations")
    if measure is not None:
        _check_progress(name, measure(start), measure(found))
    _check_alike(name, solver, _in_pieces(make, iterations), "in several steps, it comes to something else")
    _check_restored(name, make, solver, iterations)


def _require(kept: object, where: str, sentence: str) -> None:
    if not kept:
        raise AssertionError(f"{where}: {sentence}")


def _check_parameters(name: str, solver: Solver) -> None:
    made = solver.parameters()
    try:
        told = json.loads(json.dumps(made))
    except TypeError as error:
        raise AssertionError(f"{name}: its parameters cannot be written down ({error})") from None
    _require(told == made, name, f"its parameters {made} read back as {told}")


def _check_start(name: str, solver: Solver) -> Strategy:
    """What holds before the first iteration."""
    _require(solver.iteration == 0, name, f"a new solver is at iteration {solver.iteration}")
    before = {which: array.copy() for which, array in solver.arrays().items()}
    solver.step(0)
    _require(solver.iteration == 0, name, f"no steps lead to iteration {solver.iteration}")
    for which, array in solver.arrays().items():
        _require(np.array_equal(array, before[which]), name, f"no steps change {which}")
    return _check_average(name, solver, None)


def _check_average(name: str, solver: Solver, layout: Layout | None) -> Strategy:
    found = solver.average_strategy()
    values = found.values
    _require(values.shape == (found.layout.size,), name, f"{values.shape} probabilities: {found.layout.size} are due")
    _require(np.isfinite(values).all(), name, "probabilities that are not finite")
    _require((values >= 0).all(), name, f"a probability of {values.min()}")
    worst = max(float(np.abs(sums - 1).max()) for sums in found.layout.sums(values))
    _require(worst < CLOSE, name, f"the probabilities of an information set miss 1 by {worst:.3g}")
    if layout is not None:
        layout.check_same(found.layout)
    told = found.manifest.get("algorithm"), found.manifest.get("iterations")
    wanted = solver.parameters()["algorithm"], solver.iteration
    _require(told == wanted, name, f"the manifest tells {told[1]} iterations of {told[0]}, not {wanted[1]}")
    again = solver.average_strategy()
    _require(np.array_equal(again.values, values), name, "the average strategy changes when it is asked for")
    return found


def _check_progress(name: str, before: float, after: float) -> None:
    for exploitability in (before, after):
        _require(exploitability >= NOTHING, name, f"an exploitability of {exploitability:.6g} chips a hand")
    _require(after < before, name, f"exploitability goes from {before:.6g} to {after:.6g} chips a hand")


def _in_pieces(make: Make, iterations: int) -> Solver:
    solver = make()
    for count in (1, 0, iterations // 3, iterations - 1 - iterations // 3):
        solver.step(count)
    return solver


def _check_alike(name: str, one: Solver, two: Solver, sentence: str) -> None:
    """That two solvers remember the same and say the same."""
    first, second = one.arrays(), two.arrays()
    _require(first.keys() == second.keys(), name, f"memories {sorted(first)} and {sorted(second)}: {sentence}")
    for which, array in first.items():
        _require(np.array_equal(array, second[which]), name, f"{which}: {sentence}")
    values = [each.average_strategy().values for each in (one, two)]
    _require(np.array_equal(values[0], values[1]), name, f"average strategy: {sentence}")


def _check_restored(name: str, make: Make, solver: Solver, iterations: int) -> None:
    """That a solver goes on from the memory of another as if it had never stopped."""
    half, resumed = make(), make()
    half.step(iterations // 2)
    resumed.restore(half.iteration, {which: np.array(array) for which, array in half.arrays().items()})
    _require(resumed.iteration == half.iteration, name, f"restored, it is at iteration {resumed.iteration}")
    resumed.step(iterations - resumed.iteration)
    _check_alike(name, solver, resumed, "after a checkpoint, it comes to something else")
