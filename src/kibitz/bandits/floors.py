"""Weights kept away from zero, so that every arm goes on being explored."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from kibitz.bandits.base import BanditError, Floats


def check_least(least: float, arms: int) -> None:
    """Refuse a least weight that the arms cannot all have."""
    if not 0 <= least * arms <= 1:
        raise BanditError(f"a least weight of {least:g} for {arms} arms: from 0 to {1 / arms:g}")


def floored(weights: Floats, least: float) -> Floats:
    """Weights below `least` raised to it, the others scaled down so that all sum to 1; repeated until none is below.

    >>> floored(np.array([0.9, 0.09, 0.01]), 0.05).round(4).tolist()
    [0.8636, 0.0864, 0.05]
    """
    check_least(least, len(weights))
    low = np.zeros(len(weights), dtype=bool)
    found = np.array(weights, dtype=np.float64)
    while (found[~low] < least).any():
        low |= found < least
        free = 1.0 - least * low.sum()
        total = weights[~low].sum()
        found = np.where(low, least, weights * (free / total) if total > 0 else least)
    return found


def mixed(weights: Floats, least: float) -> Floats:
    """The weights mixed with the uniform ones: (1 - least * arms) * weights + least.

    >>> mixed(np.array([0.9, 0.09, 0.01]), 0.05).round(4).tolist()
    [0.815, 0.1265, 0.0585]
    """
    check_least(least, len(weights))
    return np.asarray((1 - least * len(weights)) * weights + least)


# Name -> how weights are kept at or above a least one.
EXPLORATIONS: dict[str, Callable[[Floats, float], Floats]] = {"floor": floored, "mix": mixed}
