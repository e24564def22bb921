"""How well a model fits recorded hands: the mean negative log-likelihood of a decision, with intervals over matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from kibitz.learning.histories import SHOWN, Hands, Integers, keep_together
from kibitz.learning.model import Floats, Model, ModelError
from kibitz.learning.opponents.replaying import Replay
from kibitz.random import derive_seed
from kibitz.statistics import Estimate, weighted_half_width

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

    @classmethod
    def of(cls, hands: Hands, numbers: Integers, sums: Floats) -> Fit:
        """From decisions and nats of single hands: float64[4, n]."""
        units, unit = keep_together(hands)
        found, places = np.unique(units[numbers], return_inverse=True)
        totals = np.array([np.bincount(places, weights=row, minlength=len(found)) for row in sums])
        return cls(totals[0], totals[1:], unit)

    def mean(self, kind: int, over: Floats | None = None) -> Estimate:
        """The mean per decision in nats, or as a share of what sums to `over`."""
        if over is None:
            return _ratio(self.nats[kind], self.decisions)
        return _ratio(self.nats[kind], over, "share")

    def gain_over(self, other: Fit, kind: int = MARGINAL) -> Estimate:
        """How many nats per decision less than `other` on the same hands, unit by unit."""
        return _ratio(other.nats[kind] - self.nats[kind], self.decisions)

    def describe(self) -> dict[str, Any]:
        """The three measures, nats, bits and share of the uniform entropy, each with imputed and with all cards."""
        found: dict[str, Any] = {"decisions": int(self.decisions.sum()), "units": len(self.decisions), "of": self.unit}
        for name, kind in (("imputed", IMPUTED), ("marginal", MARGINAL)):
            nats, share = self.mean(kind).to_dict(), self.mean(kind, self.nats[UNIFORM]).to_dict()
            bits = {key: value / log(2) for key, value in nats.items()}
            found[name] = {"nats": nats, "share": share, "bits": bits}
        return found


def _ratio(sums: Floats, weights: Floats, unit: str = "nats per decision") -> Estimate:
    """The ratio of sums over units with its interval."""
    half = weighted_half_width(sums / weights, weights)
    return Estimate(float(sums.sum() / weights.sum()), half, len(sums), unit)


def describe_fits(fits: Mapping[str, Fit]) -> dict[str, Any]:
    """Fits as a manifest says them, and beside them what equally likely actions come to."""
    first = next(iter(fits.values()))
    return {"fits": {name: each.describe() for name, each in fits.items()}, "uniform": first.mean(UNIFORM).to_dict()}


def measure_fit(model: Model, hands: Hands, numbers: Integers, seed: int = 0) -> Fit:
    """The fit of `model` to the hands with these numbers; hidden cards are drawn with `seed`."""
    replay, sums = Replay(hands, model), np.zeros((4, len(numbers)))
    for place, hand in enumerate(numbers.tolist()):
        if not replay.visit(hand, derive_seed(seed, hand), exact=True):
            raise ModelError(f"{hands.sources[hand]}: no hands without a common card were found for its hidden cards")
        nats = replay.nats()
        marginal = nats[hands.seen[hand] == SHOWN].sum() - replay.logs.sum()
        sums[:, place] = replay.work["decisions"], replay.uniform(), nats.sum(), marginal
    return Fit.of(hands, numbers, sums)
