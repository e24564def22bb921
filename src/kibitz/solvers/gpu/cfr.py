"""Counterfactual regret minimisation on a graphics card."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.solvers.best_response import Exploitability
from kibitz.solvers.cfr import CFR, Weighting
from kibitz.solvers.gpu import _kernels
from kibitz.solvers.gpu.card import check_gpu
from kibitz.solvers.gpu.form import CardForm
from kibitz.solvers.vector.form import Form
from kibitz.strategy import Strategy

BOTH = 3  # mask of players
Floats = npt.NDArray[np.float64]


class CardCFR(CFR):
    """`CFR` on a card, in double precision throughout; its sums come home after every `step`.

    arrays   CuPy, or NumPy for the simulator of numba
    """

    def __init__(
        self, form: Form, algorithm: str = "dcfr", alternating: bool = True, arrays: Any = None, threads: int = 128
    ) -> None:
        super().__init__(form, algorithm, alternating)
        if self.weighting.predict:
            raise KibitzError(f"{algorithm} is not made for graphics cards: take dcfr, linear, cfr+ or cfr")
        self.card = CardForm(form, check_gpu() if arrays is None else arrays, threads)

    def step(self, count: int = 1) -> None:
        with session(self.card, self.regret, self.average):
            for _ in range(count):
                self.iteration += 1
                iterate(self.card, self.iteration, self.weighting, self.alternating)


@contextmanager
def session(card: CardForm, regret: Floats, average: Floats) -> Iterator[None]:
    """Take the sums to the card and, at the end, home again."""
    take = card.arrays.asarray
    with card.at_work():
        card.regret[...], card.average[...] = take(regret), take(average)
        card.changed = BOTH
        yield
        regret[...], average[...] = fetch(card.regret), fetch(card.average)


def iterate(card: CardForm, t: int, weighting: Weighting, alternating: bool) -> None:
    """Iteration t, as `solvers.vector` makes it."""
    from kibitz.solvers.vector._kernels import rule_at

    rule = rule_at(t, weighting.discounts)
    card.rule[...] = card.arrays.asarray([float(each) for each in rule])
    for p in range(2):
        if p == 0 or alternating:
            card.prepare(card.changed)
            card.changed = 0
        card.go_up(p, _kernels.REGRETS)
        card.changed |= 1 << p


def card_exploitability(card: CardForm, strategy: Strategy) -> Exploitability:
    """`best_response.exploitability` on the card."""
    card.form.check(strategy)
    found = []
    with card.at_work():
        card.sigma[...] = card.arrays.asarray(np.ascontiguousarray(strategy.values))
        card.go_down()
        for p in range(2):
            card.go_up(p, _kernels.BEST)
            found.append(card.root_value(p))
    return Exploitability(tuple(found))


def fetch(array: Any) -> Floats:
    """An array of the card as one of NumPy."""
    home: Floats = array.get() if hasattr(array, "get") else array
    return home
