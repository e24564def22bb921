"""Bandits that play one arm a round and see what it pays: UCB1 and Exp3 (Auer and others 2002).

Exp3 is for rewards from 0 to 1, which its callers scale; UCB1 takes their range as its scale.
"""

from __future__ import annotations

import numpy as np

from kibitz.bandits.base import BanditError, Floats, check_arms, check_number, pick


class UCB1:
    """The arm with the highest upper confidence bound: mean + scale * sqrt(2 ln t / n).

    scale     the range of the rewards; smaller explores less
    discount  old rounds count less by this factor a round (Garivier and Moulines 2011); 1 forgets nothing
    """

    def __init__(self, arms: int, scale: float = 1.0, discount: float = 1.0) -> None:
        check_arms(arms)
        check_number(scale, "scale", 0, np.inf)
        check_number(discount, "discount", 0, 1)
        self.arms, self.scale, self.discount = arms, scale, discount
        self.sums, self.plays = np.zeros(arms), np.zeros(arms)

    def choose(self, uniform: float = 0.0) -> int:
        """Arms that were not played come first, in order; of equal bounds the first."""
        if (self.plays == 0).any():
            return int(np.argmax(self.plays == 0))
        spread = np.sqrt(2 * np.log(max(self.plays.sum(), 1.0)) / self.plays)
        return int(np.argmax(self.sums / self.plays + self.scale * spread))

    def learn(self, arm: int, reward: float) -> None:
        self.sums, self.plays = self.discount * self.sums, self.discount * self.plays
        self.sums[arm] += _finite(reward)
        self.plays[arm] += 1


class Exp3:
    """Exponential weights by importance-weighted rewards from 0 to 1, with a share `gamma` of uniform exploration."""

    def __init__(self, arms: int, gamma: float = 0.1) -> None:
        check_arms(arms)
        check_number(gamma, "gamma", 0, 1)
        self.arms, self.gamma = arms, gamma
        self._logs = np.zeros(arms)

    def weights(self) -> Floats:
        """The chance of each arm, float64[arms]."""
        shares = np.exp(self._logs)
        return np.asarray((1 - self.gamma) * shares / shares.sum() + self.gamma / self.arms)

    def choose(self, uniform: float) -> int:
        return pick(self.weights(), uniform)

    def learn(self, arm: int, reward: float) -> None:
        _check_unit(reward)
        self._logs[arm] += self.gamma * reward / (self.weights()[arm] * self.arms)
        self._logs -= self._logs.max()  # only differences matter


def _finite(reward: float) -> float:
    if not np.isfinite(reward):
        raise BanditError(f"a reward of {reward}: a finite number is needed")
    return float(reward)


def _check_unit(reward: float) -> None:
    if not 0 <= reward <= 1:
        raise BanditError(f"a reward of {reward:g}: from 0 to 1; scale rewards first")
