"""Boards of 0, 3, 4 and 5 cards up to the names of suits.

Every table of this package is [canonical boards, 1326 pairs of hole cards]: suits are put in order by the board alone,
so one look at the board serves all players, and what happens on a board lies together. Hole cards that a symmetry of
the board exchanges stand there once each, with equal entries, and weigh alike: an entry stands for `weights[board]`
deals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import permutations
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.cache import Array, cache_folder, make_table, read_table
from kibitz.errors import CardError

STREETS = (0, 3, 4, 5)
"""Cards on the board in each round."""
CANONICAL = {0: 1, 3: 1_755, 4: 16_432, 5: 134_459}
PAIRS = 1326
LAYOUT = "boards-1"  # the name of the folder; another numbering of boards or pairs needs another one

_SUITS = tuple(permutations(range(4)))
_IMAGES = tuple(tuple((card & ~3) | suits[card & 3] for card in range(52)) for suits in _SUITS)
_CARDS = frozenset(range(52))
_CHOOSE = tuple(tuple(comb(card, place) for place in range(6)) for card in range(52))


@dataclass(frozen=True, eq=False)
class Boards:
    """The boards of one street.

    codes      : int32[C(52, size)], by colexicographic number: 32 * canonical board + permutation that takes it there
    cards      : uint8[boards, size], the canonical boards
    weights    : int32[boards], boards that each stands for
    symmetries : uint32[boards], bit p set where permutation p of the suits keeps the board
    """

    size: int
    codes: npt.NDArray[np.int32]
    cards: npt.NDArray[np.uint8]
    weights: npt.NDArray[np.int32]
    symmetries: npt.NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.cards)

    def place(self, board: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """The canonical board of `board` and the suit that each suit becomes, without a compiler."""
        code = self._code(board)
        return code >> 5, _SUITS[code & 31]

    def place_hand(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, int]:
        """The canonical board and the pair of a hand: where it stands in tables [boards, 1326].

        Cards may be NumPy's integers, whose arithmetic overflows: they are looked up and never calculated with.
        """
        code = self._code(board)
        image = _IMAGES[code & 31]
        a, b = hole
        return code >> 5, pair_number(image[a], image[b])

    def _code(self, board: Sequence[int]) -> int:
        number = 0
        for place, card in enumerate(sorted(board), 1):
            number += _CHOOSE[card][place]
        return int(self.codes.item(number))

    def place_batch(self, boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.int32]:
        """The codes, int32[n], of the first `size` cards of each row of uint8[n, >= size]."""
        from kibitz.abstraction.features._kernels import place_boards

        out = np.empty(len(boards), dtype=np.int32)
        place_boards(boards, self.size, self.codes, out)
        if len(out) and out.min() < 0:
            row = int(out.argmin())
            raise CardError(f"board {row} is {boards[row].tolist()}: different cards from 0 (2c) to 51 (As)")
        return out


def check_hand(hole: Sequence[int], board: Sequence[int]) -> None:
    """Refuse what is no hand of hold'em."""
    size = len(board)
    if (
        size not in STREETS
        or len(hole) != 2
        or not _CARDS.issuperset(cards := {*hole, *board})
        or len(cards) != size + 2
    ):
        raise CardError(f"{hole} on {board}: two hole cards, 0, 3, 4 or 5 on the board, all different, from 0 to 51")


def pair_number(a: int, b: int) -> int:
    """The number of two hole cards among the 1,326 pairs, whatever their order."""
    if a > b:
        a, b = b, a
    return b * (b - 1) // 2 + a


def pair_cards() -> npt.NDArray[np.uint8]:
    """The two cards of each pair, the lower first: uint8[1326, 2]."""
    return np.array([(a, b) for b in range(52) for a in range(b)], dtype=np.uint8)


@lru_cache(maxsize=len(STREETS))
def get_boards(size: int) -> Boards:
    """The boards of `size` cards (0, 3, 4 or 5).

    Numbering takes a tenth of a second, but also a compiler, which those who only play need not load: so it is kept.
    """
    if size not in CANONICAL:
        raise CardError(f"a board of {size} cards: there are {', '.join(map(str, STREETS))}")
    most, canonical = comb(52, size), CANONICAL[size]
    layout: dict[str, tuple[tuple[int, ...], type[np.generic]]] = {
        "codes": ((most,), np.int32),
        "cards": ((canonical, size), np.uint8),
        "weights": ((canonical,), np.int32),
        "symmetries": ((canonical,), np.uint32),
    }
    paths = {name: cache_folder() / LAYOUT / f"{name}-{size}.npy" for name in layout}
    tables = [read_table(paths[name], *form) for name, form in layout.items()]
    if any(table is None for table in tables):
        boards = _list_boards(size, most, canonical)
        tables = [
            make_table(paths[name], *form, partial(_copy, getattr(boards, name))) for name, form in layout.items()
        ]
    return Boards(size, *(table for table in tables if table is not None))


def _copy(values: Array, table: Array) -> None:
    table[...] = values


def _list_boards(size: int, most: int, canonical: int) -> Boards:
    from kibitz.abstraction.features._kernels import list_boards

    boards = Boards(
        size,
        np.full(most, -1, dtype=np.int32),
        np.empty((canonical, size), dtype=np.uint8),
        np.empty(canonical, dtype=np.int32),
        np.zeros(canonical, dtype=np.uint32),
    )
    found = list_boards(size, boards.codes, boards.cards, boards.weights, boards.symmetries)
    assert found == canonical
    return boards


@lru_cache(maxsize=2)
def get_extensions(size: int) -> npt.NDArray[np.int32]:
    """The code of every canonical flop or turn board with one more card: int32[boards, 52], -1 where it has it."""
    from kibitz.abstraction.features._kernels import extend_boards

    boards, longer = get_boards(size), get_boards(size + 1)
    table = np.empty((len(boards), 52), dtype=np.int32)
    extend_boards(boards.cards, longer.codes, table)
    return table
