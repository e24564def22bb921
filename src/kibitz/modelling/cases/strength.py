"""Hand strength as a small number: buckets of E[HS²] (Rubin and Watson 2011, section 4.1), or of the made hand.

A strength gives numbers from 1 (weakest) to counts[round]. `load_strength` knows two kinds by name:

IR EHS2 169-50-50-50   percentiles of E[HS²] over all hands and boards, after the flop; before it the 169 starting hands
                       in order of their E[HS²]. Any other abstraction by EHS or EHS2 with imperfect recall does too:
                       with 50-50-50-50 there are percentiles before the flop as well.
made-hand              the kind of hand made so far and the higher hole card: coarse, but needs no tables
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.notation import parse_notation
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.evaluator.values import CATEGORY_SHIFT

if TYPE_CHECKING:
    from kibitz.abstraction import CardAbstraction

Cards = npt.NDArray[np.uint8]
SARTRE_STRENGTH = "IR EHS2 169-50-50-50"
MADE_HAND = "made-hand"
MOST = 1000  # buckets of a round: to find them takes 1.5 MB for each
BOARD_CARDS = (0, 3, 4, 5)  # on the table in each round of hold'em


class Strength(Protocol):
    """A measure of hands that can be sent to another process."""

    @property
    def name(self) -> str:
        """What `load_strength` finds it by; kept in files."""

    @property
    def counts(self) -> tuple[int, ...]:
        """The largest number of each round."""

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        """The number of one hand: 1 to counts[round], which the size of `board` tells."""

    def buckets(self, hole: Cards, board: Cards, round_: int) -> npt.NDArray[np.int64]:
        """The numbers of many hands in one round: hole uint8[n, 2], board uint8[n, BOARD_CARDS[round_]]."""


class Percentiles:
    """Buckets of a card abstraction whose numbers ascend with a feature; tables are loaded when first asked for."""

    def __init__(self, name: str) -> None:
        notation = parse_notation(name)
        features = {feature for names in notation.features for feature in names}
        nested = any(len(size.parts) > 1 for size in notation.sizes)
        if notation.recall != "IR" or nested or len(features) != 1 or not features <= {"EHS", "EHS2"}:
            raise KibitzError(f"{name!r}: strength is one feature with imperfect recall, such as {SARTRE_STRENGTH}")
        if max(notation.counts) > MOST:
            raise KibitzError(f"{name!r}: at most {MOST:,} buckets in a round")
        self.name = name
        self.counts = notation.counts
        self._feature = features.pop()

    def __reduce__(self) -> tuple[type[Percentiles], tuple[str]]:
        return Percentiles, (self.name,)

    @cached_property
    def _tables(self) -> tuple[CardAbstraction, npt.NDArray[np.int64] | None]:
        """The abstraction, and the places of the starting hands where each is its own bucket."""
        from kibitz.abstraction import load_abstraction
        from kibitz.abstraction.features.strength import feature_table, pair_classes

        abstraction = load_abstraction(self.name)
        if not parse_notation(self.name).lossless[0]:
            return abstraction, None
        value = np.zeros(self.counts[0], dtype=np.int64)
        value[pair_classes()] = feature_table(self._feature, 0)[0]
        places = np.empty_like(value)
        places[np.argsort(value, kind="stable")] = np.arange(len(value))
        return abstraction, places

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        abstraction, places = self._tables
        number = abstraction.bucket(hole, board)
        return 1 + (int(places[number]) if places is not None and not board else number)

    def buckets(self, hole: Cards, board: Cards, round_: int) -> npt.NDArray[np.int64]:
        abstraction, places = self._tables
        numbers = abstraction.buckets(hole, board, round_).astype(np.int64)
        return np.asarray(1 + (places[numbers] if places is not None and round_ == 0 else numbers))


class MadeHand:
    """The kind of hand made so far and the higher hole card; before the flop pairs by rank above the sum of ranks."""

    name = MADE_HAND
    counts = (50,) * len(BOARD_CARDS)

    def bucket(self, hole: Sequence[int], board: Sequence[int]) -> int:
        high, low = max(hole) >> 2, min(hole) >> 2
        if not board:
            return 1 + (24 + 2 * high if high == low else high + low)
        return 1 + 5 * (evaluate((*hole, *board)) >> CATEGORY_SHIFT) + high // 3

    def buckets(self, hole: Cards, board: Cards, round_: int) -> npt.NDArray[np.int64]:
        hands = zip(hole.tolist(), board.tolist(), strict=True)
        return np.array([self.bucket(own, public) for own, public in hands], dtype=np.int64)


@lru_cache(maxsize=8)
def load_strength(name: str) -> Strength:
    """The strength called `name`; its tables are loaded, or made once, when it is first asked for a hand."""
    return MadeHand() if name == MADE_HAND else Percentiles(name)
