"""How the hands of one round find their buckets: by cuts of features, in a table, or as classes of isomorphic hands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.buckets.streams import Cut
from kibitz.abstraction.features.boards import get_boards, pair_cards
from kibitz.abstraction.features.strength import feature_table
from kibitz.isomorphism import IsomorphismIndex

Cards = npt.NDArray[np.uint8]
States = npt.NDArray[np.int32]


class RoundMap(Protocol):
    """How the hands of one round find their buckets."""

    @property
    def kind(self) -> str:
        """What it is called in a manifest."""

    @property
    def size(self) -> int:
        """Cards on the board."""

    def find(self, holes: Cards, boards: Cards, codes: States | None, states: npt.NDArray[Any]) -> None:
        """Turn the buckets of the round before (0 where it does not matter) into those of this one, in place.

        codes : of the boards' first `size` cards, as `Boards.place_batch` gives them; None where nobody needs them
        """

    def find_all(self, boards: Cards, codes: States, states: npt.NDArray[Any]) -> None:
        """As `find` for all pairs of hole cards on each board: states [n, 1326]; pairs not there may get anything."""

    def find_one(self, hole: Sequence[int], board: Sequence[int], state: int) -> int:
        """The bucket of one hand, without a compiler."""


@dataclass(frozen=True, eq=False)
class CutMap:
    """Percentile buckets: cuts one inside the other; none at all makes one bucket of each."""

    kind: ClassVar[str] = "cuts"
    size: int
    cuts: tuple[Cut, ...]

    @cached_property
    def _tables(self) -> list[npt.NDArray[Any]]:
        return [feature_table(cut.feature, self.size) for cut in self.cuts]

    @cached_property
    def _lists(self) -> list[list[list[int]]]:
        return [cut.thresholds.tolist() for cut in self.cuts]

    def find(self, holes: Cards, boards: Cards, codes: States | None, states: npt.NDArray[Any]) -> None:
        from kibitz.abstraction._kernels import cut_hands

        for cut, table in zip(self.cuts, self._tables, strict=True):
            cut_hands(holes, codes, suit_images(), table, cut.thresholds, states)

    def find_all(self, boards: Cards, codes: States, states: npt.NDArray[Any]) -> None:
        from kibitz.abstraction._kernels import cut_boards

        for cut, table in zip(self.cuts, self._tables, strict=True):
            cut_boards(codes, pair_images(), table, cut.thresholds, states)

    def find_one(self, hole: Sequence[int], board: Sequence[int], state: int) -> int:
        if self.cuts:
            place = get_boards(self.size).place_hand(hole, board)
            for table, lists in zip(self._tables, self._lists, strict=True):
                cuts = lists[state]
                state = state * (len(cuts) + 1) + bisect_left(cuts, table.item(place))
        return state


@dataclass(frozen=True, eq=False)
class TableMap:
    """Buckets of each canonical board and pair in a table: [boards, 1326], whatever the round before was."""

    kind: ClassVar[str] = "table"
    size: int
    table: npt.NDArray[Any]

    def find(self, holes: Cards, boards: Cards, codes: States | None, states: npt.NDArray[Any]) -> None:
        from kibitz.abstraction._kernels import find_hands

        find_hands(holes, codes, suit_images(), self.table, states)

    def find_all(self, boards: Cards, codes: States, states: npt.NDArray[Any]) -> None:
        from kibitz.abstraction._kernels import find_boards

        find_boards(codes, pair_images(), self.table, states)

    def find_one(self, hole: Sequence[int], board: Sequence[int], state: int) -> int:
        return int(self.table.item(get_boards(self.size).place_hand(hole, board)))


@dataclass(frozen=True, eq=False)
class ClassMap:
    """Every class of isomorphic hands its own bucket, as `IsomorphismIndex(pattern)` numbers its last street."""

    kind: ClassVar[str] = "classes"
    size: int
    pattern: str

    @cached_property
    def index(self) -> IsomorphismIndex:
        """The numbering."""
        return IsomorphismIndex(self.pattern)

    def find(self, holes: Cards, boards: Cards, codes: States | None, states: npt.NDArray[Any]) -> None:
        states[:] = self.index.index_batch(np.concatenate((holes, boards[:, : self.size]), axis=1))

    def find_all(self, boards: Cards, codes: States, states: npt.NDArray[Any]) -> None:
        pairs = pair_cards()
        for board, row in zip(boards, states, strict=True):
            free = ~np.isin(pairs, board).any(axis=1)
            found = np.empty(int(free.sum()), dtype=row.dtype)
            self.find(pairs[free], np.broadcast_to(board, (len(found), len(board))), None, found)
            row[free] = found

    def find_one(self, hole: Sequence[int], board: Sequence[int], state: int) -> int:
        return self.index.index((*hole, *board))


def suit_images() -> Cards:
    """The card that each card becomes under each permutation of suits: uint8[24, 52]."""
    from kibitz.abstraction.features._kernels import IMAGES

    return IMAGES


def pair_images() -> npt.NDArray[np.int16]:
    """The pair that each pair becomes under each permutation of suits: int16[24, 1326]."""
    from kibitz.abstraction.features._kernels import PAIR

    return np.asarray(PAIR)
