"""What a linear functional can be over all equilibria: an independent look at solutions that are not unique."""

from dataclasses import replace

import numpy as np

from kibitz.solvers.compiled.sequences import sequence_form
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.sequence_lp import Floats, plan_program


def functional_range(
    compiled: VectorGame, player: int, functional: Floats, tolerance: float = 1e-9, value: float | None = None
) -> tuple[float, float]:
    """The least and the greatest value of a linear functional over all equilibrium plans of one player.

    functional  float64[layout.size], coefficients of a plan laid out like `Strategy.values`; only `player`'s count
    tolerance   chips per hand that a plan may guarantee less than the value of the game and still count as optimal
    value       the value of the game to seat 0, where it is known already
    """
    matrices = sequence_form(compiled)
    program = plan_program(matrices, player)
    if value is None:
        value = (1 - 2 * player) * -program.solve().cost
    least, cost = program.least.copy(), np.zeros(len(program.cost))
    least[program.cost < 0] = (1 - 2 * player) * value - tolerance  # q(0), what the plan guarantees
    cost[1 : matrices.payoff.shape[player]] = functional[matrices.entries[player]]
    low, high = (replace(program, cost=sign * cost, least=least).solve().cost for sign in (1, -1))
    return low, -high
