"""Self-play: deals are simulated, the policy learns by REINFORCE and the observer by conditional likelihood.

>>> from kibitz.learning import SelfPlay, Structure
>>> trainer = SelfPlay(players=3, seed=5)                       # doctest: +SKIP
>>> progress = trainer.train(64_000)                            # doctest: +SKIP
>>> trainer.model.weights.usage.shape                           # doctest: +SKIP
(4, 8)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.learning.model import BEGINNINGS, SIZE, Floats, Model, ModelError, Structure
from kibitz.learning.records import BETS, RUN, STAGES, WEIGHTS, make_record, make_work
from kibitz.learning.settings import BASELINES, Learning
from kibitz.learning.tables import TableRules, seat_chances

MOST_DEALS = 2**53
SIZE_OF_TOLD = 64
COLLAPSED = 0.002  # usage of a card-type below which it is as good as lost
LARGE = 50.0  # weights beyond this have no business in a soft-max


@dataclass(frozen=True)
class Progress:
    """What was seen in the deals since the last report.

    deals        of the run so far
    seconds      spent on it
    rate         deals per second
    decisions    per deal, and by stage
    actions      shares of fold, call and raise at each stage
    entropy      of decisions in bits, by stage
    voluntary    share of seats that put chips in of their own accord (VP$IP)
    deviation    standard deviation of a seat's return, in small blinds
    likelihood   ln of the observer's conditional likelihood, per decision
    showdowns    share of deals
    usage        of card-types, by stage
    norms        mean norms of the gradients of policy and observer, per deal
    warnings     what may have gone wrong
    """

    deals: int
    seconds: float
    rate: float
    decisions: tuple[float, ...]
    actions: tuple[tuple[float, ...], ...]
    entropy: tuple[float, ...]
    voluntary: float
    deviation: float
    likelihood: float
    showdowns: float
    usage: tuple[tuple[float, ...], ...]
    norms: tuple[float, float]
    warnings: tuple[str, ...] = ()

    @property
    def mean_entropy(self) -> float:
        """The entropy of a decision in bits."""
        return sum(map(float.__mul__, self.entropy, self.decisions)) / max(sum(self.decisions), 1e-12)

    def describe(self) -> dict[str, Any]:
        """The numbers by name."""
        return asdict(self)


class SelfPlay:
    """A run of self-play; `train` goes on from where it is. Everything follows from the seed and the settings.

    sums   since the last report: what kernels told, norms of gradients, batches and seconds
    """

    def __init__(
        self,
        players: int | str = 6,
        seed: int = 0,
        structure: Structure | None = None,
        rules: TableRules | None = None,
        learning: Learning | None = None,
    ) -> None:
        self.players, self.seed = players, seed
        self.structure, self.rules = structure or Structure(), rules or TableRules()
        self.learning = learning or Learning()
        self.deals, self.seconds = 0, 0.0
        self._flats: Floats = np.zeros((3, SIZE))  # weights, gradient, anchor
        first = Model.random(self.structure, seed, self.learning.scale, self.learning.value_scale)
        self._flats[0] = first.flat
        self._flats[2] = self._flats[0]
        self._linear: Floats = np.zeros((STAGES, BETS + 1))
        self._work = make_work()
        self._run = self._make_run()
        self.sums = {"told": np.zeros(SIZE_OF_TOLD), "norms": np.zeros(2), "spent": np.zeros(2)}

    def _make_run(self) -> npt.NDArray[np.void]:
        learning = self.learning
        return make_record(
            RUN,
            seats=np.cumsum(seat_chances(self.players)),
            learn_policy=True,
            learn_observer=True,
            baseline=BASELINES.index(learning.baseline),
            reward_scale=learning.reward_scale,
            pot_scaling=learning.pot_scaling,
            entropy=learning.entropy,
            floor=learning.floor,
        )

    def describe(self) -> dict[str, Any]:
        """What the run is: two runs that say the same come to the same weights."""
        return {
            "players": self.players,
            "seed": self.seed,
            "structure": self.structure.describe(),
            "rules": asdict(self.rules),
            "learning": self.learning.describe(),
        }

    @property
    def model(self) -> Model:
        """The agent so far, with weights of its own."""
        made = {"algorithm": "self-play", "deals": self.deals, **self.describe()}
        return Model(self.structure, self._flats[0].copy(), made)

    def arrays(self) -> dict[str, Floats]:
        """The memory of the run: weights, anchor and baseline."""
        return {"weights": self._flats[0], "anchor": self._flats[2], "baseline": self._linear}

    def restore(self, deals: int, seconds: float, arrays: dict[str, Floats]) -> None:
        """Go back to a memory that `arrays` gave after so many deals."""
        for name, array in self.arrays().items():
            array[:] = arrays[name]
        self._flats[1] = 0.0
        self.deals, self.seconds = deals, seconds

    def train(self, deals: int) -> Progress:
        """Learn from so many more deals, in whole batches, and report; see `advance`."""
        self.advance(-(-deals // self.learning.batch))
        return self.report()

    def advance(self, batches: int) -> None:
        """Learn from so many more batches; ModelError, and the weights as they were before the batch, where a gradient
        is not a number.
        """
        from kibitz.learning import _kernels

        learning, sums = self.learning, self.sums
        rates = np.array(
            [learning.rate, learning.card_rate, learning.type_rate, learning.move_rate, learning.showdown_rate]
        )
        halving = learning.halving
        settings = np.array(
            [learning.clip, learning.anchor_pull, learning.anchor_rate, learning.averaging, halving,
             learning.baseline_rate]
        )  # fmt: skip
        weights, gradient = self._flats[0].view(WEIGHTS), self._flats[1].view(WEIGHTS)
        begun = perf_counter()
        done = _kernels.train_batches(
            self.seed, self.deals, batches, learning.batch, self._flats, BEGINNINGS, rates, settings, weights,
            weights, gradient, self._run, self.rules.table, self.structure.mode, self._work, self._linear,
            np.zeros_like(self._linear), sums["told"], sums["norms"], True,
        )  # fmt: skip
        seconds = perf_counter() - begun
        self.deals += done * learning.batch
        self.seconds += seconds
        sums["spent"] += done, seconds
        if done < batches or not np.isfinite(self._flats[0]).all():
            raise ModelError(
                f"a gradient was not finite after {self.deals:,} deals: learning rates are too high for this run"
            )

    def report(self) -> Progress:
        """What was seen since the last report."""
        told, (batches, seconds) = self.sums["told"].copy(), self.sums["spent"].tolist()
        norms = self.sums["norms"] / max(batches, 1)
        for each in self.sums.values():
            each[:] = 0.0
        deals, seats = max(told[1], 1.0), max(told[2], 1.0)
        decisions = told[8:12]
        each = np.maximum(decisions, 1.0)
        weights = self._flats[0].view(WEIGHTS)
        return Progress(
            self.deals,
            self.seconds,
            float(told[1] / max(seconds, 1e-9)),
            tuple((decisions / deals).tolist()),
            tuple(map(tuple, (told[12:24].reshape(4, 3) / each[:, None]).tolist())),
            tuple((told[24:28] / each / np.log(2)).tolist()),
            float(told[28] / seats),
            sqrt(told[29] / seats),
            float(told[0] / max(decisions.sum(), 1.0)),
            float(told[3] / deals),
            tuple(map(tuple, weights["usage"][0].tolist())),
            (float(norms[0]), float(norms[1])),
            self._warnings(),
        )

    def _warnings(self) -> tuple[str, ...]:
        """What may have gone wrong with the weights."""
        weights, found = self._flats[0].view(WEIGHTS), []
        for stage, usage in enumerate(weights["usage"][0]):
            if usage.min() < COLLAPSED:
                name = ("pre-flop", "flop", "turn", "river")[stage]
                found.append(f"card-type {int(usage.argmin())} of the {name} is hardly used ({usage.min():.4f})")
        largest = float(np.abs(self._flats[0][: BEGINNINGS[-1]]).max())
        if largest > LARGE:
            found.append(f"a weight has grown to {largest:.3g}: learning rates may be too high")
        return tuple(found)


def simulate(model: Model, players: int | str, deals: int, seed: int = 0, rules: TableRules | None = None) -> Floats:
    """Play deals of a model against itself without learning; sums as `kibitz.learning._kernels.tell` has them."""
    from kibitz.learning import _kernels

    told, nothing = np.zeros(SIZE_OF_TOLD), np.zeros((STAGES, BETS + 1))
    run = make_record(RUN, seats=np.cumsum(seat_chances(players)), reward_scale=1.0, floor=1.0)
    weights = model.flat.copy().view(WEIGHTS)
    _kernels.run_deals(
        seed, 0, deals, weights, weights, run, (rules or TableRules()).table, model.structure.mode, make_work(),
        nothing, np.zeros(SIZE).view(WEIGHTS), nothing.copy(), told,
    )  # fmt: skip
    return told
