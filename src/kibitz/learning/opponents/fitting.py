"""Fitting the mean strategy of recorded players, whose cards are mostly hidden (Sweeney 2012, section 6.1).

Stochastic EM: at every visit to a deal its hidden cards are drawn from what the model makes of the betting now, and the
weights move along the gradient of ln P(action | cards). The observer learns from the same deals, as in self-play.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from time import perf_counter
from typing import Any, ClassVar

import numpy as np

from kibitz.errors import KibitzError
from kibitz.files import checksum, plain
from kibitz.learning.files import model_artefact
from kibitz.learning.histories import Hands, split
from kibitz.learning.model import BEGINNINGS, SIZE, Floats, Model, ModelError
from kibitz.learning.opponents.measures import IMPUTED, MARGINAL, Fit, describe_fits, measure_fit, spread
from kibitz.learning.opponents.replaying import Replay
from kibitz.learning.records import RUN, WEIGHTS, make_record
from kibitz.learning.settings import Learning
from kibitz.learning.training import lost_types
from kibitz.plans import Artefact, Report, Row
from kibitz.progress import Progress, silent
from kibitz.random import derive_seed

ORDER, VISIT, CHECK = 1, 2, 3  # streams of random numbers
AT_ONCE = 32  # batches of a piece of an epoch
RATES = Learning(rate=4e-3, card_rate=8e-3, type_rate=2e-3, move_rate=1e-4, showdown_rate=1e-2, averaging=1e-3)
NOW, BEST, GRADIENT = range(3)  # rows of weights


@dataclass(frozen=True)
class Fitting:
    """How a model is fitted."""

    _least: ClassVar[dict[str, int]] = {"epochs": 1, "patience": 1, "checked": 1, "halving": 0}

    epochs: int = 30  # at most
    patience: int = 4  # epochs without a better fit to the hold-out after which it ends
    hold_out: float = 0.2  # share of matches that is not fitted to
    checked: int = 2000  # held-out deals that a fit is measured with after an epoch, at most
    halving: float = 4.0  # epochs after which rates are halved: 1 / (1 + epoch / halving); 0 for constant rates
    learning: Learning = RATES  # rates are those of the sum over the deals of a batch

    def __post_init__(self) -> None:
        for name, least in self._least.items():
            if not getattr(self, name) >= least:
                raise KibitzError(f"{name} = {getattr(self, name)}: {least} or more", settings=(name,))


class OpponentFit:
    """A run of fitting: `train_epoch` in memory, or step by step as a `plans.Run`.

    Everything follows from records, start and seed.
    others      models that are measured beside the result, by what they are called; None if nothing is measured in the
                end. `tell` hears of the measuring
    weights     rows NOW, BEST (the best so far) and GRADIENT, of a model and of what a subclass adds
    state       epochs, the best of them, its nats, visits and seconds
    under_way   of the epoch that is: pieces done, nats and decisions of their visits, deals visited, and seconds
    """

    def __init__(
        self, start: Model, hands: Hands, fitting: Fitting | None = None, seed: int = 0, more: Any = ()
    ) -> None:
        self.start, self.hands, self.seed, self.fitting = start, hands, seed, fitting or Fitting()
        self.learning, self.parts = self.fitting.learning, split(hands, self.fitting.hold_out, seed)
        self.others: Mapping[str, Model] | None = None
        self.tell: Progress = silent
        flat = np.append(start.flat, more)
        self._weights: Floats = np.stack([flat, flat, np.zeros_like(flat)])
        self._state, self._under_way = np.array([0.0, 0.0, 1e300, 0.0, 0.0]), np.zeros(5)
        floor = self.learning.floor
        self._run = make_record(RUN, learn_policy=True, learn_observer=True, reward_scale=1.0, floor=floor)
        self._replay = self._make_replay(Model(start.structure, self._weights[NOW, :SIZE]))

    def _make_replay(self, now: Model) -> Replay:
        """What recorded hands are played again with, by the weights as they are."""
        return Replay(self.hands, now)

    def describe(self) -> dict[str, Any]:
        """What the run is: two runs that say the same come to the same weights."""
        hands = self.hands
        rules = hands.rules[int(np.bincount(hands.rule_numbers).argmax())]  # of most hands
        return {
            "players": int(np.bincount(hands.players).argmax()),
            "seed": self.seed,
            "structure": self.start.structure.describe(),
            "rules": asdict(rules),
            "fitting": asdict(self.fitting),
            "start": checksum(self.start.flat),
            "records": {"deals": len(hands), "decisions": hands.decisions, "checksum": records_sum(hands)},
        }

    @property
    def model(self) -> Model:
        """The best fit so far, with weights of its own."""
        made = {"algorithm": "opponent model", "epochs": self.epochs, "best": int(self._state[1]), **self.describe()}
        return Model(self.start.structure, self._weights[BEST, :SIZE].copy(), made)

    @property
    def epochs(self) -> int:
        """How many were fitted."""
        return int(self._state[0])

    @property
    def finished(self) -> bool:
        """Whether all epochs are done, or the fit to the hold-out has not become better for long."""
        return self.epochs >= self.fitting.epochs or self.epochs - self._state[1] >= self.fitting.patience

    @property
    def done(self) -> int:
        """Visits of deals."""
        return int(self._state[3] + self._under_way[3])

    def arrays(self) -> dict[str, Floats]:
        """The memory of the run."""
        now = {"weights": self._weights[:GRADIENT], "state": self._state, "under_way": self._under_way}
        return {**now, "drawing": self._replay.told}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        """Go back to a memory that `arrays` gave."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        """The best fit, and how well it fits if that is measured."""
        found = self._kept()
        records = {"hands": len(self.hands), "decisions": self.hands.decisions, "epochs": self.epochs}
        measured = {} if self.others is None else plain(self._measured(self.others))
        return replace(found, made={**found.made, **records, **measured})

    def _kept(self) -> Artefact:
        return model_artefact(self.model)

    def _measured(self, others: Mapping[str, Model]) -> dict[str, Any]:
        """The fit of all models to the hold-out."""
        fits = self._measure_all({**others, "model": self.model})
        return describe_fits(fits) | {"nats per decision": fits["model"].mean(MARGINAL).mean}

    def _measure_all(self, models: Mapping[str, Model]) -> dict[str, Fit]:
        """The fit of each model to the hold-out."""
        found = {}
        for done, (name, model) in enumerate(models.items()):
            self.tell(f"measuring the fit of {name}", done, len(models))
            found[name] = self.measure(model)
        return found

    def measure(self, model: Model, every: bool = True) -> Fit:
        """The fit of a model to the hold-out, or to a part that is spread over it: what is checked after an epoch."""
        held = self.parts.held_out
        if not every:
            held = spread(held, self.fitting.checked)
        return measure_fit(model, self.hands, held, derive_seed(self.seed, CHECK))

    def step(self) -> Report | None:
        """The next visits of an epoch, about a second of them; after the last the result is checked, and told.

        ModelError, and the weights as they were before the batch, where a gradient is not a number.
        """
        if self.finished:
            return None
        row = self._advance()
        return Report(self.done, self.fitting.epochs * len(self.parts.fitted), "fitting", row)

    def train_epoch(self) -> Row:
        """Visit every fitted deal once, in batches in a new order, and check the result; see `step`."""
        while (row := self._advance()) is None:
            pass
        return row

    def _advance(self) -> Row | None:
        """The work of a step, and the row of the curve after the last of an epoch."""
        started, under_way, halving = perf_counter(), self._under_way, self.fitting.halving
        piece, slower = int(under_way[0]), 1.0 / (1.0 + self.epochs / halving) if halving else 1.0
        if piece == 0:
            self._replay.told[:] = 0.0
        for batch in self._batches(piece):
            for visit in batch:
                if (nats := self._learn(visit)) is not None:
                    under_way[1:3] += nats.sum(), self._replay.work["decisions"]
            if not np.isfinite(self._weights[GRADIENT]).all():
                raise ModelError(
                    f"a gradient was not finite in epoch {self.epochs + 1}: learning rates are too high for this run"
                )
            self._step(len(batch), slower)
            under_way[3] += len(batch)
        under_way[0] += 1
        under_way[4] += perf_counter() - started
        return self._check() if under_way[3] == len(self.parts.fitted) else None

    def _order(self) -> np.random.Generator:
        """What the order of an epoch is drawn from."""
        return np.random.Generator(np.random.PCG64(derive_seed(self.seed, ORDER, self.epochs)))

    def _batches(self, piece: int) -> Iterator[list[Any]]:
        """The visits of a piece of an epoch in a new order: numbers of deals."""
        order, size = self._order().permutation(self.parts.fitted).tolist(), self.learning.batch
        whole = AT_ONCE * size
        for first in range(piece * whole, min((piece + 1) * whole, len(order)), size):
            yield order[first : first + size]

    def _learn(self, visit: Any) -> Floats | None:
        """Add what a visit to a deal teaches to the gradient; its nats by seat, or None where no cards were found."""
        key = derive_seed(self.seed, VISIT, self.epochs, visit)
        return self._replay.learn(key, self._run, self._weights[GRADIENT]) if self._replay.visit(visit, key) else None

    def _step(self, deals: int, slower: float) -> None:
        """Move the weights along the gradient, which is cleared, and running averages towards what was seen."""
        from kibitz.learning._kernels import stepping

        each, (flat, _, gradient) = self.learning, self._weights[:, :SIZE]
        rates = slower * np.array([each.rate, each.card_rate, each.type_rate, each.move_rate, each.showdown_rate])
        for first, end in ((0, 2), (2, 5)):  # groups of the policy and of the observer
            stepping.step(flat, gradient, BEGINNINGS[first : end + 1], rates[first:end], each.clip, deals)
        stepping.average(flat.view(WEIGHTS)[0], gradient.view(WEIGHTS)[0], each.averaging)

    def _check(self) -> Row:
        """Measure the fit to the hold-out after an epoch, and keep the weights if they are the best.

        epoch, deals       how many were fitted, and visits so far; drawing, what it took to draw hidden cards
        seconds, rate      of the run so far; decisions per second of fitting
        fitted             mean nats per decision on the fitted deals, with the cards drawn for them, as the epoch went
        imputed, marginal  of held-out deals after it; the latter with the mean over hidden pairs
        best               whether no epoch had a better marginal one; warnings, what may have gone wrong
        """
        started, (_, nats, decisions, visits, seconds) = perf_counter(), self._under_way.tolist()
        state, fit = self._state, self._measure_now()
        self._under_way[:] = 0.0
        marginal = fit.mean(MARGINAL)
        best = bool(marginal.mean < state[2])
        state += 1.0, 0.0, 0.0, visits, seconds + perf_counter() - started
        if best:
            self._weights[BEST], state[1], state[2] = self._weights[NOW], state[0], marginal.mean
        rate = decisions / max(seconds, 1e-9)
        row = {"epoch": self.epochs, "deals": self.done, "seconds": state[4], "rate": rate, "fitted": nats / decisions}
        row |= {"imputed": fit.mean(IMPUTED).to_dict(), "marginal": marginal.to_dict(), "best": best}
        found: Row = plain(row | {"drawing": self._replay.drawing, "warnings": self._warnings()})
        return found

    def _measure_now(self) -> Fit:
        """The fit of the weights as they are."""
        return self.measure(self._replay.model, every=False)

    def _warnings(self) -> list[str]:
        """What may have gone wrong."""
        return lost_types(self._weights[NOW, :SIZE])


def records_sum(hands: Hands) -> str:
    """The checksum of records."""
    return checksum(np.concatenate([hands.actions, hands.cards.ravel(), hands.names.ravel()]))
