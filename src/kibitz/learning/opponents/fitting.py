"""Fitting the mean strategy of recorded players, whose cards are mostly hidden (Sweeney 2012, section 6.1).

Stochastic EM: at every visit to a deal its hidden cards are drawn from what the model makes of the betting now, and the
weights move along the gradient of ln P(action | cards). The observer learns from the same deals, as in self-play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from math import isfinite
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import checksum
from kibitz.learning.histories import Hands, Parts, split
from kibitz.learning.model import BEGINNINGS, Floats, Model, ModelError, views
from kibitz.learning.opponents.measures import IMPUTED, MARGINAL, Fit, measure_fit
from kibitz.learning.opponents.replaying import Drawing, Replay
from kibitz.learning.records import RUN, WEIGHTS, make_record
from kibitz.learning.settings import Learning
from kibitz.learning.tables import TableRules
from kibitz.random import derive_seed
from kibitz.statistics import Estimate

ORDER, VISIT, CHECK = 1, 2, 3  # streams of random numbers
AT_ONCE = 32  # batches of a piece of an epoch
RATES = Learning(rate=4e-3, card_rate=8e-3, type_rate=2e-3, move_rate=1e-4, showdown_rate=1e-2, averaging=1e-3)
COLLAPSED = 0.002  # use of a card-type below which it is as good as lost


@dataclass(frozen=True)
class Fitting:
    """How a model is fitted; rates are those of the sum over the deals of a batch.

    epochs     at most; patience, epochs without a better fit to the hold-out after which it ends
    hold_out   share of matches that is not fitted to
    checked    held-out deals that a fit is measured with after an epoch, at most
    halving    epochs after which rates are halved: 1 / (1 + epoch / halving); 0 for constant rates
    """

    epochs: int = 30
    patience: int = 4
    hold_out: float = 0.2
    checked: int = 2000
    halving: float = 4.0
    learning: Learning = RATES

    def __post_init__(self) -> None:
        for name, least in (("epochs", 1), ("patience", 1), ("checked", 1)):
            if getattr(self, name) < least:
                raise KibitzError(f"{name} = {getattr(self, name)}: {least} or more", settings=(name,))
        if not self.halving >= 0:
            raise KibitzError(f"halving = {self.halving}: a number that is not negative", settings=("halving",))


@dataclass(frozen=True)
class FitProgress:
    """What one epoch came to.

    epoch       how many were fitted; deals, visits so far
    seconds     of the run so far; rate, decisions per second of fitting
    fitted      mean nats per decision on the fitted deals, with the cards drawn for them, as the epoch went
    imputed     of held-out deals after it; marginal, with the mean over hidden pairs
    best        whether no epoch had a better marginal one
    drawing     what it took to draw hidden cards
    """

    epoch: int
    deals: int
    seconds: float
    rate: float
    fitted: float
    imputed: Estimate
    marginal: Estimate
    best: bool
    drawing: Drawing
    warnings: tuple[str, ...] = ()

    def describe(self) -> dict[str, Any]:
        """The numbers by name."""
        found = {**asdict(self), "drawing": self.drawing._asdict()}
        for name in ("imputed", "marginal"):
            said = getattr(self, name).to_dict()
            found[name] = {key: value if isfinite(value) else None for key, value in said.items()}
        return found


class OpponentFit:
    """A run of fitting; `advance` goes on from where it is. Everything follows from records, start and seed.

    under_way   of the epoch that is: pieces done, nats and decisions of their visits, deals visited, and seconds
    """

    def __init__(self, start: Model, hands: Hands, fitting: Fitting | None = None, seed: int = 0) -> None:
        self.start, self.hands, self.seed = start, hands, seed
        self.fitting = fitting or Fitting()
        self.parts: Parts = split(hands, self.fitting.hold_out, seed)
        self.learning = self.fitting.learning
        self.deals, self.seconds = 0, 0.0
        self._flats: Floats = np.stack([start.flat, start.flat])  # weights now, and the best so far
        self._state: Floats = np.array([0.0, 0.0, 1e300])  # epochs, the best of them, and its nats
        self._gradient = np.zeros_like(start.flat)
        self._replay = Replay(hands, start.structure)
        self._checked = self._choose_checked()
        self.under_way: Floats = np.zeros(5)

    def _choose_checked(self) -> Any:
        """The held-out deals to check with: spread over all of them."""
        held = self.parts.held_out
        count = min(len(held), self.fitting.checked)
        return held[np.arange(count) * len(held) // count]

    @property
    def drawing(self) -> Floats:
        """What it took to draw hidden hands in this epoch, see `Replay`; float64[4]."""
        return self._replay.told

    @property
    def epochs(self) -> int:
        """How many were fitted."""
        return int(self._state[0])

    @property
    def finished(self) -> bool:
        """Whether all epochs are done, or the fit to the hold-out has not become better for long."""
        return self.epochs >= self.fitting.epochs or self.epochs - self._state[1] >= self.fitting.patience

    def describe(self) -> dict[str, Any]:
        """What the run is: two runs that say the same come to the same weights."""
        hands = self.hands
        counts = np.bincount(hands.players)
        return {
            "players": int(counts.argmax()),
            "seed": self.seed,
            "structure": self.start.structure.describe(),
            "rules": asdict(self._rules),
            "fitting": asdict(self.fitting),
            "start": checksum(self.start.flat),
            "records": {
                "deals": len(hands),
                "decisions": hands.decisions,
                "checksum": records_sum(hands),
            },
        }

    @property
    def _rules(self) -> TableRules:
        """The rules of most hands."""
        return self.hands.rules[int(np.bincount(self.hands.rule_numbers).argmax())]

    @property
    def model(self) -> Model:
        """The best fit so far, with weights of its own."""
        made = {"algorithm": "opponent model", "epochs": self.epochs, "best": int(self._state[1]), **self.describe()}
        return Model(self.start.structure, self._flats[1].copy(), made)

    def arrays(self) -> dict[str, Floats]:
        """The memory of the run."""
        return {"weights": self._flats, "state": self._state}

    def restore(self, deals: int, seconds: float, arrays: dict[str, Floats]) -> None:
        """Go back to a memory that `arrays` gave after so many deals."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self.deals, self.seconds = deals, seconds

    def measure(self, model: Model, every: bool = True) -> Fit:
        """The fit of a model to the hold-out, or to that part of it that is checked after an epoch."""
        numbers = self.parts.held_out if every else self._checked
        return measure_fit(model, self.hands, numbers, derive_seed(self.seed, CHECK))

    def train_epoch(self) -> FitProgress:
        """Visit every fitted deal once, in batches in a new order, and check the result; see `advance`."""
        while (found := self.advance()) is None:
            pass
        return found

    def advance(self) -> FitProgress | None:
        """The next visits of an epoch, about a second of them; after the last the result is checked, and told.

        ModelError, and the weights as they were before the batch, where a gradient is not a number.
        """
        started, epoch, piece = perf_counter(), self.epochs, int(self.under_way[0])
        run = make_record(RUN, learn_policy=True, learn_observer=True, reward_scale=1.0, floor=self.learning.floor)
        slower = 1.0 / (1.0 + epoch / self.fitting.halving) if self.fitting.halving else 1.0
        if piece == 0:
            self._replay.told[:] = 0.0
        for batch in self._batches(piece):
            for visit in batch:
                self.under_way[1:3] += self._learn(visit, run, epoch)
            self._step(len(batch), slower)
            self.under_way[3] += len(batch)
        self.under_way[0] += 1
        self.under_way[4] += perf_counter() - started
        return self._check() if self.under_way[3] == len(self.parts.fitted) else None

    def _order(self) -> np.random.Generator:
        """What the order of an epoch is drawn from."""
        return np.random.Generator(np.random.PCG64(derive_seed(self.seed, ORDER, self.epochs)))

    def _batches(self, piece: int) -> Iterator[list[Any]]:
        """The visits of a piece of an epoch in a new order: numbers of deals."""
        order, size = self._order().permutation(self.parts.fitted).tolist(), self.learning.batch
        whole = AT_ONCE * size
        for first in range(piece * whole, min((piece + 1) * whole, len(order)), size):
            yield order[first : first + size]

    def _learn(self, hand: Any, run: Any, epoch: int) -> tuple[float, int]:
        """Add what a visit to a deal teaches to the gradient; its nats and decisions."""
        key, weights = derive_seed(self.seed, VISIT, epoch, hand), self._flats[0].view(WEIGHTS)
        if not self._replay.visit(hand, weights, key):
            return 0.0, 0
        self._replay.learn(key, weights, run, self._gradient.view(WEIGHTS))
        count = len(self.hands.actions_of(hand))
        return -float(np.log(self._replay.chances(count)[0]).sum()), count

    def _step(self, deals: int, slower: float) -> None:
        """Move the weights along the gradient, which is cleared, and running averages towards what was seen."""
        learning, flat, gradient = self.learning, self._flats[0], self._gradient
        rates = (learning.rate, learning.card_rate, learning.type_rate, learning.move_rate, learning.showdown_rate)
        for groups in ((0, 1), (2, 3, 4)):
            norm = float(np.linalg.norm(gradient[BEGINNINGS[groups[0]] : BEGINNINGS[groups[-1] + 1]])) / deals
            if not np.isfinite(norm):
                raise ModelError(
                    f"a gradient was not finite in epoch {self.epochs + 1}: learning rates are too high for this run"
                )
            shrink = learning.clip / norm if norm > learning.clip > 0 else 1.0
            for group in groups:
                part = slice(int(BEGINNINGS[group]), int(BEGINNINGS[group + 1]))
                flat[part] += rates[group] * slower * shrink * gradient[part]
        weights, sums = views(flat), views(gradient)
        for average, found in (*zip(weights.usage, sums.usage, strict=True), (weights.initial, sums.initial)):
            if total := float(found.sum()):
                average += (1.0 - (1.0 - learning.averaging) ** total) * (found / total - average)
        gradient[:] = 0.0
        self._replay.renew()

    def _check(self) -> FitProgress:
        """Measure the fit to the hold-out after an epoch, and keep the weights if they are the best."""
        started, (_, nats, decisions, visits, seconds) = perf_counter(), self.under_way.tolist()
        self._state[0] += 1
        self.deals += int(visits)
        self.under_way[:] = 0.0
        fit = self._measure_now()
        marginal = fit.mean(MARGINAL)
        best = bool(marginal.mean < self._state[2])
        if best:
            self._keep()
            self._state[1:] = self._state[0], marginal.mean
        self.seconds += seconds + perf_counter() - started
        return FitProgress(
            self.epochs, self.deals, self.seconds, decisions / max(seconds, 1e-9), nats / decisions,
            fit.mean(IMPUTED), marginal, best, self._replay.drawing, self._warnings(),
        )  # fmt: skip

    def _measure_now(self) -> Fit:
        """The fit of the weights as they are."""
        return self.measure(Model(self.start.structure, self._flats[0]), every=False)

    def _keep(self) -> None:
        """Remember the weights as the best so far."""
        self._flats[1] = self._flats[0]

    def _warnings(self) -> tuple[str, ...]:
        """What may have gone wrong."""
        found = []
        for name, usage in zip(("pre-flop", "flop", "turn", "river"), views(self._flats[0]).usage, strict=True):
            if usage.min() < COLLAPSED:
                found.append(f"card-type {int(usage.argmin())} of the {name} is hardly used ({usage.min():.4f})")
        return tuple(found)


def records_sum(hands: Hands) -> str:
    """The checksum of records."""
    return checksum(np.concatenate([hands.actions, hands.cards.ravel(), hands.names.ravel()]))
