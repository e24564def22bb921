"""Hand strength: how a hand stands against one unknown hand on the board as it lies."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask, make_deck
from kibitz.evaluator import evaluate, evaluate_masks
from kibitz.evaluator.values import Ranking


@lru_cache(maxsize=1 << 17)
def hand_strength(
    hole: tuple[int, ...],
    board: tuple[int, ...],
    suits: int = 4,
    ranks: int = 13,
    ranking: Ranking = "standard",
    lowest: bool = False,
) -> float:
    """HS: the chance that `hole` beats a uniformly drawn hand of as many cards, ties counting half.

    The deck is `make_deck(suits, ranks, lowest)`. Nothing is said of cards to come. Where a ranking needs more cards
    than are out (`three-card` before the last board card), the cards at hand are ranked by the standard ranking.
    """
    if ranking == "three-card" and len(hole) + len(board) != 3:
        ranking = "standard"
    hands = _hole_masks(make_deck(suits, ranks, lowest), len(hole))
    known = np.uint64(cards_to_mask(hole + board))
    others = hands[hands & known == 0] | np.uint64(cards_to_mask(board))
    values = evaluate_masks(others, ranking)
    own = evaluate(hole + board, ranking)
    return float((values < own).sum() + 0.5 * (values == own).sum()) / len(values)


@lru_cache(maxsize=8)
def _hole_masks(deck: tuple[int, ...], count: int) -> npt.NDArray[np.uint64]:
    """Every hand of `count` cards of a deck, as masks."""
    return np.array([cards_to_mask(cards) for cards in combinations(deck, count)], dtype=np.uint64)
