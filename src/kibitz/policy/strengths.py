"""Hand strength as rules see it, of one hand or of many on one board, equal to the last bit."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity.matchups import preflop_equity
from kibitz.equity.strength import hand_strength
from kibitz.evaluator import evaluate_boards
from kibitz.games import Game, State
from kibitz.policy.base import FEW, Cards, Floats


def hand_quality(state: State) -> float:
    """The chance that the player to act beats one random hand, cards to come left out after the flop."""
    game, hole = state.game, state.hole[state.player]
    if not hole:  # plays blind
        return 0.5
    if _is_before_flop(game, state.board):
        return preflop_equity(hole)
    return _strength(game, tuple(sorted(hole)), tuple(state.board))


def hand_qualities(game: Game, hands: Cards, board: tuple[int, ...]) -> Floats:
    """The same of each of `hands`, uint8[n, hole cards]: float64[n]."""
    if _is_before_flop(game, board):
        return np.asarray(_preflop()[hands[:, 0], hands[:, 1]])
    if len(hands) <= FEW or game.hole_cards > 2:
        return np.array([_strength(game, tuple(sorted(hand)), board) for hand in hands.tolist()])
    return _all_strengths(game, hands, board)


def holdem_qualities(hands: Cards, board: tuple[int, ...]) -> Floats:
    """The same in hold'em by compiled code, on a board of 0, 3, 4 or 5 cards; 0 for hands that the board blocks."""
    if not board:
        return np.asarray(_preflop()[hands[:, 0], hands[:, 1]])
    low, high = np.sort(hands.astype(np.int64), axis=1).T
    return np.asarray(hand_strengths(board)[high * (high - 1) // 2 + low])


def _is_before_flop(game: Game, board: tuple[int, ...]) -> bool:
    return game.hole_cards == 2 and len(game.deck) == 52 and not board


def _strength(game: Game, hole: tuple[int, ...], board: tuple[int, ...]) -> float:
    return hand_strength(hole, board, game.suits, game.ranks, game.hand_ranking, game.has_lowest_deck)


@cache
def _preflop() -> Floats:
    table = np.zeros((52, 52))
    for hand in permutations(range(52), 2):
        table[hand] = preflop_equity(hand)
    return table


@lru_cache(maxsize=16)
def all_hands(game: Game) -> Cards:
    """Every hole hand of the deck, cards ascending: uint8[hands, hole cards]."""
    return np.array(list(combinations(sorted(game.deck), game.hole_cards)), dtype=np.uint8)


def card_sets(cards: Cards) -> npt.NDArray[np.uint64]:
    """Sets of the cards along the last axis, as masks."""
    bits = np.uint64(1) << (16 * (cards & 3) + (cards >> 2)).astype(np.uint64)
    return np.asarray(np.bitwise_or.reduce(bits, axis=-1))


def _all_strengths(game: Game, hands: Cards, board: tuple[int, ...]) -> Floats:
    return np.asarray(_strengths_on(game, board)[tuple(hands.T)])


@lru_cache(maxsize=64)  # a round has several decisions on one board
def _strengths_on(game: Game, board: tuple[int, ...]) -> Floats:
    """Strengths in any game by their one or two hole cards in any order: float64[52] or float64[52, 52].

    By sorting: hands below one, less those that share a card with it.
    """
    from kibitz.evaluator import evaluate_masks

    hands = all_hands(game)
    hands = hands[~np.isin(hands, np.array(board, dtype=np.uint8)).any(axis=1)]
    ranking = game.hand_ranking
    if ranking == "three-card" and game.hole_cards + len(board) != 3:
        ranking = "standard"
    values = evaluate_masks(card_sets(hands) | np.uint64(cards_to_mask(board)), ranking)
    below, upto = _counts(values, values)
    for card in np.unique(hands):
        holds = (hands == card).any(axis=1)
        less, most = _counts(values[holds], values[holds])
        below[holds] -= less
        upto[holds] -= most
    if game.hole_cards == 2:
        upto += 1  # the hand itself was taken off twice
    left = len(hands) - _sharing(len(game.deck) - len(board), game.hole_cards)
    table = np.zeros((52,) * game.hole_cards)
    table[tuple(hands.T)] = table[tuple(hands.T[::-1])] = (below + 0.5 * (upto - below)) / left
    return table


def _counts(table: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    ordered = np.sort(table)
    return np.searchsorted(ordered, own, "left"), np.searchsorted(ordered, own, "right")


def _sharing(cards: int, hole_cards: int) -> int:
    """Hands that share a card with a given one, itself included."""
    return 1 if hole_cards == 1 else 2 * (cards - 1) - 1


@lru_cache(maxsize=1)
def hole_masks() -> npt.NDArray[np.uint64]:
    """`HOLES` as sets of cards: uint64[1326]."""
    from kibitz.policy.hands import HOLES

    return card_sets(HOLES)


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
    from kibitz.policy.hands import HOLES

    free = np.flatnonzero(~np.isin(HOLES, np.array(board, dtype=np.uint8)).any(axis=1))
    numbers, groups = by_value(board, free)
    every = np.ones((1, len(numbers)), dtype=np.float32)
    rivals, lead = np.empty_like(every), np.empty_like(every)
    _kernels.meet(every, HOLES[numbers].astype(np.int64), groups, rivals, lead)
    met = rivals[0].astype(np.float64)  # whole numbers, and so are the leads
    found = np.zeros(len(HOLES))
    found[numbers] = (met + lead[0]) / 2 / met
    return found
