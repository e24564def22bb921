"""Single deals for tests: drawn by number as a run plays them, or with given cards and actions; what they teach."""

from __future__ import annotations

import numpy as np

from kibitz.learning import Learning, Model, Structure, TableRules, seat_chances
from kibitz.learning.desk import Desk
from kibitz.learning.model import SIZE, Floats, views
from kibitz.learning.records import SEATS, WEIGHTS
from kibitz.learning.training import GRADIENT, TOLD, Simulator

PLAIN = {"entropy": 0.0, "halving": 0.0, "pot_scaling": False, "floor": 1e-9}  # what learning adds is asked for
SEED = 3


class Memory:
    """Fields of scratch memory as attributes: `numpy.record` has a method `round`."""

    def __init__(self, works) -> None:
        self._record = works[0]

    def __getattr__(self, name):
        return self._record[name]


class Table:
    """A model with weights that differ from each other; plays deals of a run one by one, and sums their gradients.

    work     the memory of the last deal, by name
    flat     the gradient of the last deal; told, what kernels tell of it
    """

    def __init__(self, structure: Structure, rules: TableRules, seed: int = 0, scale: float = 0.4) -> None:
        self.model = Model.random(structure, seed, scale)
        weights = self.model.weights
        noise = np.random.default_rng(seed)
        weights.initial[:] = noise.dirichlet(np.full(8, 4.0))
        weights.usage[:] = 1.0  # so that gradients are not rescaled
        weights.costs[:] = noise.uniform(0.2, 1.0, 4)
        weights.values[:] *= 2
        self.rules = rules
        self._simulator = Simulator(self.model, None, rules, Learning(), SEED)

    def deal(self, players, number: int, policy=True, observer=True, rivals=(), alone=False, **learning) -> int:
        """Play deal `number`, and learn from it; the number of its decisions."""
        from kibitz.learning._kernels import running

        run = Learning(**(PLAIN | learning)).run(
            seat_chances(players), rivals, seed=SEED, learn_policy=policy, learn_observer=observer, alone=alone
        )
        told = np.zeros((1, TOLD))
        lesson = self._simulator.seated(run, told, self.model.flat)
        running.play(number, 1, lesson)
        self.number, self.work = number, Memory(lesson.works)
        self.flat, self.told = lesson.flats[GRADIENT], told[0]
        return int(self.work.decisions)

    @property
    def gradient(self):
        return views(self.flat)

    @property
    def seats(self) -> int:
        return int(self.work.players)

    @property
    def holes(self):
        return self.work.cards[: 2 * self.seats].reshape(-1, 2).tolist()

    @property
    def board(self):
        return self.work.cards[2 * SEATS :].tolist()


class Deals:
    """Plays given cards with given actions."""

    def __init__(self, model: Model, rules: TableRules, players: int, observer: Model | None = None) -> None:
        self.model, self.rules, self.players = model, rules, players
        self.desk = Desk(model, rules.table, observer)
        self.work = Memory(self.desk.memory)

    def play(self, cards, actions, learners=0, key=0) -> int:
        """Force the first actions; the rest are drawn by `key`. Returns the number of decisions."""
        self.desk.seat(self.players, cards)
        return self.desk.play(key, actions, learners)

    def learn(self, gradient: Floats, key=0, policy=False, observer=False, **learning) -> float:
        """Add what the last deal teaches; the observer's log-likelihood of it."""
        from kibitz.learning import _kernels

        settings = Learning(**(PLAIN | {"reward_scale": 1.0} | learning))
        run = settings.run(seat_chances(2), learn_policy=policy, learn_observer=observer)
        return float(_kernels.learn_one(np.uint64(key), self.desk.game, run, gradient.view(WEIGHTS)))


def dealt(noise, players):
    """Cards of a deal as in scratch memory."""
    cards = np.zeros(2 * SEATS + 5, np.uint8)
    drawn = noise.permutation(52)
    cards[: 2 * players] = drawn[: 2 * players]
    cards[2 * SEATS :] = drawn[2 * SEATS : 2 * SEATS + 5]
    return cards


def nothing() -> Floats:
    """A gradient that is 0."""
    return np.zeros(SIZE)
