"""Boards up to the names of suits."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest

from kibitz.abstraction.features.boards import CANONICAL, STREETS, get_boards, get_extensions, pair_cards, pair_number
from kibitz.errors import CardError

SUITS = list(permutations(range(4)))


def rename(cards, suits):
    return [card // 4 * 4 + suits[card % 4] for card in cards]


@pytest.mark.parametrize("size", STREETS)
def test_counts(size):
    boards = get_boards(size)
    assert len(boards) == CANONICAL[size] == len(boards.weights)
    assert boards.weights.sum() == comb(52, size)
    assert boards.codes.min() >= 0
    assert len(np.unique(boards.codes >> 5)) == len(boards)


@pytest.mark.parametrize("size", [3, 4, 5])
def test_renamed_suits_make_no_other_board(size):
    boards, random = get_boards(size), np.random.default_rng(size)
    for _ in range(200):
        board = random.choice(52, size, replace=False).tolist()
        row, suits = boards.place(board)
        assert sorted(rename(board, suits)) == boards.cards[row].tolist()
        assert boards.place(rename(board, SUITS[random.integers(24)]))[0] == row


@pytest.mark.parametrize("size", [3, 4, 5])
def test_symmetries_and_weights(size):
    boards = get_boards(size)
    for row in np.random.default_rng(0).integers(len(boards), size=100):
        board = set(boards.cards[row].tolist())
        kept = [set(rename(board, suits)) == board for suits in SUITS]
        assert boards.symmetries[row] == sum(1 << p for p, keeps in enumerate(kept) if keeps)
        assert boards.weights[row] == len({tuple(sorted(rename(board, suits))) for suits in SUITS})


@pytest.mark.parametrize("size", STREETS)
def test_a_batch_is_placed_as_one_by_one(size):
    boards = get_boards(size)
    random = np.random.default_rng(1)
    cards = np.array([random.choice(52, 5, replace=False) for _ in range(300)], dtype=np.uint8)
    codes = boards.place_batch(cards)
    for row, code in zip(cards.tolist(), codes.tolist(), strict=True):
        assert boards.place(row[:size]) == (code >> 5, SUITS[code & 31])


@pytest.mark.parametrize("board", [(3, 3, 9), (3, 52, 9), (255, 1, 2), (9, 8, 9)])
def test_what_is_no_board(board):
    rows = np.array([(0, 1, 2), board], dtype=np.uint8)
    with pytest.raises(CardError, match="board 1 is"):
        get_boards(3).place_batch(rows)


def test_there_are_four_streets():
    with pytest.raises(CardError, match="a board of 2 cards"):
        get_boards(2)


def test_boards_are_read_from_the_cache(cache):
    made = get_boards(3)
    get_boards.cache_clear()
    again = get_boards(3)
    assert again is not made
    assert not again.codes.flags.writeable
    assert (again.codes == made.codes).all()
    path = cache / "boards-1" / "codes-3.npy"
    short = path.with_name("short")
    short.write_bytes(path.read_bytes()[:1000])
    short.replace(path)  # cut short: made again
    get_boards.cache_clear()
    assert (get_boards(3).codes == made.codes).all()


def test_pairs():
    assert [pair_number(b, a) for a, b in pair_cards().tolist()] == list(range(1326))
    assert {tuple(pair) for pair in pair_cards().tolist()} == set(combinations(range(52), 2))


@pytest.mark.parametrize("size", [3, 4])
def test_extensions(size):
    boards, longer, extensions = get_boards(size), get_boards(size + 1), get_extensions(size)
    for row in np.random.default_rng(2).integers(len(boards), size=50):
        board = boards.cards[row].tolist()
        for card in range(52):
            code = int(extensions[row, card])
            if card in board:
                assert code == -1
            else:
                assert (code >> 5, SUITS[code & 31]) == longer.place([*board, card])
