"""Hand strength of many hands on one board, equal to the last bit to `kibitz.agents.rules.hand_quality` of each."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import numpy.typing as npt

from kibitz.agents.preflop import preflop_equity
from kibitz.arena.variance.holdings import Cards, Floats, all_hands
from kibitz.arena.variance.run_outs import card_sets
from kibitz.cards import cards_to_mask
from kibitz.equity.strength import hand_strength
from kibitz.evaluator import evaluate_masks
from kibitz.games import Game

FEW = 8  # hands that are faster valued one by one


def hand_qualities(game: Game, hands: Cards, board: tuple[int, ...]) -> Floats:
    """The chance of each of `hands`, uint8[n, hole cards], to beat one random hand: float64[n]."""
    if game.hole_cards == 2 and len(game.deck) == 52 and not board:
        return np.asarray(_preflop()[hands[:, 0], hands[:, 1]])
    if len(hands) <= FEW or game.hole_cards > 2:
        cards = (tuple(sorted(hand)) for hand in hands.tolist())
        deck = game.suits, game.ranks, game.hand_ranking, game.has_lowest_deck
        return np.array([hand_strength(hand, board, *deck) for hand in cards])
    return _all_strengths(game, hands, board)


@cache
def _preflop() -> Floats:
    table = np.zeros((52, 52))
    for hand in permutations(range(52), 2):
        table[hand] = preflop_equity(hand)
    return table


def _all_strengths(game: Game, hands: Cards, board: tuple[int, ...]) -> Floats:
    """The same by sorting: hands below one, less those that share a card with it."""
    rivals = all_hands(game)
    rivals = rivals[~np.isin(rivals, np.array(board, dtype=np.uint8)).any(axis=1)]
    ranking = game.hand_ranking
    if ranking == "three-card" and game.hole_cards + len(board) != 3:
        ranking = "standard"
    table = evaluate_masks(_masks(rivals, board), ranking)
    own = evaluate_masks(_masks(hands, board), ranking)
    below, upto = _counts(table, own)
    for card in np.unique(hands):
        holds = (hands == card).any(axis=1)
        less, most = _counts(table[(rivals == card).any(axis=1)], own[holds])
        below[holds] -= less
        upto[holds] -= most
    if game.hole_cards == 2:
        upto += 1  # the hand itself was taken off twice
    left = len(rivals) - _sharing(len(game.deck) - len(board), game.hole_cards)
    return np.asarray((below + 0.5 * (upto - below)) / left)


def _counts(table: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ordered = np.sort(table)
    return np.searchsorted(ordered, own, "left"), np.searchsorted(ordered, own, "right")


def _sharing(cards: int, hole_cards: int) -> int:
    """Hands that share a card with a given one, itself included."""
    return 1 if hole_cards == 1 else 2 * (cards - 1) - 1


def _masks(hands: Cards, board: tuple[int, ...]) -> npt.NDArray[np.uint64]:
    return card_sets(hands) | np.uint64(cards_to_mask(board))
