"""Learning a best response to frozen opponents (Sweeney 2012, section 5.3): one seat learns, all others stay.

What the learner wins beyond what its opponents win among themselves is a lower bound on their distance from an
equilibrium. Opponents are copies of a learned model, simulated in kernels, or agents of any kind.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from math import sqrt
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.files import checksum
from kibitz.learning.model import BEGINNINGS, Model, ModelError
from kibitz.learning.records import BETS, RUN, STAGES, WEIGHTS, make_record, make_work
from kibitz.learning.responses.tables import AgentTable, Decider, RecordedDeal
from kibitz.learning.settings import BASELINES, Learning
from kibitz.learning.tables import TableRules, seat_chances
from kibitz.learning.training import SIZE_OF_TOLD

Floats = npt.NDArray[np.float64]
POLICY_GROUPS = 2  # groups of weights that a response learns: the policy's and the cards'
TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS = 5, 6, 7  # see `tell` of the kernels
EVALUATION = 1 << 50  # deals from here on are for evaluation
# Copies of a model are met in millions of deals, other agents in some ten thousand.
AGAINST_COPIES = Learning(rate=0.002, card_rate=0.004, batch=64, entropy=0.01, pot_scaling=False)
AGAINST_AGENTS = replace(AGAINST_COPIES, rate=0.01, card_rate=0.02, halving=0.0)


class Winnings(NamedTuple):
    """What the learner won per hand, in small blinds, with its standard deviation and the number of hands."""

    mean: float
    deviation: float
    hands: int

    @property
    def error(self) -> float:
        """Standard error of the mean."""
        return self.deviation / sqrt(self.hands) if self.hands else float("nan")

    @classmethod
    def of(cls, chips: float, squares: float, hands: float) -> Winnings:
        """From sums over hands."""
        if hands < 2:
            return cls(chips / hands if hands else float("nan"), float("nan"), int(hands))
        variance = max(0.0, (squares - chips**2 / hands) / (hands - 1))
        return cls(chips / hands, sqrt(variance), int(hands))


class Field(Protocol):
    """Those whom a response learns to beat."""

    @property
    def rules(self) -> TableRules: ...

    @property
    def observer(self) -> Model | None:
        """Whose beliefs the response reads, where it is not its own start."""

    def describe(self) -> dict[str, Any]:
        """Who they are."""

    def learn(self, response: Response, hands: int, told: Floats) -> None:
        """Add the gradient of the next hands to that of `response`, and what was won to `told`."""

    def evaluate(self, response: Response, hands: int, told: Floats) -> None:
        """Add what the response wins in hands that it does not learn from to `told`."""


@dataclass(frozen=True)
class ResponseProgress:
    """What was won in the hands since the last report.

    deals      of the run so far; seconds spent on it, and deals per second
    winnings   of the learner in these hands, small blinds per hand
    norm       mean norm of the policy's gradient, per deal
    """

    deals: int
    seconds: float
    rate: float
    winnings: Winnings
    norm: float

    def describe(self) -> dict[str, Any]:
        """The numbers by name."""
        return {**asdict(self), "winnings": {**self.winnings._asdict(), "error": self.winnings.error}}


class Response:
    """A policy that learns to beat a field of frozen opponents; `train` goes on from where it is.

    start      the weights that it begins with
    observer   whose beliefs about opponents it reads, frozen; the field's own, or those of `start`
    sums       since the last report: what kernels told, norms of gradients, batches and seconds
    """

    def __init__(self, start: Model, field: Field, learning: Learning, seed: int = 0) -> None:
        self.field, self.learning, self.seed = field, learning, seed
        self.start = start
        self.observer = field.observer or start.copy()
        if self.observer.structure != start.structure:
            raise ModelError("the response and its opponents have different structures: begin with another model")
        self.deals, self.seconds = 0, 0.0
        self.flat = start.flat.copy()
        self.gradient = np.zeros_like(self.flat)
        self.linear = np.zeros((2, STAGES, BETS + 1))
        self.work = make_work()
        self.sums = {"told": np.zeros(SIZE_OF_TOLD), "norms": np.zeros(1), "spent": np.zeros(2)}

    def describe(self) -> dict[str, Any]:
        """What the run is: two runs that say the same come to the same weights."""
        return {
            "against": self.field.describe(),
            "seed": self.seed,
            "rules": asdict(self.field.rules),
            "structure": self.start.structure.describe(),
            "learning": self.learning.describe(),
            "start": checksum(self.start.flat),
        }

    @property
    def model(self) -> Model:
        """The response so far, with weights of its own and the observer that it read."""
        made = {"algorithm": "best response", "deals": self.deals, **self.describe()}
        flat = self.observer.flat.copy()
        own = slice(int(BEGINNINGS[0]), int(BEGINNINGS[POLICY_GROUPS]))
        flat[own] = self.flat[own]
        return Model(self.start.structure, flat, made)

    @property
    def record(self) -> npt.NDArray[np.void]:
        """The weights as kernels take them."""
        return self.flat.view(WEIGHTS)

    def arrays(self) -> dict[str, Floats]:
        """The memory of the run."""
        return {"weights": self.flat, "baseline": self.linear}

    def restore(self, deals: int, seconds: float, arrays: dict[str, Floats]) -> None:
        """Go back to a memory that `arrays` gave after so many deals."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self.gradient[:] = 0.0
        self.deals, self.seconds = deals, seconds

    def make_run(self, learn: bool) -> npt.NDArray[np.void]:
        """What kernels are to do: one learner against the others."""
        learning = self.learning
        return make_record(
            RUN,
            separate=True,
            learn_policy=learn,
            baseline=BASELINES.index(learning.baseline),
            reward_scale=learning.reward_scale,
            pot_scaling=learning.pot_scaling,
            entropy=self._slower * learning.entropy,
            floor=learning.floor,
        )

    @property
    def _slower(self) -> float:
        """What rates and the weight of the entropy have fallen to."""
        return 1.0 / (1.0 + self.deals / self.learning.halving) if self.learning.halving else 1.0

    def train(self, deals: int) -> ResponseProgress:
        """Learn from so many more deals, in whole batches, and report; see `advance`."""
        self.advance(-(-deals // self.learning.batch))
        return self.report()

    def advance(self, batches: int) -> None:
        """Learn from so many more batches; ModelError, and the weights as they were before the batch, where a gradient
        is not a number.
        """
        for _ in range(batches):
            begun = perf_counter()
            self.field.learn(self, self.learning.batch, self.sums["told"])
            self.sums["norms"] += self._step()
            seconds = perf_counter() - begun
            self.seconds += seconds
            self.sums["spent"] += 1, seconds

    def report(self) -> ResponseProgress:
        """What was won since the last report."""
        (batches, seconds), winnings = self.sums["spent"].tolist(), won(self.sums["told"])
        norm, hands = float(self.sums["norms"][0]) / max(batches, 1), batches * self.learning.batch
        for each in self.sums.values():
            each[:] = 0.0
        return ResponseProgress(self.deals, self.seconds, hands / max(seconds, 1e-9), winnings, norm)

    def _step(self) -> float:
        """Move the policy's weights along the gradient, which is cleared; its norm."""
        learning, hands = self.learning, self.learning.batch
        norm = float(np.linalg.norm(self.gradient[BEGINNINGS[0] : BEGINNINGS[POLICY_GROUPS]])) / hands
        if not np.isfinite(norm):
            raise ModelError(
                f"a gradient was not finite after {self.deals:,} deals: learning rates are too high for this run"
            )
        shrink = learning.clip / norm if norm > learning.clip > 0 else 1.0
        for group, rate in enumerate((learning.rate, learning.card_rate)):
            part = slice(int(BEGINNINGS[group]), int(BEGINNINGS[group + 1]))
            self.flat[part] += rate * self._slower * shrink * self.gradient[part]
        self.linear[0] += learning.baseline_rate * self.linear[1]
        self.gradient[:], self.linear[1] = 0.0, 0.0
        self.deals += hands
        return norm

    def evaluate(self, hands: int) -> Winnings:
        """What the response wins now, in hands that it does not learn from."""
        told = np.zeros(SIZE_OF_TOLD)
        self.field.evaluate(self, hands, told)
        return won(told)


def won(told: Floats) -> Winnings:
    """The learners' winnings from the sums that kernels tell."""
    return Winnings.of(*told[[TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS]].tolist())


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

    def learn(self, response: Response, hands: int, told: Floats) -> None:
        self._deals(response, True, response.deals, hands, told)

    def evaluate(self, response: Response, hands: int, told: Floats) -> None:
        self._deals(response, False, EVALUATION, hands, told)

    def _deals(self, response: Response, learn: bool, start: int, hands: int, told: Floats) -> None:
        from kibitz.learning import _kernels

        run = response.make_run(learn)
        run["seats"][0] = np.cumsum(seat_chances(self.players))
        _kernels.run_deals(
            response.seed, start, hands, response.record, self.model.record, run, self.rules.table,
            self.model.structure.mode, response.work, response.linear[0], response.gradient.view(WEIGHTS),
            response.linear[1], told,
        )  # fmt: skip


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

    def learn(self, response: Response, hands: int, told: Floats) -> None:
        self._replay(response, True, self._play(response, response.deals // response.learning.batch, hands), told)

    def evaluate(self, response: Response, hands: int, told: Floats) -> None:
        size = response.learning.batch
        for number in range(-(-hands // size)):
            deals = self._play(response, EVALUATION + number, min(size, hands - number * size))
            self._replay(response, False, deals, told)

    def _play(self, response: Response, batch: int, hands: int) -> list[RecordedDeal]:
        policy = Model(response.start.structure, response.flat)
        return self.table.play(Decider(policy, self.rules, response.observer), batch, hands)

    def _replay(self, response: Response, learn: bool, deals: list[RecordedDeal], told: Floats) -> None:
        """Play recorded deals again in scratch memory, and add what they teach and what the learner won."""
        from kibitz.learning import _kernels

        run, work, mode = response.make_run(learn), response.work, response.start.structure.mode
        observer = response.observer.record
        for deal in deals:
            work["cards"][0] = deal.cards
            actions, learners = np.array(deal.actions, dtype=np.int64), 1 << deal.seat
            _kernels.play_one(
                deal.players, np.uint64(0), actions, len(actions), response.record, observer, learners, True,
                self.rules.table, mode, work,
            )  # fmt: skip
            if learn:
                _kernels.learn_one(
                    np.uint64(0), learners, observer, run, mode, work, response.linear[0],
                    response.gradient.view(WEIGHTS), response.linear[1],
                )  # fmt: skip
            net = work["net"][0, deal.seat]
            told[[TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS]] += net, net * net, 1.0
