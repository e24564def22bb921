"""How a hand stands against every other when nobody bets any more, which is what a local best response believes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity.matchups import BOARDS, class_matchups
from kibitz.solvers.real.policy import HOLES, Floats
from kibitz.solvers.real.preflop import starting_classes

_CARDS = tuple(range(52))


def equities(hole: Sequence[int], board: Sequence[int]) -> Floats:
    """The chance that `hole` beats each of `HOLES`, ties counting half: float64[1326], 0 for hands that cannot be.

    With a board all cards that may follow are looked at. Before the flop it is the exact mean over the suits of both
    starting hands: what AsKs wins against all of 7h6h, 7s6s, ... on average is said of each.
    """
    known = {*hole, *board}
    there = free_hands(known)
    if not board:
        pairs, lead = class_matchups()
        kinds = starting_classes()
        own = kinds[_number(hole)]
        return np.where(there, 0.5 + lead[own, kinds] / (2 * np.maximum(pairs[own, kinds], 1) * BOARDS), 0.0)
    from kibitz.evaluator import evaluate_boards

    left = [card for card in _CARDS if card not in known]
    table = np.uint64(cards_to_mask(board))
    boards = np.array([cards_to_mask(more) for more in combinations(left, 5 - len(board))], dtype=np.uint64) | table
    rivals = evaluate_boards(boards, _hole_masks()[there])
    own_strengths = evaluate_boards(boards, np.array([cards_to_mask(hole)], dtype=np.uint64))[0]
    won = ((rivals < own_strengths) & (rivals >= 0)).sum(axis=1)
    tied = (rivals == own_strengths).sum(axis=1)
    found = np.zeros(len(HOLES))
    found[there] = (won + tied / 2) / (rivals >= 0).sum(axis=1)
    return found


def free_hands(known: set[int]) -> npt.NDArray[np.bool_]:
    """Which of `HOLES` have none of the cards: bool[1326]."""
    holds = np.zeros(52, dtype=bool)
    holds[list(known)] = True
    return np.asarray(~holds[HOLES].any(axis=1))


def _number(hole: Sequence[int]) -> int:
    low, high = sorted(hole)
    return high * (high - 1) // 2 + low


@lru_cache(maxsize=1)
def _hole_masks() -> npt.NDArray[np.uint64]:
    return np.array([cards_to_mask(hand) for hand in HOLES.tolist()], dtype=np.uint64)
