"""Hand strength of one hand, of many and of all, and what hypotheses weigh."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.cards import cards_to_mask, parse_cards
from kibitz.games import Deal, State, load_game
from kibitz.policy.base import free_hands, normalised
from kibitz.policy.hands import HOLES
from kibitz.policy.strengths import by_value, card_sets, hand_quality, hand_strengths, holdem_qualities, hole_masks

GAME = load_game("holdem-limit-2p")
BOARDS = ["", "2c7d9h", "KsKhKd2c", "2c3c4c5c6c"]


def quality_of(hand: np.ndarray, board: tuple[int, ...]) -> float:
    """The strength of one hand, for the player who opens the round of `board`."""
    state = State.start(GAME)
    while GAME.board_ends[state.round] < len(board):
        state = state.apply("c")
    holes = tuple(tuple(hand.tolist()) if player == state.player else () for player in range(2))
    return hand_quality(state._replace(deal=Deal(holes, board)))


@pytest.mark.parametrize("text", BOARDS)
def test_many_hands_are_as_strong_as_each_alone(text):
    board = parse_cards(text)
    some = np.random.default_rng(len(text)).choice(len(HOLES), 12, replace=False)
    hands = HOLES[some][free_hands(HOLES[some], board)]
    alone = [quality_of(hand, board) for hand in hands]
    assert holdem_qualities(hands, board).tolist() == alone
    assert holdem_qualities(hands[:, ::-1], board).tolist() == alone


def test_hands_that_the_board_blocks_have_no_strength():
    board = parse_cards("2c7d9h")
    found = hand_strengths(board)
    free = free_hands(HOLES, board)
    assert not found[~free].any()
    assert found[free].mean() == pytest.approx(0.5)
    assert (HOLES[found.argmax()] >> 2).tolist() == [7, 7]  # three nines


def test_on_a_board_that_plays_all_hands_tie_but_those_that_improve_it():
    board = parse_cards("2c3c4c5c6c")
    numbers = np.flatnonzero(free_hands(HOLES, board))
    ordered, ends = by_value(board, numbers)
    assert sorted(ordered) == numbers.tolist()
    assert ends[-1] == len(numbers)
    held = [{*HOLES[number].tolist()} for number in ordered]
    seven, eight = parse_cards("7c8c")
    better = [bool(hand & {seven}) for hand in held]
    assert better == sorted(better)
    assert held[-1] == {seven, eight}
    assert len(ends) == 3  # the board, a seven, a seven and an eight


def test_sets_of_cards_are_masks():
    assert hole_masks().tolist() == [cards_to_mask(hand) for hand in HOLES.tolist()]
    assert card_sets(np.array([[[0, 51], [5, 6]]], dtype=np.uint8)).shape == (1, 2)


def test_weights_are_normalised_hand_by_hand():
    weights = np.array([[1.0, 0.0, 0.0], [3.0, 0.0, 2.0]])
    assert normalised(weights).tolist() == [[0.25, 0.5, 0.0], [0.75, 0.5, 1.0]]
    assert weights[0, 1] == 0.0  # what was given is left alone
