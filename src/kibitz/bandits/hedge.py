"""Exponential weights over all arms: Hedge, its variants for arms that change, and Exp3G.

Hedge (Auer and others 1995) weighs arm k by exp(rate * G_k), where G_k is all that it has paid. Two variants forget, so
that they follow the best arm when it changes: sums are discounted, or a share of the weight is handed out anew after
every round (fixed share: Herbster and Warmuth 1998).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.bandits.base import BanditError, Floats, check_arms, check_number, check_rewards
from kibitz.bandits.floors import EXPLORATIONS, check_least


class Hedge:
    """Weights proportional to exp(rate * sums).

    rate      the temperature of Bard 2016, who calls it eta: per unit of reward
    discount  the sums are multiplied by it before a reward is added; 1 forgets nothing

    sums      : float64[arms], what the arms have paid, discounted
    """

    def __init__(self, arms: int, rate: float, discount: float = 1.0) -> None:
        check_arms(arms)
        check_number(rate, "rate", 0, np.inf)
        check_number(discount, "discount", 0, 1)
        self.arms, self.rate, self.discount = arms, rate, discount
        self.sums = np.zeros(arms)

    def weights(self) -> Floats:
        return softmax(self.rate * self.sums)

    def update(self, rewards: npt.ArrayLike) -> None:
        self.sums = self.discount * self.sums + check_rewards(rewards, self.arms)


class FixedShare:
    """Hedge, which after every round hands a share of the weight out anew, to all arms alike.

    share   from 0 (Hedge) to 1
    sums    : float64[arms], what the arms have paid
    """

    def __init__(self, arms: int, rate: float, share: float) -> None:
        check_arms(arms)
        check_number(rate, "rate", 0, np.inf)
        check_number(share, "share", 0, 1)
        self.arms, self.rate, self.share = arms, rate, share
        self.sums = np.zeros(arms)
        self._weights = np.full(arms, 1.0 / arms)

    def weights(self) -> Floats:
        return self._weights.copy()

    def update(self, rewards: npt.ArrayLike) -> None:
        found = check_rewards(rewards, self.arms)
        self.sums = self.sums + found
        with np.errstate(divide="ignore"):  # the logarithm of a weight that has gone is minus infinity
            now = softmax(np.log(self._weights) + self.rate * found)
        self._weights = (1 - self.share) * now + self.share / self.arms


class Exp3G:
    """Hedge on estimated rewards, with a least weight (Kocsis and Szepesvári 2005, as Bard 2016 uses it).

    least        weight that every arm keeps
    exploration  how: a name of `EXPLORATIONS`
    share        hand out this share anew every round, `FixedShare`; or
    discount     discount the sums, `Hedge`
    """

    def __init__(
        self,
        arms: int,
        rate: float = 0.025,
        least: float = 0.02,
        exploration: str = "floor",
        *,
        share: float = 0.0,
        discount: float = 1.0,
    ) -> None:
        if exploration not in EXPLORATIONS:
            raise BanditError(f"no exploration {exploration!r}: one of {', '.join(EXPLORATIONS)}")
        if share and discount != 1:
            raise BanditError(f"share {share:g} and discount {discount:g}: one way to forget, not both")
        check_arms(arms)
        check_least(least, arms)
        self.arms, self.least = arms, least
        self.learner = FixedShare(arms, rate, share) if share else Hedge(arms, rate, discount)
        self._explore = EXPLORATIONS[exploration]

    @property
    def sums(self) -> Floats:
        """What the arms have paid as far as it is remembered: float64[arms]."""
        return self.learner.sums

    def weights(self) -> Floats:
        return self._explore(self.learner.weights(), self.least)

    def update(self, rewards: npt.ArrayLike) -> None:
        self.learner.update(rewards)


def softmax(logits: Floats) -> Floats:
    """exp(logits), scaled to sum to 1; the largest is taken out first, so that nothing overflows."""
    found = np.exp(logits - logits.max())
    return np.asarray(found / found.sum())
