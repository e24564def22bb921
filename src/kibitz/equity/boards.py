"""All boards that can come, numbered: the combinations of a deck in lexicographic order."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask


class BoardList:
    """The boards of five cards that complete `board` from `deck`, laid out for `_kernels.next_boards`.

    The last two cards come from a list of all pairs: the pairs that may follow a card are the end of that list, so most
    of the work of dealing is to join one prefix to a run of pairs.
    """

    def __init__(self, deck: Sequence[int], board: Sequence[int] = ()) -> None:
        self.missing = 5 - len(board)
        tail = min(2, self.missing)
        self.prefix = self.missing - tail
        fixed = cards_to_mask(board)
        bits = [cards_to_mask([card]) for card in deck]
        self.deck: npt.NDArray[np.uint64] = np.array(bits, dtype=np.uint64)
        self.tails: npt.NDArray[np.uint64] = np.array(
            [fixed | sum(cards) for cards in combinations(bits, tail)], dtype=np.uint64
        )
        size = len(deck)
        self.tail_starts: npt.NDArray[np.int64] = np.array(
            [len(self.tails) - comb(size - first, tail) for first in range(size + 1)], dtype=np.int64
        )

    def __len__(self) -> int:
        return comb(len(self.deck), self.missing)

    def state(self, number: int) -> npt.NDArray[np.int64]:
        """Where dealing stands before board `number`: int64[prefix + 1], the prefix's positions and the tail's number.

        >>> BoardList(range(6)).state(5).tolist()
        [1, 2, 3, 14]
        """
        size = len(self.deck)
        positions: list[int] = []
        position = 0
        while len(positions) < self.prefix:
            starting_here = comb(size - position - 1, self.missing - len(positions) - 1)
            if number < starting_here:
                positions.append(position)
            else:
                number -= starting_here
            position += 1
        return np.array([*positions, int(self.tail_starts[position]) + number], dtype=np.int64)
