"""The index itself: one hand a call in plain Python, or batches through the kernels."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import accumulate, pairwise
from math import comb, factorial, prod
from operator import index as as_integer

import numpy as np
import numpy.typing as npt

from kibitz.cards import describe_card, format_cards, lowest_shift, make_deck
from kibitz.errors import CardError, KibitzError
from kibitz.isomorphism._configurations import Suit, lay_out_streets, rank_sequence, unrank_sequence
from kibitz.isomorphism._tables import ConfigurationTables, DealTables, configuration_tables, deal_tables

_MOST_CLASSES = 1 << 57  # 24 times as many still fit 64 bits, which the kernels' multiset arithmetic needs
_MOST_STATES = 1 << 18


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


def check_pattern(pattern: tuple[int, ...], suits: int, ranks: int) -> None:
    """Refuse a pattern that the deck cannot deal or whose tables would be too large."""
    if not pattern or min(pattern) < 1:
        raise CardError(f"pattern {pattern}: at least one street, each of at least one card")
    if sum(pattern) > suits * ranks:
        raise CardError(f"pattern {pattern} deals {sum(pattern)} cards of a deck of {suits * ranks}")
    # The ways to spread each street's cards over the suits, which is what the kernels' tables grow with.
    states = prod(comb(size + suits - 1, suits - 1) for size in pattern)
    if states > _MOST_STATES:
        raise CardError(
            f"pattern {pattern} spreads its cards over {suits} suits in {states} ways; at most {_MOST_STATES} "
            "are possible, so deal fewer or larger streets"
        )


def check_street(street: int, streets: int) -> int:
    """`street` counted from 0, where it may come counted back from -1."""
    if not -streets <= street < streets:
        raise CardError(f"street {street} of a pattern with {streets}: 0..{streets - 1}, or back from -1")
    return street % streets


def check_threads(threads: int) -> None:
    """Refuse to work on no thread at all."""
    if threads < 1:
        raise KibitzError(f"{threads} threads: at least one is needed")


def as_hand(cards: Iterable[int], length: int, deck: frozenset[int], where: str = "") -> tuple[int, ...]:
    """`cards` as plain integers, all of them different cards of `deck` and `length` in number."""
    try:
        hand = tuple(as_integer(card) for card in cards)
    except TypeError:
        raise CardError(f"{where}{cards!r} are not cards; they are integers 0..51") from None
    if len(hand) != length:
        raise CardError(f"{where}{len(hand)} cards came; a hand of this street has {length}")
    for card in hand:
        if card not in deck:
            cards_of_deck = format_cards(sorted(deck))
            raise CardError(f"{where}{describe_card(card)} is not in the deck of {len(deck)} cards, {cards_of_deck}")
    if len(set(hand)) != length:
        raise CardError(f"{where}{hand} holds a card twice")
    return hand


def as_index(index: int, size: int) -> int:
    """`index` as a plain integer, 0..size-1."""
    try:
        number = as_integer(index)
    except TypeError:
        raise CardError(f"{index!r} is not an index; one is an integer 0..{size - 1}") from None
    if not 0 <= number < size:
        raise CardError(f"index {number}: 0..{size - 1} exist on this street")
    return number


def as_card_rows(cards: npt.ArrayLike, length: int) -> npt.NDArray[np.uint8]:
    """`cards` as contiguous uint8[n, length]; which cards they are is not looked at."""
    rows = np.asarray(cards)
    if rows.ndim != 2 or rows.shape[1] != length:
        raise CardError(f"cards of shape {rows.shape}; hands of this street are rows of {length}")
    if rows.size and not np.issubdtype(rows.dtype, np.integer):
        raise CardError(f"cards of type {rows.dtype}; they are integers 0..51")
    if rows.dtype != np.uint8 and rows.size and (rows.min() < 0 or rows.max() > 51):
        raise CardError(f"cards from {rows.min()} to {rows.max()}; they are integers 0..51")
    return np.ascontiguousarray(rows, dtype=np.uint8)


def as_indices(indices: npt.ArrayLike, size: int) -> npt.NDArray[np.int64]:
    """`indices` as contiguous int64[n], all of them 0..size-1."""
    numbers = np.asarray(indices)
    if numbers.ndim != 1:
        raise CardError(f"indices of shape {numbers.shape}; a list of them has one dimension")
    if numbers.size and not np.issubdtype(numbers.dtype, np.integer):
        raise CardError(f"indices of type {numbers.dtype}; they are integers 0..{size - 1}")
    if numbers.size and (numbers.min() < 0 or numbers.max() >= size):
        raise CardError(f"indices from {numbers.min()} to {numbers.max()}; 0..{size - 1} exist on this street")
    return np.ascontiguousarray(numbers, dtype=np.int64)
