"""Values of thousands of hands in NumPy alone: slower than the kernels, but nothing has to be compiled or loaded first.

The steps are those of `scalar.py`, on sets of ranks in uint16 arrays: first what nearly all hands are, then the few
that are better, each kind on its own.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.evaluator.values import (
    CATEGORY_SHIFT,
    FLUSH,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    PRIMARY_SHIFT,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
)

Ranks = npt.NDArray[Any]  # uint16: a set of ranks each
Values = npt.NDArray[np.int32]
Suits = tuple[Ranks, Ranks, Ranks, Ranks]


def boards_standard(boards: npt.NDArray[np.uint64], holes: npt.NDArray[np.uint64], values: Values) -> None:
    """Fill values (int32[h, >= n]): holes[j] (uint64[h]) on boards[i] (uint64[n]), -1 where they share a card."""
    suits = _suits(boards)
    for hole, filled in zip(holes, values[:, : len(boards)], strict=True):
        clubs, diamonds, hearts, spades = (on_board | held for on_board, held in zip(suits, _suits(hole), strict=True))
        filled[:] = _standard(clubs, diamonds, hearts, spades)
        filled[boards & hole != 0] = -1


def _suits(masks: npt.NDArray[np.uint64] | np.uint64) -> Suits:
    """The rank sets of card sets, one array a suit."""
    clubs, diamonds, hearts, spades = (np.asarray(masks >> np.uint64(16 * suit)).astype(np.uint16) for suit in range(4))
    return clubs, diamonds, hearts, spades


def _standard(clubs: Ranks, diamonds: Ranks, hearts: Ranks, spades: Ranks) -> Values:
    """The values of hands of two to seven cards (layout: `values.py`)."""
    either, other = clubs | diamonds, hearts | spades
    both, others = clubs & diamonds, hearts & spades
    ranks = either | other
    pairs = _drop(both | others | (either & other), 2)
    count = np.bitwise_count(pairs)
    values = _join(count, pairs, _drop(ranks ^ pairs, 5 - 2 * count))  # high card, pair, two pair: categories 0, 1, 2

    several = np.flatnonzero((both & other) | (others & either))
    values[several] = _three_or_more(both[several], others[several], either[several], other[several])
    tops = _straight_tops(ranks)
    straight = np.flatnonzero(tops)
    values[straight] = _join(STRAIGHT, _highest(tops[straight]))
    for suit in (clubs, diamonds, hearts, spades):  # a flush leaves no room for what beats it but a straight
        flush = np.flatnonzero(np.bitwise_count(suit) >= 5)
        values[flush] = _flush(suit[flush])
    return values


def _three_or_more(both: Ranks, others: Ranks, either: Ranks, other: Ranks) -> Values:
    """Three of a kind, full houses and four of a kind: cards of a rank in each half of the suits, and in any of it."""
    four = both & others
    three = _highest((both & other) | (others & either))
    pair = _highest((both | others | (either & other)) ^ three)
    ranks = either | other
    values = _join(THREE_OF_A_KIND, three, _drop(ranks ^ three, 2))
    values = np.where(pair != 0, _join(FULL_HOUSE, three, pair), values)
    return np.where(four != 0, _join(FOUR_OF_A_KIND, four, _highest(ranks ^ four)), values)


def _flush(ranks: Ranks) -> Values:
    tops = _straight_tops(ranks)
    return np.where(tops != 0, _join(STRAIGHT_FLUSH, _highest(tops)), _join(FLUSH, 0, _drop(ranks, 5)))


def _straight_tops(ranks: Ranks) -> Ranks:
    """The highest ranks of all straights in `ranks`."""
    low = (ranks << 1) | (ranks >> 12)  # the ace counts below the two as well
    low &= low << 1
    return np.asarray(ranks & low & (low << 2))


def _drop(ranks: Ranks, most: npt.NDArray[np.uint8] | int) -> Ranks:
    """The `most` highest ranks of `ranks`, or all of them; of seven cards there are never more than two too many."""
    held = np.bitwise_count(ranks)
    ranks = ranks & (ranks - (held > most))  # r & (r - 1) has lost its lowest rank, r & r nothing
    return np.asarray(ranks & (ranks - (held > most + 1)))


def _highest(ranks: Ranks) -> Ranks:
    return _drop(ranks, 1)


def _join(category: npt.NDArray[np.uint8] | int, primary: Ranks | int, kickers: Ranks | int = 0) -> Values:
    field = np.asarray(category, dtype=np.int32) << CATEGORY_SHIFT
    return field | np.asarray(primary, dtype=np.int32) << PRIMARY_SHIFT | np.asarray(kickers, dtype=np.int32)
