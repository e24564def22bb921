"""How similar two decisions are (Rubin and Watson 2011, section 7).

>>> round(betting_similarity("ihpc", "dqpc"), 2)
0.85
>>> texture_similarity("B", "C"), strength_similarity(10, 15), round(commitment_similarity(1, 2), 3)
(0.8, 0.8, 0.368)
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import exp, inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.modelling.cases.betting import SARTRE, Alphabet
from kibitz.modelling.cases.features import FEATURES, TEXTURES, Features

Matrix = tuple[tuple[float, ...], ...]

# Figure 1: rows and columns A to I.
TEXTURE_MATRIX: Matrix = (
    (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 1.0, 0.8, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.8, 1.0, 0.7, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.7, 0.7, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    (0.0, 0.0, 0.0, 0.0, 1.0, 0.8, 0.7, 0.0, 0.6),
    (0.0, 0.0, 0.0, 0.0, 0.8, 1.0, 0.7, 0.0, 0.5),
    (0.0, 0.0, 0.0, 0.0, 0.7, 0.7, 1.0, 0.8, 0.8),
    (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.8, 1.0, 0.8),
    (0.0, 0.0, 0.0, 0.0, 0.6, 0.5, 0.8, 0.8, 1.0),
)


def strength_similarity(one: float, other: float, total: int = 50, slope: float = 2.0) -> float:
    """max(1 - k |f1 - f2| / T, 0), equation 6: T buckets, `slope` k."""
    return max(1.0 - slope * abs(one - other) / total, 0.0)


def commitment_similarity(one: float, other: float) -> float:
    """e^(-|f1 - f2|), equation 7."""
    return exp(-abs(one - other))


def betting_similarity(one: str, other: str, alphabet: Alphabet = SARTRE, decay: float = 0.05) -> float:
    """1 - decay times the sum of distances between bets in the discretisation string, equation 8.

    0 where lengths differ or calls, all-ins, folds or ends of rounds stand at different places, and never less.
    """
    if alphabet.shape(one) != alphabet.shape(other):
        return 0.0
    distance = sum(abs(a - b) for a, b in zip(alphabet.places(one), alphabet.places(other), strict=True))
    return max(1.0 - decay * distance, 0.0)


def texture_similarity(one: str, other: str, matrix: Matrix = TEXTURE_MATRIX) -> float:
    """The entry of figure 1."""
    return matrix[TEXTURES.index(one)][TEXTURES.index(other)]


class Local(NamedTuple):
    """The similarities of two decisions feature by feature; texture is nan before the flop, where there is none."""

    strength: float
    betting: float
    commitment: float
    texture: float


@dataclass(frozen=True)
class Similarity:
    """The constants of section 7.

    slope     k of equation 6
    decay     alpha of equation 8
    matrix    of textures, figure 1
    weights   of strength, betting, commitment and texture in the mean of equation 5; 0 leaves a feature out. Without
              betting, cases of the same round compare if both or neither face a bet.
    """

    slope: float = 2.0
    decay: float = 0.05
    matrix: Matrix = TEXTURE_MATRIX
    weights: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)

    def __post_init__(self) -> None:
        finite = all(0 <= weight < inf for weight in self.weights)
        if len(self.weights) != len(FEATURES) or not finite or not sum(self.weights[:3]):
            raise KibitzError(f"weights {self.weights}: one for each of {', '.join(FEATURES)}, not negative, not all 0")
        if not (0 <= self.slope < inf and 0 <= self.decay < inf):
            raise KibitzError(f"slope {self.slope}, decay {self.decay}: give numbers of at least 0")
        if len(self.matrix) != len(TEXTURES) or any(len(row) != len(TEXTURES) for row in self.matrix):
            raise KibitzError(f"the texture matrix has {len(TEXTURES)} rows and columns")

    def weights_of(self, round_: int) -> tuple[float, ...]:
        """The weights in a round; before the flop there is no texture."""
        return self.weights if round_ else (*self.weights[:3], 0.0)

    def local(self, one: Features, other: Features, total: int, alphabet: Alphabet) -> Local:
        """The similarities feature by feature; `total` is the number of strength buckets of the round."""
        return Local(
            strength_similarity(one.strength, other.strength, total, self.slope),
            betting_similarity(one.sequence, other.sequence, alphabet, self.decay),
            commitment_similarity(one.commitment, other.commitment),
            texture_similarity(one.texture, other.texture, self.matrix) if one.round else float("nan"),
        )

    def overall(self, local: Local, round_: int) -> float:
        """The weighted mean of `local`, equation 5."""
        weights = self.weights_of(round_)
        parts = [weight * value for weight, value in zip(weights, local, strict=True) if weight]
        return sum(parts) / sum(weights)

    def table(self, target: Features, total: int, commitments: int) -> npt.NDArray[np.float64]:
        """What the features other than betting add to the weighted sum, for every case there can be.

        float64[total, commitments, 9], by strength - 1, commitment - 1 and place of the texture
        """
        strength, _betting, commitment, texture = self.weights_of(target.round)
        parts = self._exponentials[np.abs(np.arange(commitments) - (target.commitment - 1))]
        near = np.maximum(1.0 - self.slope * np.abs(np.arange(1, total + 1) - target.strength) / total, 0.0)
        board = texture * self._rows[TEXTURES.index(target.texture)]
        return np.asarray((strength * near)[:, None, None] + (commitment * parts)[:, None] + board, dtype=np.float64)

    @cached_property
    def _rows(self) -> npt.NDArray[np.float64]:
        return np.array(self.matrix)

    @cached_property
    def _exponentials(self) -> npt.NDArray[np.float64]:
        return np.asarray(np.exp(-np.arange(256.0)))
