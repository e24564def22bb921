"""Learning a best response to frozen opponents (Sweeney 2012, section 5.3): one seat learns, all others stay.

What the learner wins beyond what its opponents win among themselves is a lower bound on their distance from an
equilibrium. Opponents are copies of a learned model, simulated in kernels, or agents of any kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.model import BEGINNINGS, Model, ModelError
from kibitz.learning.records import RUN, WEIGHTS, make_record, make_work
from kibitz.learning.responses.tables import AgentTable, Decider, RecordedDeal
from kibitz.learning.tables import TableRules, seat_chances

Floats = npt.NDArray[np.float64]
POLICY_GROUPS = 2  # groups of weights that a response learns: the policy's and the cards'
TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS = 5, 6, 7  # see `tell` of the kernels
SIZE_OF_TOLD = 64
_EVALUATION = 1 << 40  # deals from here on are for evaluation


@dataclass(frozen=True)
class ResponseSettings:
    """How to learn a response; the thesis gives no rates, so these are ours.

    hands         to learn from
    batch         hands of one step
    rate, card_rate   learning rates of bet, value and belief weights, and of card weights
    reward_scale  chips that count as one
    clip          bound on the norm of the mean gradient of a hand
    baseline      1: what folding would return; 0: none
    """

    hands: int = 100_000
    batch: int = 64
    rate: float = 1e-3
    card_rate: float = 2e-3
    reward_scale: float = 8.0
    clip: float = 5.0
    baseline: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("hands", "batch"):
            if getattr(self, name) < 1:
                raise KibitzError(f"{name} = {getattr(self, name)}: at least 1 is needed", settings=(name,))
        for name in ("rate", "card_rate", "reward_scale", "clip"):
            if not 0 < getattr(self, name) < float("inf"):
                raise KibitzError(f"{name} = {getattr(self, name)}: a number above 0 is needed", settings=(name,))


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

    rules: TableRules

    def learn(self, response: Response, hands: int) -> None:
        """Add the gradient and the results of the next hands to those of `response`."""

    def evaluate(self, response: Response, hands: int) -> Winnings:
        """What the response wins in hands that it does not learn from."""


class Response:
    """A policy that learns to beat a field of frozen opponents.

    model      what it has come to
    observer   whose beliefs about opponents it reads, frozen as they are
    """

    def __init__(self, start: Model, field: Field, settings: ResponseSettings, observer: Model | None = None) -> None:
        self.model, self.field, self.settings = start.copy(), field, settings
        self.observer = observer or start.copy()
        self.hands = 0
        self.gradient = np.zeros_like(start.flat)
        self.told = np.zeros(SIZE_OF_TOLD)
        self.work = make_work()
        self.linear = np.zeros((2, 4, 10))

    @property
    def run(self) -> Any:
        """What kernels are to do."""
        return self.make_run(learn_policy=True)

    def make_run(self, **more: object) -> Any:
        """A record for kernels: one learner against the others."""
        settings = self.settings
        return make_record(
            RUN, separate=True, baseline=settings.baseline, reward_scale=settings.reward_scale, floor=0.01, **more
        )

    def step(self, batches: int = 1) -> Winnings:
        """Learn from so many batches; what was won in them."""
        self.told[:] = 0.0
        for _ in range(batches):
            hands = self.settings.batch
            self.field.learn(self, hands)
            self._move(hands)
            self.hands += hands
        return Winnings.of(*self.told[[TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS]].tolist())

    def _move(self, hands: int) -> None:
        """One step along the gradient of the policy's weights; nothing has changed where it is not finite."""
        settings, groups = self.settings, BEGINNINGS
        own = slice(int(groups[0]), int(groups[POLICY_GROUPS]))
        norm = float(np.linalg.norm(self.gradient[own])) / hands
        if not np.isfinite(norm):
            raise ModelError(f"the gradient is not finite after {self.hands:,} hands: take smaller rates")
        shrink = settings.clip / norm if norm > settings.clip else 1.0
        for group, rate in enumerate((settings.rate, settings.card_rate)):
            part = slice(int(groups[group]), int(groups[group + 1]))
            self.model.flat[part] += rate * shrink * self.gradient[part]
        self.gradient[:] = 0.0

    def evaluate(self, hands: int) -> Winnings:
        """What it wins now."""
        return self.field.evaluate(self, hands)


@dataclass
class Copies:
    """Copies of a learned model in all other seats; everything is simulated in kernels."""

    model: Model
    players: int
    rules: TableRules

    def learn(self, response: Response, hands: int) -> None:
        self._deals(response, response.run, response.hands, hands, response.told)

    def evaluate(self, response: Response, hands: int) -> Winnings:
        told = np.zeros(SIZE_OF_TOLD)
        self._deals(response, response.make_run(), _EVALUATION, hands, told)
        return Winnings.of(*told[[TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS]].tolist())

    def _deals(self, response: Response, run: Any, start: int, hands: int, told: Floats) -> None:
        from kibitz.learning import _kernels

        run["seats"][0] = np.cumsum(seat_chances(self.players))
        _kernels.run_deals(
            response.settings.seed, start, hands, response.model.record, self.model.record, run, self.rules.table,
            self.model.structure.mode, response.work, response.linear[0], response.gradient.view(WEIGHTS),
            response.linear[1], told,
        )  # fmt: skip


@dataclass
class Agents:
    """Agents of any kind in all other seats, played with the real engine."""

    table: AgentTable

    @property
    def rules(self) -> TableRules:
        """Rules of the game that is played."""
        return self.table.rules

    def learn(self, response: Response, hands: int) -> None:
        batch = response.hands // response.settings.batch
        self._replay(response, response.run, self.table.play(self._decider(response), batch, hands), response.told)

    def evaluate(self, response: Response, hands: int) -> Winnings:
        told, size = np.zeros(SIZE_OF_TOLD), response.settings.batch
        for number in range(-(-hands // size)):
            deals = self.table.play(self._decider(response), _EVALUATION + number, min(size, hands - number * size))
            self._replay(response, response.run, deals, told)
        response.gradient[:] = 0.0
        return Winnings.of(*told[[TOLD_CHIPS, TOLD_SQUARES, TOLD_LEARNERS]].tolist())

    def _decider(self, response: Response) -> Decider:
        return Decider(response.model, self.table.rules, response.observer)

    def _replay(self, response: Response, run: Any, deals: list[RecordedDeal], told: Floats) -> None:
        from kibitz.learning.responses import _kernels

        most = max(len(deal.actions) for deal in deals)
        actions = np.zeros((len(deals), most), dtype=np.int64)
        for row, deal in zip(actions, deals, strict=True):
            row[: len(deal.actions)] = deal.actions
        columns = np.array([(deal.players, len(deal.actions), 1 << deal.seat) for deal in deals], dtype=np.int64)
        players, counts, learners = np.ascontiguousarray(columns.T)
        _kernels.learn_recorded(
            np.array([deal.cards for deal in deals]), players, actions, counts, learners, response.model.record,
            response.observer.record, run, self.rules.table, response.model.structure.mode, response.work,
            response.linear[0], response.gradient.view(WEIGHTS), response.linear[1], told,
        )  # fmt: skip
