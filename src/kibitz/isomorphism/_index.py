"""The index itself: one hand a call in plain Python, or batches through the kernels."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import accumulate, pairwise
from math import factorial, prod

import numpy as np
import numpy.typing as npt

from kibitz.cards import lowest_shift, make_deck
from kibitz.errors import CardError
from kibitz.isomorphism._checks import (
    as_card_rows,
    as_hand,
    as_index,
    as_indices,
    check_pattern,
    check_street,
    check_threads,
)
from kibitz.isomorphism._configurations import Suit, lay_out_streets
from kibitz.isomorphism._ranking import rank_sequence, unrank_sequence
from kibitz.isomorphism._tables import ConfigurationTables, DealTables, configuration_tables, deal_tables

_MOST_CLASSES = 1 << 57  # 24 times as many still fit 64 bits, which the kernels' multiset arithmetic needs


def parse_pattern(text: str) -> tuple[int, ...]:
    """The cards dealt on each street, written like `2|3|1|1`."""
    try:
        return tuple(int(size) for size in text.split("|"))
    except ValueError:
        raise CardError(f"{text!r} is not a pattern of streets; one is written like 2|3|1|1") from None


class IsomorphismIndex:
    """A bijection, for each street, between classes of isomorphic hands and 0..sizes[street]-1.

    `pattern` says how many cards each street brings, as text or numbers; the deck is `make_deck(suits, ranks, lowest)`.
    A hand of street t is the cards of streets 0..t end to end. Streets are counted from 0, or back from -1.

    The plain methods work in pure Python, one hand a call. Those ending in `_batch` take arrays, compile on their
    first call, and run on `threads` threads.
    """

    def __init__(self, pattern: str | Sequence[int], suits: int = 4, ranks: int = 13, lowest: bool = False) -> None:
        self.pattern = parse_pattern(pattern) if isinstance(pattern, str) else tuple(pattern)
        self.suits = suits
        self.ranks = ranks
        self.lowest = lowest
        self._deck = frozenset(make_deck(suits, ranks, lowest))
        self._shift = lowest_shift(suits, ranks) if lowest else 0  # to the highest deck, of which all else speaks
        check_pattern(self.pattern, suits, ranks)
        self._streets = lay_out_streets(self.pattern, suits, ranks)
        self._tables: dict[int, tuple[DealTables, ConfigurationTables]] = {}
        self.lengths: tuple[int, ...] = tuple(accumulate(self.pattern))
        """The number of cards in a hand of each street."""
        self.sizes: tuple[int, ...] = tuple(street.size for street in self._streets)
        """The number of classes on each street."""
        if max(self.sizes) > _MOST_CLASSES:
            raise CardError(f"{self!r} has {max(self.sizes)} classes of hands; {_MOST_CLASSES} can be indexed")

    def __repr__(self) -> str:
        lowest = ", lowest=True" * self.lowest
        return f"IsomorphismIndex({'|'.join(map(str, self.pattern))!r}, suits={self.suits}, ranks={self.ranks}{lowest})"

    def index(self, cards: Sequence[int], street: int = -1) -> int:
        """The index of the class of `cards`, a hand of `street`."""
        street = check_street(street, len(self.pattern))
        hand = as_hand(cards, self.lengths[street], self._deck)
        if self._shift:
            hand = tuple(card + self._shift for card in hand)
        return self._streets[street].index(self._suit(hand, suit, street) for suit in range(4 - self.suits, 4))

    def unindex(self, index: int, street: int = -1) -> tuple[int, ...]:
        """The canonical hand of class `index`: its greatest suit in spades, each street's greatest card first."""
        street, suits = self._canonical_suits(index, street)
        hand: list[list[int]] = [[] for _ in range(street + 1)]
        for suit, (shape, number) in zip((3, 2, 1, 0), suits, strict=False):
            for cards, rank_set in zip(hand, unrank_sequence(number, shape, self.ranks), strict=True):
                cards.extend(4 * (rank + 13 - self.ranks) + suit for rank in rank_set)
        return tuple(card - self._shift for cards in hand for card in sorted(cards, reverse=True))

    def orbit_size(self, index: int, street: int = -1) -> int:
        """How many hands (with streets as sets of cards) class `index` holds."""
        _, suits = self._canonical_suits(index, street)
        return factorial(self.suits) // prod(factorial(count) for count in Counter(suits).values())

    def index_batch(self, cards: npt.ArrayLike, street: int = -1, threads: int = 1) -> npt.NDArray[np.int64]:
        """The indices, int64[n], of the hands in the rows of `cards`, uint8[n, lengths[street]]."""
        from kibitz.isomorphism._kernels import index_rows

        street = check_street(street, len(self.pattern))
        rows = as_card_rows(cards, self.lengths[street])
        deal, configuration = self._street_tables(street)
        out = np.empty(len(rows), dtype=np.int64)
        raised = self._raised[rows] if self._shift else rows

        def run(part: slice) -> None:
            index_rows(raised[part], deal, configuration, 4 - self.suits, 13 - self.ranks, out[part])

        _run_in_slices(run, len(rows), threads)
        for row in np.flatnonzero(out < 0)[:1]:
            as_hand(rows[row], self.lengths[street], self._deck, f"row {row}: ")
        return out

    def unindex_batch(self, indices: npt.ArrayLike, street: int = -1, threads: int = 1) -> npt.NDArray[np.uint8]:
        """The canonical hands, uint8[n, lengths[street]], of the classes `indices`, int64[n]."""
        from kibitz.isomorphism._kernels import unindex_rows

        street = check_street(street, len(self.pattern))
        numbers = as_indices(indices, self.sizes[street])
        deal, configuration = self._street_tables(street)
        out = np.empty((len(numbers), self.lengths[street]), dtype=np.uint8)

        def run(part: slice) -> None:
            unindex_rows(numbers[part], deal.starts, configuration, 13 - self.ranks, out[part])

        _run_in_slices(run, len(numbers), threads)
        if self._shift:
            out -= np.uint8(self._shift)
        return out

    def orbit_size_batch(self, indices: npt.ArrayLike, street: int = -1, threads: int = 1) -> npt.NDArray[np.int64]:
        """How many hands each class of `indices`, int64[n], holds, as int64[n]."""
        from kibitz.isomorphism._kernels import orbit_rows

        street = check_street(street, len(self.pattern))
        numbers = as_indices(indices, self.sizes[street])
        _, configuration = self._street_tables(street)
        out = np.empty(len(numbers), dtype=np.int64)

        def run(part: slice) -> None:
            orbit_rows(numbers[part], configuration, self.suits, out[part])

        _run_in_slices(run, len(numbers), threads)
        return out

    @cached_property
    def _raised(self) -> npt.NDArray[np.uint8]:
        """For the lowest deck, the counterpart in the highest of every byte; 255, which is no card, for others."""
        table = np.full(256, 255, dtype=np.uint8)
        cards = list(self._deck)
        table[cards] = np.array(cards) + self._shift
        return table

    def _suit(self, cards: Sequence[int], suit: int, street: int) -> Suit:
        """What a hand of `street` holds of `suit`."""
        rank_sets = [
            [(card >> 2) - 13 + self.ranks for card in cards[start:end] if card & 3 == suit]
            for start, end in pairwise((0, *self.lengths[: street + 1]))
        ]
        return tuple(len(rank_set) for rank_set in rank_sets), rank_sequence(rank_sets, self.ranks)

    def _canonical_suits(self, index: int, street: int) -> tuple[int, list[Suit]]:
        """`street` counted from 0, and the suits of the hands in class `index`, greatest first."""
        street = check_street(street, len(self.pattern))
        return street, self._streets[street].unindex(as_index(index, self.sizes[street]))

    def _street_tables(self, street: int) -> tuple[DealTables, ConfigurationTables]:
        """The kernels' tables of a street, made when first asked for."""
        if street not in self._tables:
            pattern, layout = self.pattern[: street + 1], self._streets[street]
            deal = deal_tables(pattern, self.suits, self.ranks, layout)
            self._tables[street] = (deal, configuration_tables(layout, street + 1))
        return self._tables[street]


def _run_in_slices(run: Callable[[slice], None], rows: int, threads: int) -> None:
    """Call `run` on `threads` slices that together cover 0..rows-1; the kernels let go of the interpreter lock."""
    check_threads(threads)
    if threads == 1:
        run(slice(0, rows))
        return
    bounds = [rows * part // threads for part in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(run, [slice(start, end) for start, end in pairwise(bounds)]))
