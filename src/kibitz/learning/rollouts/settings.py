"""What is measured of rollout errors."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.errors import KibitzError
from kibitz.learning.rollouts.errors import FOLDS


@dataclass(frozen=True)
class RolloutSettings:
    """What to measure: Algorithm 5-1 of Sweeney 2012 with its numbers of Table 5-1.

    common   later actions are drawn by the same numbers for all options of a sample; the thesis does not say
    """

    decisions: int = 10_000
    samples: int = 1_000
    folds: int = FOLDS
    seats: int | str = "irc"
    seed: int = 0
    common: bool = True

    def __post_init__(self) -> None:
        if self.decisions < 1:
            raise KibitzError(f"{self.decisions} decisions: at least one is needed", settings=("decisions",))
        if not 2 <= self.folds <= self.samples:
            raise KibitzError(f"{self.folds} folds of {self.samples} samples: 2 or more, and as many samples at least")
