"""Refusing what is no pattern, hand or index, with a sentence that says why."""

from collections.abc import Iterable
from math import comb, prod
from operator import index as as_integer

import numpy as np
import numpy.typing as npt

from kibitz.cards import describe_card, format_cards
from kibitz.errors import CardError, KibitzError

_MOST_STATES = 1 << 18


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
