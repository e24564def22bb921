"""How an agent learns: rates, rewards and the like. The thesis gives none of these numbers; they are ours."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.learning.model import ModelError
from kibitz.learning.records import RIVALS, RUN, make_record
from kibitz.learning.rivals import Rivals

BASELINES = ("none", "fold")


@dataclass(frozen=True)
class Learning:
    """Settings of a run.

    rate          of the policy's weights of bet features, values and beliefs, for the sum over deals
    card_rate     of its weights of card features
    type_rate     of the observer's card-type weights; move_rate, of its transitions; showdown_rate, of ln q
    batch         deals per gradient step
    parts         of a batch, which threads can share; weights depend on it, and not on threads
    baseline      what a return is compared with: nothing, or what a fold would lose
    reward_scale  chips that count as a reward of 1, without pot_scaling
    pot_scaling   count returns in pots after the call: every decision then has a learning rate of its own, and
                  the raising wars of players who know nothing yet do not drown all that is learned later
    clip          bound on the norm of the mean gradient of a batch, policy and observer apart; 0 for none
    entropy       weight of the policy's entropy in what is maximised, which falls as rates do; 0 is REINFORCE alone,
                  which hardly unlearns what beginners learn: where a probability is near 0, so is its gradient
    halving       deals after which rates are half of what they were: 1 / (1 + deals / halving); 0 for constant rates
    least         share of the first rates below which they do not fall; least_entropy, the same of the entropy's weight
    averaging     constant of the running averages of card-types; floor, below which they do not slow learning
    window        averaged weights are those of the last 1 / window of all deals; 0 for the weights as they are
    scale         standard deviation of the first, random weights; value_scale, of those of outcome states' values
    """

    rate: float = 3e-4
    card_rate: float = 3e-3
    type_rate: float = 2e-4
    move_rate: float = 1e-5
    showdown_rate: float = 1e-2
    batch: int = 32
    parts: int = 1
    baseline: str = "fold"
    reward_scale: float = 8.0
    pot_scaling: bool = True
    clip: float = 5.0
    entropy: float = 0.1
    halving: float = 2e6
    least: float = 0.0
    least_entropy: float = 0.0
    averaging: float = 1e-4
    floor: float = 0.01
    window: float = 0.0
    scale: float = 0.05
    value_scale: float = 1.0

    def __post_init__(self) -> None:
        if self.baseline not in BASELINES:
            raise ModelError(f"a baseline {self.baseline!r}: there are {', '.join(BASELINES)}")
        if not 1 <= self.batch <= 100_000:
            raise ModelError(f"batches of {self.batch} deals: 1 to 100,000")
        if not 1 <= self.parts <= 64:
            raise ModelError(f"{self.parts} parts of a batch: 1 to 64")
        for name, value in asdict(self).items():
            if isinstance(value, float) and not (math.isfinite(value) and value >= 0):
                raise ModelError(f"{name} = {value}: a finite number that is not negative")
        for name in ("reward_scale", "floor", "averaging"):
            if not getattr(self, name) > 0:
                raise ModelError(f"{name} = {getattr(self, name)}: a positive number is needed")

    def describe(self) -> dict[str, Any]:
        """What a model file says of it."""
        return asdict(self)

    def run(self, seats: npt.NDArray[np.float64], rivals: Rivals = (), **more: Any) -> npt.NDArray[np.void]:
        """What kernels know of it, and of who sits down: a record `RUN`.

        seats : float64[11]   chances of numbers of players
        """
        same = ("batch", "reward_scale", "pot_scaling", "clip", "entropy", "halving", "least", "least_entropy",
                "averaging", "floor", "window")  # fmt: skip
        rows, total = np.zeros((RIVALS, RUN["rivals"].shape[1])), 0.0
        for row, rival in zip(rows, rivals, strict=False):
            total += rival.share
            row[:] = total, *rival.chances
        return make_record(
            RUN,
            seats=np.cumsum(seats),
            rivals=rows,
            baseline=BASELINES.index(self.baseline),
            rates=(self.rate, self.card_rate, self.type_rate, self.move_rate, self.showdown_rate),
            **{name: getattr(self, name) for name in same},
            **more,
        )
