"""Board texture: what the public cards threaten (Rubin and Watson 2011, section 4.4 and table 4).

The paper names nine classes and leaves open what `possible` means. Here, of the cards on the board so far:

flush      possible with three of a suit, highly possible with four or five
straight   possible where two hole cards could complete one (three ranks within five), highly possible where one card
           could (four or five ranks within five); the ace is high and low

>>> from kibitz.cards import parse_cards
>>> texture(parse_cards("Kh8h2h")), texture(parse_cards("9c8d7h6s")), texture(parse_cards("KcKd2h"))
('B', 'E', 'A')
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

TEXTURES = "ABCDEFGHI"
MEANINGS: dict[str, str] = {
    "A": "no salient",
    "B": "flush possible",
    "C": "straight possible",
    "D": "flush possible, straight possible",
    "E": "straight highly possible",
    "F": "flush possible, straight highly possible",
    "G": "flush highly possible",
    "H": "flush highly possible, straight possible",
    "I": "flush highly possible, straight highly possible",
}
_CLASSES = ((0, 2, 4), (1, 3, 5), (6, 7, 8))  # [flush, straight]: not, possible, highly
_WINDOW = 5  # ranks of a straight


def _straights() -> npt.NDArray[np.uint8]:
    """Per set of ranks, bit r being rank r, whether a straight is not (0), possible (1) or highly possible (2)."""
    ranks = np.arange(1 << 13)
    ranks = ranks << 1 | ranks >> 12  # bit 0 is the ace below the two
    starts = range(14 - _WINDOW + 1)
    connected = np.max([np.bitwise_count(ranks >> start & (1 << _WINDOW) - 1) for start in starts], axis=0)
    return np.asarray(np.clip(connected.astype(np.int64) - 2, 0, 2), dtype=np.uint8)


_STRAIGHTS = _straights()
_STRAIGHT_LIST: list[int] = _STRAIGHTS.tolist()  # single entries are read faster than from the array


def textures(boards: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The classes of many boards of one length: uint8[n], places in TEXTURES.

    boards : uint8[n, k]
    """
    if not boards.shape[1]:
        return np.zeros(len(boards), dtype=np.uint8)
    suited = np.max([(boards & 3 == suit).sum(axis=1) for suit in range(4)], axis=0)
    ranks = np.bitwise_or.reduce(np.left_shift(1, (boards >> 2).astype(np.int64)), axis=1)
    flush = np.clip(suited.astype(np.int64) - 2, 0, 2)
    return np.asarray(np.array(_CLASSES, dtype=np.uint8)[flush, _STRAIGHTS[ranks]])


def texture(board: Sequence[int]) -> str:
    """The class of one board, a letter of TEXTURES."""
    suits, ranks = [0, 0, 0, 0], 0
    for card in board:
        suits[card & 3] += 1
        ranks |= 1 << (card >> 2)
    flush = min(max(max(suits) - 2, 0), 2)
    return TEXTURES[_CLASSES[flush][_STRAIGHT_LIST[ranks]]]
