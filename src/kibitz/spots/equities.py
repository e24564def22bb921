"""The share of the pot of every hand against a weighted range, over all cards to come."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.strength import pair_masks
from kibitz.cards import cards_to_mask
from kibitz.evaluator import evaluate_boards
from kibitz.policy.hands import HOLES

Cards = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
BOARDS_KEPT = 64  # of a flop they take 9 megabytes, of a turn 400 kilobytes
NOTHING = 1e-12  # what rounding leaves of no weight, relative to all


class RunOuts(NamedTuple):
    """All full boards that may follow a board.

    values : int32[boards, 1326], -1 where board and hand share a card
    order  : int16[boards, 1326], hands by value, the lowest first
    """

    values: npt.NDArray[np.int32]
    order: npt.NDArray[np.int16]


def equities(board: tuple[int, ...], hands: Cards, others: Cards, weights: Floats) -> Floats:
    """Shares of the pot if nobody bets again: float64[n], nan for a hand that meets nothing.

    board   : three to five cards
    hands   : uint8[n, 2]
    others  : uint8[m, 2], the opponent's hands, with float64[m] weights
    """
    from kibitz.spots import _kernels

    found, numbers = _run_outs(tuple(sorted(board))), _pair_numbers()
    reach, shares, met = np.zeros((3, len(HOLES)))
    reach[numbers[others[:, 0], others[:, 1]]] = weights
    _kernels.add_shares(found.values, found.order, HOLES, reach, shares, met)
    chosen = numbers[hands[:, 0], hands[:, 1]]
    with np.errstate(invalid="ignore", divide="ignore"):
        least = NOTHING * max(len(found.values) * float(reach.sum()), 1e-300)
        return np.where(met[chosen] > least, shares[chosen] / met[chosen], np.nan)


@lru_cache(maxsize=BOARDS_KEPT)
def _run_outs(board: tuple[int, ...]) -> RunOuts:
    left = [card for card in range(52) if card not in board]
    boards = [cards_to_mask((*board, *more)) for more in combinations(left, 5 - len(board))]
    values = np.ascontiguousarray(evaluate_boards(np.array(boards, dtype=np.uint64), pair_masks()).T)
    return RunOuts(values, np.argsort(values, axis=1, kind="stable").astype(np.int16))


@lru_cache(maxsize=1)
def _pair_numbers() -> npt.NDArray[np.int16]:
    """The number of every pair of cards, in either order: int16[52, 52]."""
    low, high = HOLES.T
    numbers = np.zeros((52, 52), dtype=np.int16)
    numbers[low, high] = numbers[high, low] = np.arange(len(low))
    return numbers
