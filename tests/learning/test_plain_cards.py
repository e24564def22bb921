"""The compiled card features against those in plain Python, and how well the river's tell hands apart."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from kibitz.evaluator import evaluate_batch
from kibitz.learning.cards.names import SHORT_RIVER, private_names, public_names
from learning import plain_cards
from learning.described import MODES, describe_board, describe_hands

CARDS_OF_STAGE = (0, 3, 4, 5)
STRAIGHT_FLUSH = 8
HOLES = np.array(list(combinations(range(52), 2)), dtype=np.uint8)
RANK_PATTERNS = [(4, 1), (3, 2), (3, 1, 1), (2, 2, 1), (2, 1, 1, 1), (1, 1, 1, 1, 1)]
SUITED = [3, 4, 5]
BOARDS = 150  # of a class, as in the digest


def hand_features(stage, hole, board, profile):
    (numbers,), (values,), (count,) = describe_hands(stage, [hole], board, MODES[profile])
    names = private_names(profile, stage)
    return {names[n]: v for n, v in zip(numbers[:count], values[:count], strict=True)}


def board_features(kind, board, profile):
    names = SHORT_RIVER if kind == 4 else public_names(profile, kind)
    return {names[n]: v for n, v in zip(*describe_board(kind, board, MODES[profile]), strict=True)}


def patterned(noise, counts):
    """A board whose ranks come so often, in any order."""
    cards = []
    for rank, count in zip(noise.permutation(13), counts, strict=False):
        cards += [4 * int(rank) + int(suit) for suit in noise.permutation(4)[:count]]
    return noise.permutation(np.array(cards, dtype=np.uint8))


def suited(noise, count):
    """A board with so many cards of one suit, in any order."""
    suit = int(noise.integers(4))
    cards = [4 * int(rank) + suit for rank in noise.permutation(13)[:count]]
    others = [card for card in range(52) if card % 4 != suit]
    return noise.permutation(np.array([*cards, *noise.choice(others, 5 - count, replace=False)], dtype=np.uint8))


def close(noise):
    """A board of ranks that lie close together, the ace also below the deuce."""
    low = int(noise.integers(-1, 7))
    cards = noise.permutation(np.array([4 * (rank % 13) + suit for rank in range(low, low + 7) for suit in range(4)]))
    return cards[:5].astype(np.uint8)


@cache
def deals():
    """Hole cards and whole boards of every class; half of the holes lie near the board's ranks."""
    noise = np.random.default_rng(11)
    boards = [patterned(noise, counts) for counts in RANK_PATTERNS for _ in range(30)]
    boards += [suited(noise, count) for count in SUITED for _ in range(30)]
    boards += [close(noise) for _ in range(80)] + [noise.permutation(52)[:5].astype(np.uint8) for _ in range(50)]
    found = []
    for board in boards:
        free = np.setdiff1d(np.arange(52), board)
        near = free[np.isin(free // 4, board // 4) | np.isin(free % 4, np.bincount(board % 4).argmax())]
        found.append((noise.choice(free, 2, replace=False), board))
        found.append((noise.choice(near, 2, replace=False), board))
    return found


@pytest.mark.parametrize("profile", ["listed", "complete"])
@pytest.mark.parametrize("stage", range(4))
def test_private_features_are_those_of_their_definitions(stage, profile):
    seen = set()
    for hole, board in deals():
        there = board[: CARDS_OF_STAGE[stage]]
        found = hand_features(stage, hole, there, profile)
        assert found == pytest.approx(plain_cards.hand_features(hole, there, profile == "complete")), (hole, there)
        seen |= found.keys()
    assert len(seen) > 0.9 * len(private_names(profile, stage)), set(private_names(profile, stage)) - seen


@pytest.mark.parametrize("profile", ["listed", "complete"])
@pytest.mark.parametrize("stage", range(1, 4))
def test_public_features_are_those_of_their_definitions(stage, profile):
    seen = set()
    for _, board in deals()[::2]:
        there = board[: CARDS_OF_STAGE[stage]]
        found = board_features(stage, there, profile)
        assert found == pytest.approx(plain_cards.board_features(there, profile == "complete")), there
        seen |= found.keys()
    assert len(seen) > 0.9 * len(public_names(profile, stage)), set(public_names(profile, stage)) - seen


def test_the_short_list_of_the_river_is_that_of_its_definitions():
    for _, board in deals()[::2]:
        assert board_features(4, board, "complete") == pytest.approx(plain_cards.short_features(board)), board


def confused(board, profile):
    """Pairs of disjoint hands with the same private features on the river and different values."""
    holes = HOLES[~np.isin(HOLES, board).any(axis=1)]
    numbers, values, counts = describe_hands(3, holes, board, MODES[profile])
    worth = evaluate_batch(np.concatenate([holes, np.broadcast_to(board, (len(holes), 5))], axis=1))
    on = np.arange(32) < counts[:, None]
    keys = np.where(on, numbers * 10_000 + np.rint(values * 624), -1).astype(np.int64)  # all values are k / 624
    plain = worth >> 26 != STRAIGHT_FLUSH
    holes, keys, worth = holes[plain], keys[plain], worth[plain]
    if not len(worth):  # a straight flush lies on the board
        return 0
    _, group = np.unique(keys, axis=0, return_inverse=True)
    group = group.ravel()
    low, high = np.full(group.max() + 1, worth.max()), np.zeros(group.max() + 1, worth.dtype)
    np.minimum.at(low, group, worth)
    np.maximum.at(high, group, worth)
    found = 0
    for each in np.flatnonzero(low < high):
        places = np.flatnonzero(group == each)
        cards = holes[places]
        shared = (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
        found += int((~shared & (worth[places][:, None] != worth[places])).sum()) // 2
    return found


def rivers(counts, number):
    noise = np.random.default_rng(sum(counts) + 10 * len(counts))
    return [patterned(noise, counts) for _ in range(number)]


@pytest.mark.parametrize("counts", RANK_PATTERNS)
def test_the_relative_strength_of_any_two_hands_can_be_deduced(counts):
    """Digest 2.3.7: with the additions, hands that share all private features of the river are equally good."""
    assert sum(confused(board, "complete") for board in rivers(counts, BOARDS)) == 0


@pytest.mark.parametrize("count", SUITED)
def test_flushes_can_be_told_apart(count):
    noise = np.random.default_rng(count)
    assert sum(confused(suited(noise, count), "complete") for _ in range(BOARDS)) == 0


@pytest.mark.parametrize("counts", [(3, 2), (2, 2, 1), (2, 1, 1, 1)])
def test_as_printed_some_hands_cannot_be_told_apart(counts):
    """The three classes of boards that the additions are for."""
    assert sum(confused(board, "listed") for board in rivers(counts, 20)) > 0
