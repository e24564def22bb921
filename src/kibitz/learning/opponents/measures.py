"""How well a model fits recorded hands: the mean negative log-likelihood of a decision, with intervals over matches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from kibitz.learning.histories import SHOWN, Hands, keep_together
from kibitz.learning.histories.hands import Integers
from kibitz.learning.model import Floats, Model, ModelError
from kibitz.learning.opponents.replaying import Replay
from kibitz.random import derive_seed
from kibitz.statistics import Estimate
from kibitz.statistics.estimates import weighted_half_width

UNIFORM, IMPUTED, MARGINAL = range(3)  # rows of `Fit.nats`


@dataclass(frozen=True, eq=False)
class Fit:
    """The fit of one model to some hands, by what is independent of each other: matches, or blocks of deals.

    decisions : float64[u]   of each of u units
    nats : float64[3, u]     sums of -ln P(action): with all legal actions equally likely; with hidden cards drawn given
                             the actions, which is optimistic; and with the mean over hidden pairs, which is not
    unit                     what the units are
    """

    decisions: Floats
    nats: Floats
    unit: str

    def mean(self, kind: int, over: Floats | None = None) -> Estimate:
        """The mean per decision in nats, or as a share of what sums to `over`."""
        weights = self.decisions if over is None else over
        return _ratio(self.nats[kind], weights, "nats per decision" if over is None else "share")

    def gain_over(self, other: Fit, kind: int = MARGINAL) -> Estimate:
        """How many nats per decision less than `other` on the same hands, unit by unit."""
        return _ratio(other.nats[kind] - self.nats[kind], self.decisions, "nats per decision")

    def describe(self) -> dict[str, Any]:
        """The three measures, nats, bits and share of the uniform entropy, each with imputed and with all cards."""
        found: dict[str, Any] = {"decisions": int(self.decisions.sum()), "units": len(self.decisions), "of": self.unit}
        for name, kind in (("imputed", IMPUTED), ("marginal", MARGINAL)):
            nats, share = self.mean(kind), self.mean(kind, self.nats[UNIFORM])
            found[name] = {"nats": nats.to_dict(), "share": share.to_dict()}
            found[name]["bits"] = {key: value / log(2) for key, value in nats.to_dict().items()}
        return found


def _ratio(sums: Floats, weights: Floats, unit: str) -> Estimate:
    """The ratio of sums over units with its interval."""
    return Estimate(
        float(sums.sum() / weights.sum()), weighted_half_width(sums / weights, weights), len(sums), unit
    )  # fmt: skip


def measure_fit(
    model: Model, hands: Hands, numbers: Integers, seed: int = 0, tell: Callable[[int], None] = lambda _done: None
) -> Fit:
    """The fit of `model` to the hands with these numbers; hidden cards are drawn with `seed`."""
    replay, weights = Replay(hands, model.structure), model.record
    sums = np.zeros((4, len(numbers)))
    for place, hand in enumerate(numbers.tolist()):
        sums[:, place] = measure_hand(replay, hand, weights, derive_seed(seed, hand))
        tell(place + 1)
    return gather(hands, numbers, sums)


def measure_hand(replay: Replay, hand: int, weights: Any, key: int) -> tuple[float, float, float, float]:
    """The number of decisions of a hand and its sums of nats, as in `Fit`."""
    if not replay.visit(hand, weights, key, exact=True):
        raise ModelError(
            f"{replay.hands.sources[hand]}: no hands without a common card were found for its hidden cards"
        )
    count = len(replay.hands.actions_of(hand))
    chances, uniform = replay.chances(count)
    nats = -np.log(chances)
    shown = replay.hands.seen[hand, replay.work["player"][0, :count]] == SHOWN
    return count, -float(np.log(uniform).sum()), float(nats.sum()), float(nats[shown].sum() - replay.logs.sum())


def gather(hands: Hands, numbers: Integers, sums: Floats) -> Fit:
    """Decisions and nats of single hands, float64[4, n], as a fit by match."""
    units, unit = keep_together(hands)
    found, places = np.unique(units[numbers], return_inverse=True)
    totals = np.array([np.bincount(places, weights=row, minlength=len(found)) for row in sums])
    return Fit(totals[0], totals[1:], unit)
