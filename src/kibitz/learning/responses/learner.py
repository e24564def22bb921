"""Learning a best response to frozen opponents (Sweeney 2012, section 5.3): one seat learns, all others stay.

What the learner wins beyond what its opponents win among themselves is a lower bound on their distance from an
equilibrium. Opponents are copies of a learned model or players who never look at their cards, both simulated in
kernels, or agents of any kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.files import checksum
from kibitz.learning.desk import Desk
from kibitz.learning.model import BEGINNINGS, Floats, Model, ModelError
from kibitz.learning.records import WEIGHTS
from kibitz.learning.responses.tables import AgentTable, Decider, RecordedDeal
from kibitz.learning.rivals import Rivals
from kibitz.learning.settings import Learning
from kibitz.learning.tables import TableRules, seat_chances
from kibitz.learning.training import AVERAGED, GRADIENT, NOW, TOLD, Seen, Simulator, Winnings

EVALUATION, CHOICE = 1 << 50, 1 << 51  # deals from here on are for evaluation, and for the choice of what is kept
LEARNED, LAST = "learned", "its last weights"
OWN = slice(int(BEGINNINGS[0]), int(BEGINNINGS[2]))  # weights that a response learns: the policy's and the cards'
AGAINST_AGENTS = Learning(
    rate=0.003, card_rate=0.02, batch=64, parts=4, entropy=0.1, halving=5e5, least=0.1, least_entropy=0.02, window=4.0
)  # fmt: skip
# Copies of a model are nearly in equilibrium: what is to be won is won in large pots.
AGAINST_COPIES = replace(
    AGAINST_AGENTS, rate=0.002, card_rate=0.004, entropy=0.01, halving=2e6, pot_scaling=False, least_entropy=0.0
)
ALWAYS = 1e4  # value of an option that is always taken
STAYING = 8.0  # of one with which a beginner hardly folds: 1.6 for each opponent


class Response(Simulator):
    """A policy that learns to beat a field of frozen opponents; `train` goes on from where it is.

    start   the model that it begins with
    """

    def __init__(self, start: Model, field: Field, learning: Learning, seed: int = 0, threads: int = 1) -> None:
        self.field, self.observer = field, field.observer or start.copy()
        if self.observer.structure != start.structure:
            raise ModelError("the response and its opponents have different structures: begin with another model")
        super().__init__(start, self.observer, field.rules, learning, seed, threads)

    def describe(self) -> dict[str, Any]:
        """What the run is: two runs that say the same come to the same weights."""
        return {
            "against": self.field.describe(),
            "seed": self.seed,
            "rules": asdict(self.rules),
            "structure": self.structure.describe(),
            "learning": self.learning.describe(),
            "start": checksum(self.start.flat),
        }

    @property
    def model(self) -> Model:
        """The response so far, with weights of its own and the observer that it read."""
        return self.model_of(self.flats[AVERAGED if self.learning.window else NOW])

    def model_of(self, weights: Floats) -> Model:
        """A policy with these weights as the response."""
        made = {"algorithm": "best response", "deals": self.deals, **self.describe()}
        flat = self.observer.flat.copy()
        flat[OWN] = weights[OWN]
        return Model(self.structure, flat, made)

    def make_run(self) -> npt.NDArray[np.void]:
        assert not isinstance(self.field, Agents)
        return self.field.run(self.learning, seed=self.seed, separate=True, learn_policy=True)

    def advance(self, batches: int) -> None:
        if not isinstance(self.field, Agents):
            super().advance(batches)
            return
        for _ in range(batches):
            self._learn_batch()

    def _learn_batch(self) -> None:
        """Learn from a batch of hands that agents have played; ModelError where a gradient is not a number."""
        from kibitz.learning._kernels.stepping import fallen, step

        begun, learning = perf_counter(), self.learning
        slower = fallen(self.deals, learning.halving, learning.least)
        entropy = learning.entropy * fallen(self.deals, learning.halving, learning.least_entropy)
        run = replace(learning, entropy=entropy).run(seat_chances(2), learn_policy=True)
        assert isinstance(self.field, Agents)
        for deal in self.field.play(self, self.flats[NOW], self.deals, learning.batch):
            self._replay(deal, self.flats[NOW], self.sums["told"][0], run)
        rates = slower * np.array([learning.rate, learning.card_rate])
        norm = step(self.flats[NOW], self.flats[GRADIENT], BEGINNINGS[:3], rates, learning.clip, learning.batch)
        if not np.isfinite(norm):
            raise ModelError(
                f"a gradient was not finite after {self.deals:,} deals: learning rates are too high for this run"
            )
        self.deals += learning.batch
        if learning.window:
            near = min(1.0, learning.window * learning.batch / self.deals)
            self.flats[AVERAGED] += near * (self.flats[NOW] - self.flats[AVERAGED])
        seconds = perf_counter() - begun
        self.seconds += seconds
        self.sums["spent"] += 1, seconds
        self.sums["norms"] += norm, 0.0

    def _replay(
        self, deal: RecordedDeal, weights: Floats, told: Floats, run: npt.NDArray[np.void] | None = None
    ) -> None:
        """Play a recorded deal again in scratch memory, and add what it tells and, with `run`, what it teaches."""
        from kibitz.learning import _kernels

        desk = Desk(Model(self.structure, weights), self.rules.table, self.observer, memory=self._works[:1])
        desk.seat(deal.players, deal.cards)
        desk.play(0, deal.actions, 1 << deal.seat)
        if run is not None:
            _kernels.learn_one(np.uint64(0), desk.game, run, self.flats[GRADIENT].view(WEIGHTS))
        _kernels.tell_one(self._works[:1], told)

    def evaluate(self, hands: int, weights: Floats | None = None, first: int = EVALUATION) -> Winnings:
        """What the response, or other weights in its place, win in hands that it does not learn from."""
        from kibitz.learning._kernels import running

        told, weights = np.zeros((1, TOLD)), self.model.flat if weights is None else weights
        if isinstance(self.field, Agents):
            for deal in self.field.play(self, weights, first, hands):
                self._replay(deal, weights, told[0])
        else:
            run = self.field.run(self.learning, seed=self.seed, separate=True)
            running.play(first, hands, self.seated(run, told, weights))
        return Seen.of(told).winnings

    def candidates(self) -> dict[str, Model]:
        """What was learned, and what should not beat it."""
        found = {LEARNED: self.model, LAST: self.model_of(self.flats[NOW]), "its start": self.start}
        found["its start, never folding after the flop"] = staying(self.start, ALWAYS, 1)
        return found | constants(self.start)

    def choose(self, hands: int) -> tuple[str, Model]:
        """The candidate that wins most in as many hands, and its name: what was learned, unless another wins more.

        They are other hands than those of `evaluate`, or the choice would flatter what it chose.
        """
        models = self.candidates()
        found = {name: self.evaluate(hands, model.flat, CHOICE).mean for name, model in models.items()}
        best = max(found, key=found.__getitem__)
        return best, self.model_of(models[best].flat)


def staying(model: Model, by: float = STAYING, stage: int = 0) -> Model:
    """A model that plays like another, but that each opponent left makes calls and raises worth more from a stage on.

    A beginner who plays badly after the flop learns to fold before it, and never meets what he should learn. One who
    hardly folds learns the late streets first.
    """
    found = model.copy()
    found.weights.values[stage:, 0] += by  # of the number of opponents, which is the same for a call and a raise
    return found


def constants(model: Model) -> dict[str, Model]:
    """Models of the same structure that always fold, and always call."""
    made = {}
    for name, sign in (("always fold", -1), ("always call", 1)):
        found = made[name] = model.copy()
        found.weights.values[:] = 0.0
        found.weights.values[:, 0] = sign * ALWAYS
        found.weights.costs[:] = ALWAYS / 25  # a raise costs more than a call
    return made


@dataclass(eq=False)
class Copies:
    """Copies of a learned model in all other seats; everything is simulated in kernels."""

    model: Model
    players: int
    rules: TableRules

    @property
    def observer(self) -> Model:
        """The beliefs are the model's own."""
        return self.model

    def describe(self) -> dict[str, Any]:
        """Who they are."""
        return {"copies": checksum(self.model.flat), "players": self.players}

    def run(self, learning: Learning, **more: Any) -> npt.NDArray[np.void]:
        return learning.run(seat_chances(self.players), **more)


@dataclass(eq=False)
class Blind:
    """One who never looks at its cards in all other seats, simulated in kernels."""

    rivals: Rivals
    players: int
    rules: TableRules
    observer: Model | None = None

    def describe(self) -> dict[str, Any]:
        """Who they are."""
        return {"agents": [each.name for each in self.rivals], "players": self.players}

    def run(self, learning: Learning, **more: Any) -> npt.NDArray[np.void]:
        return learning.run(seat_chances(self.players), self.rivals, alone=True, **more)


@dataclass(eq=False)
class Agents:
    """Agents of any kind in all other seats, played with the real engine."""

    table: AgentTable
    observer: Model | None = None

    @property
    def rules(self) -> TableRules:
        """Rules of the game that is played."""
        return self.table.rules

    def describe(self) -> dict[str, Any]:
        """Who they are."""
        return {"agents": [each.name for each in self.table.opponents], "players": self.table.game.players}

    def play(self, response: Response, weights: Floats, first: int, hands: int) -> Iterator[RecordedDeal]:
        decider = Decider(Model(response.structure, weights), self.rules, response.observer)
        size = response.learning.batch
        for begin in range(0, hands, size):
            yield from self.table.play(decider, (first + begin) // size, min(size, hands - begin))


Field = Copies | Blind | Agents  # those whom a response learns to beat
