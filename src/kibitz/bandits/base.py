"""What bandits have in common."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError

Floats = npt.NDArray[np.float64]


class BanditError(KibitzError):
    """Settings or rewards that a bandit cannot use."""


class Choosing(Protocol):
    """A bandit that plays one arm a round."""

    def choose(self, uniform: float) -> int:
        """The arm of the next round; uniform = a random number in [0, 1)."""

    def learn(self, arm: int, reward: float) -> None:
        """A round is over, in which `arm` was played."""


def check_arms(arms: int) -> None:
    """Refuse a bandit without arms."""
    if arms < 1:
        raise BanditError(f"{arms} arms: a bandit has at least one")


def check_number(value: float, name: str, low: float, high: float) -> None:
    """Refuse a setting outside [low, high], and what is no number."""
    if not low <= value <= high:
        raise BanditError(f"{name} = {value:g}: from {low:g} to {high:g}")


def check_rewards(rewards: npt.ArrayLike, arms: int) -> Floats:
    """Rewards as an array; refuse what is not one finite number for each arm."""
    found = np.asarray(rewards, dtype=np.float64)
    if found.shape != (arms,):
        raise BanditError(f"rewards of shape {found.shape}: one for each of {arms} arms")
    if not np.isfinite(found).all():
        raise BanditError(f"rewards {found.tolist()}: not all of them are finite numbers")
    return found


def check_weights(weights: npt.ArrayLike, arms: int) -> Floats:
    """Weights as an array; refuse what is no distribution over the arms."""
    found = np.asarray(weights, dtype=np.float64)
    if found.shape != (arms,):
        raise BanditError(f"weights of shape {found.shape}: one for each of {arms} arms")
    if not np.isfinite(found).all():
        raise BanditError(f"weights {found.tolist()}: not all of them are finite numbers")
    if (found < 0).any() or abs(found.sum() - 1) > 1e-9:
        raise BanditError(f"weights {found.tolist()}: none is negative, and they sum to 1")
    return found


def pick(weights: Floats, uniform: float) -> int:
    """The arm at `uniform` (in [0, 1)) of the cumulative weights."""
    arm = int(np.searchsorted(np.cumsum(weights), uniform * weights.sum(), side="right"))
    return min(arm, len(weights) - 1)
