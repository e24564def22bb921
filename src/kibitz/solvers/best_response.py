"""What beats a strategy, and by how much: exact for matrix deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.solvers.vector.form import Form
from kibitz.strategy import Strategy


class Exploitability(NamedTuple):
    """Chips per hand.

    responses       what each seat would win by a best response to the others, less what it wins now; for two seats of
                    a zero-sum game the second part cancels, and it is simply what the best responses win
    exploitability  their mean: how much the strategy loses per hand to one who knows it and takes all seats in turn;
                    with two seats half of what is called NashConv
    """

    responses: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        return sum(self.responses) / len(self.responses)


def expected_values(form: Form, strategy: Strategy) -> tuple[float, float]:
    """Chips per hand of both seats when both play `strategy`."""
    form.check(strategy)
    return _root_values(form, strategy.values, best=False)[0]


def exploitability(form: Form, strategy: Strategy) -> Exploitability:
    """How much best responses win against `strategy`."""
    form.check(strategy)
    return Exploitability(_root_values(form, strategy.values, best=True)[0])


def best_response(form: Form, strategy: Strategy) -> tuple[Strategy, Exploitability]:
    """A pure best response of each seat to the other seat's part of `strategy`, and what they win."""
    form.check(strategy)
    values, response = _root_values(form, strategy.values, best=True)
    return Strategy(form.layout, response, {"algorithm": "best response"}), Exploitability(values)


def _root_values(form: Form, sigma: np.ndarray, best: bool) -> tuple[tuple[float, float], np.ndarray]:
    from kibitz.solvers.vector import _kernels

    sigma = np.array(sigma, dtype=np.float64)  # a memory-mapped strategy is read-only, which kernels do not take
    reach, values = form.scratch()
    response = np.zeros(len(sigma)) if best else np.empty(0)
    job = _kernels.BEST if best else _kernels.VALUE
    first, second = _kernels.root_values(job, form.game, sigma, reach, values, response)
    return (float(first), float(second)), response
