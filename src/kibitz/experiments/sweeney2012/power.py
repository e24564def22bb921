"""How many matches it takes to see what adaptation gains (Sweeney 2012, section 6.6.1: about 0.09 chips)."""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np

from kibitz.learning.exploiters.adaptation import EFFECT, Adaptation
from kibitz.learning.exploiters.measuring import WIDTH, Rate
from kibitz.statistics import Z_95

Z_80 = 0.8416  # normal deviate that is exceeded with a chance of 20 %
SEEN = Z_95 + Z_80  # standard errors of an effect that a two-sided test at 5 % finds with a chance of 80 %


class Power(NamedTuple):
    """Spreads of matches with memory and without, in small blinds.

    matches      that were played
    deviation    of a deal, which is that of a point of figure 6-7 over matches
    paired       of the difference that memory makes in a bin of deals, over matches; of the bin with the largest
    rise         last bin less the first, with memory, and its standard error
    """

    matches: float
    deviation: float
    paired: float
    rise: float
    rise_error: float

    @classmethod
    def of(cls, found: Adaptation) -> Power:
        """Of matches that were measured."""
        chips = found.adaptive.chips
        rise = Rate.of(chips[:, -WIDTH:].mean(axis=1) - chips[:, :WIDTH].mean(axis=1))
        paired = max(each.error for each in found.by_deal()) * np.sqrt(len(chips))
        return cls(float(len(chips)), found.adaptive.deviation, float(paired), *rise)

    @property
    def rise_spread(self) -> float:
        """Standard deviation of the rise over matches."""
        return self.rise_error * sqrt(self.matches)


def least_effect(spread: float, matches: float) -> float:
    """The least difference that so many matches show with a chance of 80 % (5 %, two-sided)."""
    return SEEN * spread / sqrt(matches)


def matches_needed(spread: float, effect: float = EFFECT) -> int:
    """Matches that show such an effect with a chance of 80 %."""
    return ceil((SEEN * spread / effect) ** 2)
