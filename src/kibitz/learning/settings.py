"""How an agent learns: rates, baselines and the like. The thesis gives none of these numbers; they are ours."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from kibitz.learning.model import ModelError

BASELINES = ("none", "fold", "mean", "linear")


@dataclass(frozen=True)
class Learning:
    """Settings of a run of self-play.

    rate          of the policy's weights of bet features, values and beliefs, for the sum over deals
    card_rate     of its weights of card features
    type_rate     of the observer's card-type weights; move_rate, of its transitions; showdown_rate, of ln q
    batch         deals per gradient step
    baseline      what a return is compared with: nothing, what a fold would lose ("fold"), or that and what is gained
                  beyond it on average by stage ("mean") or by a linear function of the bet features ("linear")
    baseline_rate of the learned baselines
    reward_scale  chips that count as a reward of 1, without pot_scaling
    pot_scaling   count returns in pots after the call: every decision then has a learning rate of its own, and
                  the raising wars of players who know nothing yet do not drown all that is learned later
    clip          bound on the norm of the mean gradient of a batch, policy and observer apart; 0 for none
    entropy       weight of the policy's entropy in what is maximised, which falls as rates do; 0 is REINFORCE alone,
                  which hardly unlearns what beginners learn: where a probability is near 0, so is its gradient
    halving       deals after which rates are half of what they were: 1 / (1 + deals / halving); 0 for constant rates
    averaging     constant of the running averages of card-types; floor, below which they do not slow learning
    anchor_pull   weight of the squared distance to a lagging anchor; anchor_rate, how fast it follows, per deal
    scale         standard deviation of the first, random weights; value_scale, of those of outcome states' values
    """

    rate: float = 3e-4
    card_rate: float = 3e-3
    type_rate: float = 2e-4
    move_rate: float = 1e-5
    showdown_rate: float = 1e-2
    batch: int = 32
    baseline: str = "fold"
    baseline_rate: float = 1e-4
    reward_scale: float = 8.0
    pot_scaling: bool = True
    clip: float = 5.0
    entropy: float = 0.1
    halving: float = 2e6
    averaging: float = 1e-4
    floor: float = 0.01
    anchor_pull: float = 0.0
    anchor_rate: float = 1e-6
    scale: float = 0.05
    value_scale: float = 1.0

    def __post_init__(self) -> None:
        if self.baseline not in BASELINES:
            raise ModelError(f"a baseline {self.baseline!r}: there are {', '.join(BASELINES)}")
        if not 1 <= self.batch <= 100_000:
            raise ModelError(f"batches of {self.batch} deals: 1 to 100,000")
        for name, value in asdict(self).items():
            if isinstance(value, float) and not (math.isfinite(value) and value >= 0):
                raise ModelError(f"{name} = {value}: a finite number that is not negative")
        for name in ("reward_scale", "floor", "averaging"):
            if not getattr(self, name) > 0:
                raise ModelError(f"{name} = {getattr(self, name)}: a positive number is needed")

    def describe(self) -> dict[str, Any]:
        """What a model file says of it."""
        return asdict(self)
