"""Exact equilibria by linear programming over the sequence form.

Player 0's plan x is optimal when the best answer to it, itself a linear program over player 1's plans, is worth as much
as possible. The dual of that answer has one variable q per information set of player 1, and both levels become one:

    maximise q(0)   subject to   E x = e,   F' q <= A' x,   x >= 0            (Koller, Megiddo and von Stengel 1996)

with A the payoffs, E and F the constraints of the players' plans. The multipliers of F' q <= A' x are player 1's plan.
Before it is solved, the program is reduced by its symmetries, exactly (see `linear_program`): Leduc with the suits kept
is solved for all its 936 information sets at little more than the price of 288.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kibitz.errors import KibitzError
from kibitz.solvers.base import StepwiseSolver
from kibitz.solvers.compiled.sequences import SequenceForm, sequence_form
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.linear_program import LinearProgram
from kibitz.solvers.vector.passes import root_values
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
EXACT = 1e-9  # how exploitable, as a share of the largest stake, an exact solution may be


@dataclass(frozen=True, eq=False)
class LPSolution:
    """An equilibrium of a two-player game, symmetric where the game is.

    value     chips per hand to seat 0
    strategy  of both seats, uniform where their own play does not reach; exploitability is in its manifest
    plan      float64[layout.size]: the realisation plans of both seats (see `sequence_form`)
    """

    value: float
    strategy: Strategy
    plan: Floats


def solve_lp(compiled: VectorGame) -> LPSolution:
    """An exact equilibrium of a game, both seats by one linear program."""
    matrices = sequence_form(compiled)
    optimum = plan_program(matrices, 0).solve()
    plan = np.empty(compiled.layout.size)
    plan[matrices.entries[0]] = optimum.variables[1 : matrices.payoff.shape[0]]
    plan[matrices.entries[1]] = -optimum.multipliers[1 : matrices.payoff.shape[1]]
    plan = np.maximum(plan, 0.0)  # rounding leaves a few entries a hair below 0
    strategy = Strategy.from_sums(compiled.layout, plan, {"algorithm": "sequence-form linear program"})
    strategy.manifest["exploitability"] = _checked_exploitability(compiled, strategy)
    return LPSolution(0.0 - optimum.cost, strategy, plan)


class SequenceLP(StepwiseSolver):
    """The linear program as a solver: its first iteration finds the equilibrium, and more change nothing."""

    def __init__(self, compiled: VectorGame) -> None:
        self.compiled = compiled
        self._plan: Floats = np.zeros(compiled.layout.size)

    def step(self, count: int = 1) -> None:
        """Solve it, unless that is done; with 0, only get ready."""
        if not count:
            sigma = Strategy.uniform(self.compiled.layout).values
            root_values(self.compiled, sigma, np.empty(0), best=True)  # loads the kernels that check a solution
        elif not self.iteration:
            self._plan = solve_lp(self.compiled).plan
        self.iteration += count

    def average_strategy(self) -> Strategy:
        """The equilibrium."""
        return Strategy.from_sums(self.compiled.layout, self._plan, self.manifest())

    def parameters(self) -> dict[str, Any]:
        """What the solver was made with."""
        return {"algorithm": "sequence-form linear program"}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The realisation plans of both seats."""
        return {"plan": self._plan}


def plan_program(matrices: SequenceForm, player: int) -> LinearProgram:
    """The program of one player's optimal plans: his sequences (x >= 0), then the other's information sets (q, free).

    The rows are F' q - A' x <= 0, one per sequence of the other, and then E x = (1, 0, ..., 0). The cost is -q(0).
    """
    payoff = matrices.payoff.T if player == 0 else -matrices.payoff
    own, other = matrices.constraints[player], matrices.constraints[1 - player]
    (infosets, sequences), (answers, uppers) = own.shape, other.shape
    limits, cost, least = np.zeros(uppers + infosets), np.zeros(sequences + answers), np.zeros(sequences + answers)
    limits[uppers] = 1.0
    cost[sequences] = -1.0
    least[sequences:] = -np.inf
    matrix = sparse.block_array([[-payoff, other.T], [own, None]], format="csr")
    return LinearProgram(cost, matrix, limits, uppers, least)


def _checked_exploitability(compiled: VectorGame, strategy: Strategy) -> float:
    """Chips per hand; an error where it is more than rounding."""
    found = sum(root_values(compiled, strategy.values, np.empty(0), best=True)) / 2
    if found > EXACT * float(compiled.stake.max()):
        raise KibitzError(
            f"the linear program's solution is exploitable for {found:.3g} chips a hand, which is not exact"
        )
    return found
