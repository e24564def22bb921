from __future__ import annotations

import numpy as np
import pytest

from kibitz.learning import Model, Structure, TableRules, seat_chances
from kibitz.learning.model import views
from kibitz.learning.records import RUN, WEIGHTS, make_record, make_work


class Bench:
    """A model, tables and scratch arrays; plays single deals and sums their gradients."""

    def __init__(self, structure: Structure, rules: TableRules, seed: int = 0, scale: float = 0.4) -> None:
        self.model = Model.random(structure, seed, scale)
        weights = self.model.weights
        noise = np.random.default_rng(seed)
        weights.initial[:] = noise.dirichlet(np.full(8, 4.0))
        weights.usage[:] = 1.0  # so that gradients are not rescaled
        weights.costs[:] = noise.uniform(0.2, 1.0, 4)
        weights.values[:] *= 2
        self.rules, self.memory = rules, make_work()
        self.work = self.memory.view(np.recarray)[0]
        self.flat = np.zeros_like(self.model.flat)
        self.gradient = views(self.flat)
        self.linear, self.linear_gradient = np.zeros((4, 10)), np.zeros((4, 10))  # a learned baseline
        self.told = np.zeros(64)

    def deal(self, players, number: int, **options) -> int:
        from kibitz.learning import _kernels

        self.number = number
        weights = self.model.record
        for sums in (self.flat, self.linear_gradient, self.told):
            sums[:] = 0.0
        settings = {"learn_policy": True, "learn_observer": True, "baseline": 1, "reward_scale": 8.0, "floor": 1e-9}
        run = make_record(RUN, seats=np.cumsum(seat_chances(players)), **(settings | options))
        _kernels.run_deals(
            3, number, 1, weights, weights, run, self.rules.table, self.model.structure.mode, self.memory,
            self.linear, self.flat.view(WEIGHTS), self.linear_gradient, self.told,
        )  # fmt: skip
        return int(self.work.counts[0])

    @property
    def seats(self) -> int:
        return int(self.work.counts[3])

    @property
    def holes(self):
        return self.work.cards[: 2 * self.seats].reshape(-1, 2).tolist()

    @property
    def board(self):
        return self.work.cards[20:].tolist()


@pytest.fixture
def bench():
    return Bench
