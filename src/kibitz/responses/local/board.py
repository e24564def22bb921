"""The hands that a board leaves, and how they stand against vectors of an agent's hands."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity.matchups import BOARDS, class_matchups
from kibitz.evaluator import evaluate_boards
from kibitz.policy.hands import HOLES
from kibitz.policy.strengths import by_value, hole_masks
from kibitz.responses.real.preflop import starting_classes

Vectors = npt.NDArray[np.float32]


class LocalBoard:
    """A board of 0, 3, 4 or 5 cards. Vectors of hands are in the order of `numbers`, weakest first on a full board.

    numbers : int64[hands]     where the hands stand among `HOLES`
    holes   : uint8[hands, 2]
    """

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = cards
        self.numbers = np.flatnonzero(~np.isin(HOLES, np.array(cards, dtype=np.uint8)).any(axis=1))
        self._groups = np.zeros(0, dtype=np.int64)
        if len(cards) == 5:
            self.numbers, self._groups = by_value(cards, self.numbers)
        self.holes = HOLES[self.numbers]
        self._cards = self.holes.astype(np.int64)

    @property
    def pairs(self) -> int:
        """Ways to deal both players their hands."""
        left = 52 - len(self.cards)
        return comb(left, 2) * comb(left - 2, 2)

    def places_in(self, before: LocalBoard) -> npt.NDArray[np.int64]:
        """Where the hands stand among those of a board with fewer cards."""
        places = np.zeros(len(HOLES), dtype=np.int64)
        places[before.numbers] = np.arange(len(before.numbers))
        return places[self.numbers]

    def meet(self, vectors: Vectors, compared: bool) -> tuple[Vectors, Vectors]:
        """What each hand meets in the agent's vectors [rows, hands]: how many hands, and its lead over them.

        The lead is the sum of chances to win less those to lose, all cards to come looked at; left 0 where hands are
        not to be compared.
        """
        from kibitz.policy import _kernels

        rivals, lead = np.empty_like(vectors), np.zeros_like(vectors)
        _kernels.meet(vectors, self._cards, self._groups, rivals, lead)
        if compared and len(self.cards) < 5:
            np.matmul(vectors, self._behind, out=lead)
        return rivals, lead

    @cached_property
    def _behind(self) -> Vectors:
        """The lead of the column's hand over the row's: float32[hands, hands], 0 where they share a card."""
        from kibitz.responses.local import _kernels

        if not self.cards:
            return _starting_leads()
        left = [card for card in range(52) if card not in self.cards]
        missing = 5 - len(self.cards)
        full = [cards_to_mask((*self.cards, *more)) for more in combinations(left, missing)]
        values = evaluate_boards(np.array(full, dtype=np.uint64), hole_masks()[self.numbers])
        alone, both = comb(len(left) - 2, missing), comb(len(left) - 4, missing)
        behind = np.empty((len(self.numbers),) * 2, dtype=np.float32)
        _kernels.compare(np.ascontiguousarray(values.T), self._cards, alone, both, behind)
        return behind


def _starting_leads() -> Vectors:
    """Before the flop: means over the suits of both hands, which are as good for ranges that do not look at suits."""
    pairs, lead = class_matchups()
    means = (lead / (np.maximum(pairs, 1) * BOARDS)).astype(np.float32)
    kinds = starting_classes()
    apart = ~(HOLES[:, None, :, None] == HOLES[None, :, None, :]).any(axis=(2, 3))
    return np.asarray(means[kinds[None], kinds[:, None]] * apart)
