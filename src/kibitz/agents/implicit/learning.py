"""How an implicit agent learns which expert to trust: a bandit behind one interface, whatever its kind."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kibitz.bandits import UCB1, Choosing, Exp3, Exp3G, check_weights
from kibitz.errors import AgentError
from kibitz.modelling.estimators import TECHNIQUES, Experts, Played, estimate
from kibitz.policy.base import Floats

# Name -> the settings that it has.
BANDITS = {
    "exp3g": ("rate", "least", "explore", "share", "discount", "estimator", "seats"),
    "ucb1": ("scale", "discount", "estimator", "seats"),
    "exp3": ("gamma", "estimator", "seats"),
    "static": ("weights",),
}
MONEY = "money"
SEATS = ("common", "each")


@dataclass(frozen=True)
class Learning:
    """Settings of an implicit agent. Rewards are counted in big blinds, in antes where all players post the same.

    bandit     exp3g (mixes all experts, learns about all), ucb1 or exp3 (play one expert a hand, learn about it), or
               static (a fixed mixture)
    rate       exp3g: exponential weights per unit of reward, eta of Bard 2016
    least      exp3g: weight that every expert keeps
    explore    exp3g: how it is kept, floor or mix
    share      exp3g: share of the weight that is handed out anew every hand, for opponents that change
    discount   exp3g and ucb1: factor by which what was learnt counts less every hand; 1 forgets nothing
    scale      ucb1: width of the confidence bounds, in units of reward
    gamma      exp3: share of uniform exploration
    estimator  of rewards: imaginary, cards, folds or importance (see `TECHNIQUES`); or money, what was won, for ucb1
               and exp3, where it is the default
    seats      common: one sum of rewards for each expert; each: one for each of its two seats
    weights    static: the mixture, alike where none is given
    """

    bandit: str = "exp3g"
    rate: float = 0.025
    least: float = 0.02
    explore: str = "floor"
    share: float = 0.0
    discount: float = 1.0
    scale: float = 2.0
    gamma: float = 0.1
    estimator: str = ""
    seats: str = "common"
    weights: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for what, given, allowed in (
            ("bandit", self.bandit, BANDITS),
            ("seats", self.seats, SEATS),
            ("estimator", self.estimator or MONEY, (*TECHNIQUES, MONEY)),
        ):
            if given not in allowed:
                raise AgentError(f"{what} {given!r}: one of {', '.join(allowed)}")
        if self.bandit == "exp3g" and self.estimator == MONEY:
            raise AgentError("exp3g by money: it learns about experts that were not played, and needs an estimator")

    @property
    def is_choosing(self) -> bool:
        """Whether one expert is played in a hand."""
        return self.bandit in ("ucb1", "exp3")

    @property
    def rewards(self) -> str:
        """The estimator, with its default."""
        return self.estimator or (MONEY if self.is_choosing else "imaginary")

    def learner(self, experts: Experts, unit: float, most: float) -> Learner:
        """One who learns; unit = reward of one chip, most = the most chips that a hand can win."""
        count = len(experts)
        if self.bandit == "exp3g":
            kept: dict[str, float] = {"share": self.share, "discount": self.discount}
            return _Mixing(self, experts, unit, Exp3G(count, self.rate, self.least, self.explore, **kept))
        if self.bandit == "ucb1":
            return _Choosing(self, experts, unit, UCB1(count, self.scale, self.discount), float)
        if self.bandit == "exp3":
            return _Choosing(self, experts, unit, Exp3(count, self.gamma), _scaled(unit * most))
        return _Static(self, experts, unit)


def _scaled(most: float) -> Callable[[float], float]:
    """What brings rewards of at most `most` into 0 to 1."""
    return lambda reward: float(np.clip(0.5 + reward / (2 * most), 0.0, 1.0))


class Learner(ABC):
    """The weights of a seat's next hand, and what is learnt from it.

    weights    : float64[experts]
    estimates  : float64[experts], what each would have won in the last hand, in units of reward; nan where unknown
    """

    def __init__(self, learning: Learning, experts: Experts, unit: float) -> None:
        self.learning, self.experts, self.unit = learning, experts, unit
        self.estimates: Floats = np.full(len(experts), np.nan)
        self.weights: Floats = np.full(len(experts), 1.0 / len(experts))

    def begin(self, uniform: Callable[[], float]) -> None:  # noqa: B027 - most need no chance
        """A hand begins; uniform gives random numbers in [0, 1)."""

    @abstractmethod
    def learn(self, played: Played) -> None:
        """A hand is over."""


class _Mixing(Learner):
    """All experts at once, by what the estimator makes of the hand."""

    def __init__(self, learning: Learning, experts: Experts, unit: float, bandit: Exp3G) -> None:
        super().__init__(learning, experts, unit)
        self.bandit, self._technique = bandit, TECHNIQUES[learning.rewards]
        self.weights = bandit.weights()

    def learn(self, played: Played) -> None:
        self.estimates = self.unit * estimate(self.experts, self.weights, played, self._technique)
        self.bandit.update(self.estimates)
        self.weights = self.bandit.weights()


class _Choosing(Learner):
    """One expert a hand, by what it won, or by the estimator of itself."""

    def __init__(
        self, learning: Learning, experts: Experts, unit: float, bandit: Choosing, scaled: Callable[[float], float]
    ) -> None:
        super().__init__(learning, experts, unit)
        self.bandit, self._scaled, self._arm = bandit, scaled, 0
        self._alone = [Experts([policy]) for policy in experts.policies]

    def begin(self, uniform: Callable[[], float]) -> None:
        self._arm = self.bandit.choose(uniform())
        self.weights = np.zeros(len(self.experts))
        self.weights[self._arm] = 1.0

    def learn(self, played: Played) -> None:
        if self.learning.rewards == MONEY:
            chips = float(played.state.returns()[played.seat])
        else:
            chips = float(estimate(self._alone[self._arm], np.ones(1), played, TECHNIQUES[self.learning.rewards])[0])
        self.estimates = np.full(len(self.experts), np.nan)
        self.estimates[self._arm] = self.unit * chips
        self.bandit.learn(self._arm, self._scaled(self.unit * chips))


class _Static(Learner):
    """A fixed mixture, which learns nothing."""

    def __init__(self, learning: Learning, experts: Experts, unit: float) -> None:
        super().__init__(learning, experts, unit)
        if learning.weights:
            self.weights = check_weights(learning.weights, len(experts))

    def learn(self, played: Played) -> None:
        pass
