"""What beats a strategy, and by how much: exact for matrix deals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kibitz.parallel.team import available_cores
from kibitz.solvers.vector.form import Form
from kibitz.solvers.vector.packing import packed
from kibitz.solvers.vector.passes import NO_RULE, Passes
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
    return _root_values(form, strategy.values, np.empty(0), best=False)


def exploitability(form: Form, strategy: Strategy) -> Exploitability:
    """How much best responses win against `strategy`."""
    form.check(strategy)
    return Exploitability(_root_values(form, strategy.values, np.empty(0), best=True))


def best_response(form: Form, strategy: Strategy) -> tuple[Strategy, Exploitability]:
    """A pure best response of each seat to the other seat's part of `strategy`, and what they win."""
    form.check(strategy)
    response = np.zeros(form.layout.size)
    values = _root_values(form, strategy.values, response, best=True)
    return Strategy(form.layout, response, {"algorithm": "best response"}), Exploitability(values)


def _root_values(form: Form, sigma: np.ndarray, response: np.ndarray, best: bool) -> tuple[float, float]:
    """What the hand is worth to both seats; best actions go to `response` if it has room for them."""
    from kibitz.solvers.vector import _kernels

    if not sigma.flags.writeable or sigma.dtype != np.float64:
        sigma = np.array(sigma, dtype=np.float64)  # kernels do not take the read-only arrays of memory maps
    job = _kernels.BEST if best else _kernels.VALUE
    if form.is_dense:
        return _dense_values(form, job, sigma, response)
    with packed():
        reach, values = form.scratch()
        first, second = _kernels.root_values(job, form.game, sigma, reach, values, response)
    return float(first), float(second)


def _dense_values(form: Form, job: int, sigma: np.ndarray, response: np.ndarray) -> tuple[float, float]:
    """`_root_values` where leaves are products of matrices, on all cores."""
    passes = Passes(form, available_cores())
    sums = (response, response[:0], response)
    passes.down(0, sigma, sums)
    found = []
    for p in range(2):
        passes.up(p, job, NO_RULE, sigma, sums)
        found.append(float(passes.values[p, : form.deal.counts[0, p]].sum()))
    return found[0], found[1]
