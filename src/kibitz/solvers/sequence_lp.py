"""Exact equilibria by linear programming over the sequence form.

Player 0's plan x is optimal when the best answer to it, itself a linear program over player 1's plans, is worth as much
as possible. The dual of that answer has one variable q per information set of player 1, and both levels become one:

    maximise q(0)   subject to   E x = e,   F' q <= A' x,   x >= 0            (Koller, Megiddo and von Stengel 1996)

with A the payoffs, E and F the constraints of the players' plans. The multipliers of F' q <= A' x are player 1's plan.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import OptimizeResult, linprog

from kibitz.errors import KibitzError
from kibitz.solvers.best_response import exploitability
from kibitz.solvers.sequence_form import SequenceForm, sequence_form
from kibitz.solvers.vector.form import Form
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
# HiGHS's dual simplex ends on a vertex, exact to rounding, and takes less time than its interior point method here.
METHOD = "highs-ds"
OPTIONS = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
EXACT = 1e-9  # how exploitable, as a share of the largest stake, an exact solution may be


@dataclass(frozen=True, eq=False)
class LPSolution:
    """An equilibrium of a two-player game.

    value     chips per hand to seat 0
    strategy  of both seats, uniform where their own play does not reach; exploitability is in its manifest
    plan      float64[layout.size]: the realisation plans of both seats (see `sequence_form`)
    """

    value: float
    strategy: Strategy
    plan: Floats


def solve_lp(form: Form) -> LPSolution:
    """An exact equilibrium of `form`, both seats by one linear program."""
    matrices = sequence_form(form)
    program = _program(matrices, 0)
    result = program.minimise(-program.worth)
    plan = np.empty(form.layout.size)
    plan[matrices.entries[0]] = program.plan(result)
    plan[matrices.entries[1]] = -result.ineqlin.marginals[1:]
    plan = np.maximum(plan, 0.0)  # rounding leaves a few entries a hair below 0
    strategy = Strategy.from_sums(form.layout, np.maximum(plan, 0.0), {"algorithm": "sequence-form linear program"})
    strategy.manifest["exploitability"] = _checked_exploitability(form, strategy)
    return LPSolution(0.0 - float(result.fun), strategy, plan)


def functional_range(
    form: Form, player: int, functional: Floats, tolerance: float = 1e-9, value: float | None = None
) -> tuple[float, float]:
    """The least and the greatest value of a linear functional over all equilibrium plans of one player.

    functional  float64[layout.size], coefficients of a plan laid out like `Strategy.values`; only `player`'s count
    tolerance   chips per hand that a plan may guarantee less than the value of the game and still count as optimal
    value       the value of the game to seat 0, where it is known already
    """
    if functional.shape != (form.layout.size,):
        raise KibitzError(f"a functional of shape {functional.shape}: the layout has {form.layout.size} entries")
    matrices = sequence_form(form)
    program = _program(matrices, player)
    if value is None:
        value = (1 - 2 * player) * -float(program.minimise(-program.worth).fun)
    face = replace(program, least=(1 - 2 * player) * value - tolerance)
    cost = np.zeros(len(program.worth))
    cost[1 : program.sequences] = functional[matrices.entries[player]]
    return float(face.minimise(cost).fun), -float(face.minimise(-cost).fun)


@dataclass(frozen=True, eq=False)
class _Program:
    """What one player can guarantee: variables are his sequences (x >= 0), then the other's information sets (q, free).

    answers    csc float64[m of the other, variables]: F' q - A' x, none above 0
    plans      csc float64[h, variables]: E x = (1, 0, ..., 0)
    sequences  m of the player
    least      the least that q(0), what the plan guarantees, may be
    """

    answers: sparse.csc_array
    plans: sparse.csc_array
    sequences: int
    least: float = -np.inf

    @property
    def worth(self) -> Floats:
        """The coefficients of q(0)."""
        coefficients = np.zeros(self.answers.shape[1])
        coefficients[self.sequences] = 1.0
        return coefficients

    def plan(self, result: OptimizeResult) -> Floats:
        """The player's sequences 1, 2, ... in a result."""
        plan: Floats = result.x[1 : self.sequences]
        return plan

    def minimise(self, cost: Floats) -> OptimizeResult:
        """The solution of least cost; an error says what HiGHS made of it."""
        total = np.zeros(self.plans.shape[0])
        total[0] = 1.0
        bounds = np.full((len(cost), 2), (-np.inf, np.inf))
        bounds[: self.sequences, 0] = 0.0
        bounds[self.sequences, 0] = self.least
        limits = np.zeros(self.answers.shape[0])
        result = linprog(cost, self.answers, limits, self.plans, total, bounds, method=METHOD, options=OPTIONS)
        if not result.success:
            raise KibitzError(f"a linear program of {self.answers.shape[1]} variables was not solved: {result.message}")
        return result


def _program(matrices: SequenceForm, player: int) -> _Program:
    """The program of one player's optimal plans."""
    payoff = matrices.payoff.T if player == 0 else -matrices.payoff
    own, other = matrices.constraints[player], matrices.constraints[1 - player]
    nothing = sparse.csr_array((own.shape[0], other.shape[0]))
    return _Program(
        sparse.hstack([-payoff, other.T], format="csc"), sparse.hstack([own, nothing], format="csc"), own.shape[1]
    )


def _checked_exploitability(form: Form, strategy: Strategy) -> float:
    """Chips per hand; an error where it is more than rounding."""
    found = exploitability(form, strategy).exploitability
    if found > EXACT * float(form.stake.max()):
        raise KibitzError(
            f"the linear program's solution is exploitable for {found:.3g} chips a hand, which is not exact"
        )
    return found
