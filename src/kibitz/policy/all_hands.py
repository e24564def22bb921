"""Hand strength of all hands on a board at once."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.evaluator import evaluate_boards
from kibitz.policy.hands import HOLES, Floats


@lru_cache(maxsize=1)
def hole_masks() -> npt.NDArray[np.uint64]:
    """`HOLES` as sets of cards: uint64[1326]."""
    return np.array([cards_to_mask(hand) for hand in HOLES.tolist()], dtype=np.uint64)


def by_value(
    board: tuple[int, ...], numbers: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Some of `HOLES`, by number, weakest first on a board as it lies, and where hands of equal value end."""
    values = evaluate_boards(np.array([cards_to_mask(board)], dtype=np.uint64), hole_masks()[numbers])[:, 0]
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    return numbers[order], np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)) + 1


def hand_strengths(board: tuple[int, ...]) -> Floats:
    """The chance of each of `HOLES` to beat a uniformly drawn hand, ties counting half, nothing said of cards to come.

    float64[1326] on a board of at least 3 cards, 0 for hands that it blocks; the numbers of
    `kibitz.equity.strength.hand_strength`.
    """
    from kibitz.policy import _kernels

    free = np.flatnonzero(~np.isin(HOLES, np.array(board, dtype=np.uint8)).any(axis=1))
    numbers, groups = by_value(board, free)
    every = np.ones((1, len(numbers)), dtype=np.float32)
    rivals, lead = np.empty_like(every), np.empty_like(every)
    _kernels.meet(every, HOLES[numbers].astype(np.int64), groups, rivals, lead)
    met = rivals[0].astype(np.float64)  # whole numbers, and so are the leads
    found = np.zeros(len(HOLES))
    found[numbers] = (met + lead[0]) / 2 / met
    return found
