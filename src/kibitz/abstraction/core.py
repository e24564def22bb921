"""Card abstractions: the bucket of every hand in every round.

A round finds buckets by cuts of features, in a table, or as classes of isomorphic hands.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import PAIRS, STREETS, check_hand, get_boards, pair_cards
from kibitz.abstraction.features.strength import feature_table
from kibitz.abstraction.notation import Notation
from kibitz.abstraction.percentiles import Cut
from kibitz.errors import CardError, KibitzError
from kibitz.files import release
from kibitz.isomorphism import IsomorphismIndex
from kibitz.parallel.threads import run_slices

Cards = npt.NDArray[np.uint8]
States = npt.NDArray[np.int32]
_HANDS, _BOARDS = 1 << 13, 1 << 7  # that a thread takes at a time


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

    def release(self) -> None:
        """Give the memory of tables that stand in files back for the time being."""


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

    def release(self) -> None:
        for table in self.__dict__.get("_tables", ()):  # those that were never looked at are not opened for it
            release(table)


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

    def release(self) -> None:
        release(self.table)


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

    def release(self) -> None:
        """It has no tables in files."""


def suit_images() -> Cards:
    """The card that each card becomes under each permutation of suits: uint8[24, 52]."""
    from kibitz.abstraction.features._kernels import IMAGES

    return IMAGES


def pair_images() -> npt.NDArray[np.int16]:
    """The pair that each pair becomes under each permutation of suits: int16[24, 1326]."""
    from kibitz.abstraction.features._kernels import PAIR

    return np.asarray(PAIR)


@dataclass(frozen=True, eq=False)
class CardAbstraction:
    """What players remember of the cards: hold'em's (hole, board) as one of counts[round] buckets.

    masses      : per round float64[buckets], the chance of each bucket; None where every class is its own
    provenance  : how it was made: seed, method, samples
    fingerprint : a hash of notation and buckets
    """

    notation: Notation
    rounds: tuple[RoundMap, ...]
    counts: npt.NDArray[np.int64]
    masses: tuple[npt.NDArray[np.float64] | None, ...]
    fingerprint: str
    provenance: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The notation as text."""
        return str(self.notation)

    @property
    def perfect_recall(self) -> bool:
        """Whether a bucket tells those of all rounds before."""
        return self.notation.recall == "PR"

    @cached_property
    def parents(self) -> tuple[npt.NDArray[np.int64], ...] | None:
        """Per round int64[buckets], the bucket of the round before that each lies in (0 in the first).

        None with imperfect recall, and for `lossless`, whose parents are too many to list.
        """
        if not self.perfect_recall or not self.notation.features:
            return None
        before = [1, *self.counts[:-1].tolist()]
        return tuple(np.arange(now) // (now // above) for now, above in zip(self.counts.tolist(), before, strict=True))

    def release(self) -> None:
        """Give the memory of tables that stand in files back for the time being; they are read again when needed."""
        for each in self.rounds:
            each.release()

    def buckets(self, hole: Cards, board: Cards, round_: int, threads: int = 1) -> npt.NDArray[Any]:
        """The buckets of many hands in one round: int32[n] (int64 where there are more than 2^31).

        hole : uint8[n, 2]    board : uint8[n, k], at least as many cards as that round has
        """
        hole, board = self._check(hole, board, round_)
        states = np.zeros(len(hole), dtype=self.state_type(round_))
        wanted = self._way(round_)

        def work(start: int, stop: int) -> None:
            part = slice(start, stop)
            for found in wanted:
                codes = get_boards(found.size).place_batch(board[part]) if found.kind != "classes" else None
                found.find(hole[part], board[part], codes, states[part])

        if len(hole):
            run_slices(work, len(hole), _HANDS, threads)
        return states

    def _way(self, round_: int) -> tuple[RoundMap, ...]:
        """The maps that lead to a bucket, one after the other."""
        if self.parents is None:
            return (self.rounds[round_],)
        return self.rounds[:1] if round_ == 0 else (self._flop, *self.rounds[2 : round_ + 1])

    @cached_property
    def _flop(self) -> TableMap:
        """The first two rounds as one table, so small that it stays in the cache: they are on the way to all others."""
        boards = get_boards(STREETS[1])
        buckets = np.maximum(self.board_buckets(boards.cards, 1), 0)
        return TableMap(boards.size, buckets.astype(np.min_scalar_type(int(self.counts[1]) - 1)))

    def board_buckets(self, board: Cards, round_: int, threads: int = 1) -> npt.NDArray[Any]:
        """The buckets of all pairs of hole cards on many boards, many times faster than hand by hand.

        board   : uint8[n, k], at least as many cards as that round has
        returns : int32[n, 1326] by `pair_number` (cards a < b: b (b - 1) / 2 + a), -1 where pair and board share a card
        """
        size = self._size(round_)
        if board.dtype != np.uint8 or board.ndim != 2 or board.shape[1] < size:
            raise CardError(f"boards {board.dtype}{list(board.shape)}: round {round_} takes uint8[n, {size} or more]")
        board = np.ascontiguousarray(board)
        states = np.zeros((len(board), PAIRS), dtype=self.state_type(round_))
        wanted = range(round_ + 1) if self.parents is not None else (round_,)

        def work(start: int, stop: int) -> None:
            from kibitz.abstraction._kernels import strike_out

            part = slice(start, stop)
            for each in wanted:
                found = self.rounds[each]
                codes = get_boards(found.size).place_batch(board[part])
                found.find_all(board[part, : found.size], codes, states[part])
            strike_out(board[part], size, states[part])

        if len(board):
            run_slices(work, len(board), _BOARDS, threads)
        return states

    def _size(self, round_: int) -> int:
        if not 0 <= round_ < len(self.rounds):
            raise KibitzError(f"round {round_} of {self.name}: 0 to {len(self.rounds) - 1}")
        return self.rounds[round_].size

    def state_type(self, round_: int) -> type[np.generic]:
        """The integers that hold the buckets of a round."""
        return np.int32 if self.counts[round_] <= 1 << 31 else np.int64

    def _check(self, hole: Cards, board: Cards, round_: int) -> tuple[Cards, Cards]:
        from kibitz.abstraction._kernels import first_bad_hand

        size = self._size(round_)
        hole, board = (np.ascontiguousarray(cards) for cards in (hole, board))
        if hole.dtype != np.uint8 or board.dtype != np.uint8 or hole.ndim != 2 or hole.shape[1] != 2:
            raise CardError(
                f"hole cards {hole.dtype}{list(hole.shape)}, boards {board.dtype}: uint8[n, 2] and uint8[n, k]"
            )
        if board.ndim != 2 or len(board) != len(hole) or board.shape[1] < size:
            raise CardError(
                f"boards of shape {list(board.shape)} for {len(hole)} hands: round {round_} has {size} cards"
            )
        bad = first_bad_hand(hole, board, size)
        if bad >= 0:
            raise CardError(
                f"hand {bad} is {hole[bad].tolist()} on {board[bad, :size].tolist()}: different cards from 0 to 51"
            )
        return hole, board

    def bucket(self, hole: Sequence[int], board: Sequence[int] = ()) -> int:
        """The bucket of one hand, in some microseconds and without a compiler.

        board : 0, 3, 4 or 5 cards in the order in which they came
        """
        check_hand(hole, board)
        round_ = STREETS.index(len(board))
        if self.parents is None:
            return self.rounds[round_].find_one(hole, board, 0)
        state = 0
        for each in self.rounds[: round_ + 1]:
            state = each.find_one(hole, board[: each.size], state)
        return state
