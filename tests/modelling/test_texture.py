"""Board textures on boards made by hand."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from kibitz.cards import parse_cards
from kibitz.modelling.cases.features import MEANINGS, TEXTURES, texture, textures

BOARDS = {
    "": "A",
    "Kc8d3h": "A",
    "KcKdKh": "A",
    "Kc8c3d": "A",  # two of a suit are no flush yet
    "Kc8c3c": "B",
    "KcQdJh": "C",
    "9c7d5h": "C",
    "Ac2d3h": "C",  # the wheel
    "AcKdTh": "C",
    "AcKd9h": "A",
    "KcAd2h": "A",  # round the corner is no straight
    "9c7c5c": "D",
    "9c8d7h6s": "E",
    "9c8d7h5s": "E",
    "Ac2d3h5s": "E",
    "9c8c7c6s": "F",
    "Kc8c3c2c": "D",  # see below
    "Kc9c5c2c": "G",
    "KcJc8c3c2d": "G",
    "Kc9c8c7c2d": "H",
    "9c8c7c6c": "I",
    "AcKcQcJcTc": "I",
    "AcKdQhJsTc": "E",
    "2c2d2h2s3c": "A",
    "Kc9c8d7h2c": "D",
    "KcTc5d2h2s": "A",
}
BOARDS["Kc8c3c2c"] = "G"


@pytest.mark.parametrize(("board", "wanted"), BOARDS.items())
def test_classes(board, wanted):
    assert texture(parse_cards(board)) == wanted


def test_every_class_occurs_and_has_a_meaning():
    assert set(BOARDS.values()) == set(TEXTURES) == set(MEANINGS)


def flush_level(board: tuple[int, ...]) -> int:
    most = max(sum(card & 3 == suit for card in board) for suit in range(4))
    return 2 if most >= 4 else 1 if most == 3 else 0


def straight_level(board: tuple[int, ...]) -> int:
    """By trying all ranks that one card, or two, could add."""
    ranks = {card >> 2 for card in board}
    windows = [{-1 % 13, 0, 1, 2, 3}, *({low + step for step in range(5)} for low in range(9))]
    for level, cards in ((2, 1), (1, 2)):
        for added in combinations(range(13), cards):
            if any(window <= ranks | set(added) for window in windows):
                return level
    return 0


def test_the_definition_on_random_boards():
    names = {(0, 0): "A", (1, 0): "B", (0, 1): "C", (1, 1): "D", (0, 2): "E", (1, 2): "F", (2, 0): "G", (2, 1): "H"}
    names[2, 2] = "I"
    rng = np.random.default_rng(0)
    for size in (3, 4, 5):
        boards = np.array([rng.permutation(52)[:size] for _ in range(150)], dtype=np.uint8)
        for board, found in zip(boards.tolist(), textures(boards), strict=True):
            assert TEXTURES[found] == names[flush_level(tuple(board)), straight_level(tuple(board))]
