"""Robust responses of small games, exactly: linear programs over the sequence form.

With x the responder's realisation plan, y the model's, q(0) what x is sure of against any opponent:

    restricted Nash     maximise p x'Ay + (1 - p) q(0)       subject to E x = e, F'q <= A'x, x >= 0
    epsilon-safe        maximise x'Ay                        subject to the same and q(0) >= v - epsilon
    data-biased         maximise q(0)                        subject to E x = e, F'q + G'w <= A'x, x, w >= 0

In the last one the opponent's plan z is held to the model: z(I, a) >= P_conf(I) model(a | I) z(the sequence before I),
which is linear in z, written G z >= 0, and w are its multipliers. So data-biased responses do have a linear program
where the model's information sets are those of the opponent's own choice; Bard 2016 (2.4.3) holds that they have none.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from kibitz.solvers.compiled.sequences import sequence_form
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.linear_program import LinearProgram
from kibitz.solvers.sequence_lp import plan_program
from kibitz.strategy import Strategy, realisation

Floats = npt.NDArray[np.float64]


class ResponsePrograms:
    """The linear programs of a two-player game, its matrices made once.

    Every method gives the responder's strategy (the other seat's part is uniform) and what the program made of it, in
    chips per hand.
    """

    def __init__(self, compiled: VectorGame) -> None:
        self.compiled = compiled
        self.matrices = sequence_form(compiled)

    def won(self, seat: int, model: Strategy) -> Floats:
        """What each of `seat`'s sequences wins from the model: float64[sequences]."""
        plan = self.matrices.sequences(realisation(model, self.compiled.deal), 1 - seat)
        won: Floats = self.matrices.payoff @ plan if seat == 0 else -(self.matrices.payoff.T @ plan)
        return won

    def restricted(self, seat: int, won: Floats, p: float) -> tuple[Strategy, float]:
        """The restricted Nash response of `seat`, and its objective.

        won   what its sequences win from the model, maybe in a game in which the model has other cards
        """
        program = plan_program(self.matrices, seat)
        cost = program.cost * (1 - p)
        cost[: len(won)] = -p * won
        return self._solve(seat, replace(program, cost=cost))

    def safe(self, seat: int, won: Floats, epsilon: float) -> tuple[Strategy, float]:
        """The best response of `seat` among strategies that risk at most `epsilon`, and what it wins from the model."""
        program = plan_program(self.matrices, seat)
        cost, least = np.zeros(len(program.cost)), program.least.copy()
        cost[: len(won)] = -won
        least[len(won)] = (1 - 2 * seat) * self.value - epsilon
        return self._solve(seat, replace(program, cost=cost, least=least))

    def data_biased(self, seat: int, fixed: Floats) -> tuple[Strategy, float]:
        """The data-biased response of `seat`, and the value of its game; fixed = P_conf * model, float64[size]."""
        program, other = plan_program(self.matrices, seat), self.matrices.constraints[1 - seat]
        held = sparse.diags_array(self.matrices.sequences(fixed, 1 - seat)) @ (other.maximum(0).T @ (-other).maximum(0))
        floor = (sparse.eye_array(other.shape[1], format="csr") - held).tocsr()[1:]
        beside = sparse.csr_array((len(program.limits) - program.uppers, floor.shape[0]))
        matrix = sparse.hstack((program.matrix, sparse.vstack((floor.T, beside))), format="csr")
        added = np.zeros(floor.shape[0])
        cost, least = np.concatenate((program.cost, added)), np.concatenate((program.least, added))
        return self._solve(seat, replace(program, cost=cost, least=least, matrix=matrix))

    @cached_property
    def value(self) -> float:
        """The value of the game to seat 0."""
        return 0.0 - plan_program(self.matrices, 0).solve().cost

    def _solve(self, seat: int, program: LinearProgram) -> tuple[Strategy, float]:
        optimum = program.solve()
        plan = np.zeros(self.compiled.layout.size)
        plan[self.matrices.entries[seat]] = np.maximum(optimum.variables[1 : self.matrices.payoff.shape[seat]], 0.0)
        return Strategy.from_sums(self.compiled.layout, plan, {"algorithm": "linear program"}), 0.0 - optimum.cost
