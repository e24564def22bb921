"""Full-width BETS on a graphics card: players learn there, sizes move here."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.deals import MatrixDeal
from kibitz.solvers.bets.tree import BetTree
from kibitz.solvers.bets.vector import VectorBets
from kibitz.solvers.cfr import WEIGHTINGS
from kibitz.solvers.gpu.card import check_gpu
from kibitz.solvers.gpu.cfr import fetch, iterate, session
from kibitz.solvers.gpu.form import CardForm


class CardBets(VectorBets):
    """`VectorBets` on a card, in double precision throughout."""

    def __init__(self, tree: BetTree, deal: MatrixDeal, arrays: Any = None, block: int = 128, **settings: Any) -> None:
        super().__init__(tree, deal, **settings)
        self.card = CardForm(self.form, check_gpu() if arrays is None else arrays, block)
        take, slopes = self.card.arrays.asarray, self._slopes
        self._ends = [take(array) for array in (slopes.slots, slopes.places, slopes.widths)]
        self._won = self.card.arrays.zeros(len(slopes.ends))
        self._bets = [(here, [take(each) for each in slots], take(weight)) for here, slots, weight in slopes.groups]

    def step(self, count: int = 1) -> None:
        with session(self.card, self.regret, self.average):
            self._restake()
            for _ in range(count):
                self.iteration += 1
                iterate(self.card, self.iteration, WEIGHTINGS[self.weighting], self.alternating)
                self._find_slopes()
                self._move()

    def _find_slopes(self) -> None:
        card, slopes = self.card, self._slopes
        slots, places, widths = self._ends
        card.win(slots, places, widths, self._won)
        slopes.settle(self.sizing.table, fetch(self._won))
        for here, slots, weight in self._bets:
            first, second = (card.rows(p, slots[p], weight.shape[p]) for p in range(2))
            slopes.reach[here] = fetch(((first @ weight) * second).sum(axis=1))

    def _restake(self) -> None:
        super()._restake()
        if hasattr(self, "card"):
            self.card.stake[...] = self.card.arrays.asarray(np.asarray(self.form.stake))
