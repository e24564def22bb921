"""What describes a decision (Rubin and Watson 2011, table 1), and the settings by which hands are described.

Board texture, what the public cards threaten, is of section 4.4 and table 4. The paper names nine classes and leaves
open what `possible` means. Here, of the cards on the board so far:

flush      possible with three of a suit, highly possible with four or five
straight   possible where two hole cards could complete one (three ranks within five), highly possible where one card
           could (four or five ranks within five); the ace is high and low

>>> from kibitz.cards import parse_cards
>>> texture(parse_cards("Kh8h2h")), texture(parse_cards("9c8d7h6s")), texture(parse_cards("KcKd2h"))
('B', 'E', 'A')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import GameError, KibitzError
from kibitz.games import Game, State
from kibitz.modelling.cases.betting import NEXT_ROUND, SARTRE, Alphabet, find_alphabet, stack_commitment
from kibitz.modelling.cases.strength import BOARD_CARDS, SARTRE_STRENGTH, Strength
from kibitz.translation import Reading

FEATURES = ("strength", "betting", "commitment", "texture")
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


class Features(NamedTuple):
    """The four features of a decision.

    strength    from 1, the weakest, to the number of buckets of the round
    sequence    the abstract betting so far
    commitment  from 1 to the granularity
    texture     A to I; A before the flop
    """

    strength: int
    sequence: str
    commitment: int
    texture: str

    @property
    def round(self) -> int:
        """The betting round, 0 before the flop."""
        return self.sequence.count(NEXT_ROUND)


@dataclass(frozen=True)
class Description:
    """How hands are turned into cases; cases of different descriptions do not go together.

    alphabet     abstract actions
    strength     name of the hand-strength buckets, see `kibitz.modelling.cases.strength`
    commitments  N, the granularity of stack commitment
    mapping      how bets between two sizes are translated when cases are built, as in `Reading`; det-geo is the
                 paper's hard translation, equation 1
    """

    alphabet: str = SARTRE.name
    strength: str = SARTRE_STRENGTH
    commitments: int = 4
    mapping: str = "det-geo"

    def __post_init__(self) -> None:
        _ = self.letters, self.reading
        if not 1 <= self.commitments <= 255:
            raise KibitzError(f"{self.commitments} classes of stack commitment: give 1 to 255")

    @cached_property
    def letters(self) -> Alphabet:
        """The alphabet itself."""
        return find_alphabet(self.alphabet)

    @cached_property
    def reading(self) -> Reading:
        """The reader of bets for building."""
        return Reading(self.mapping)

    def describe(self, state: State, sequence: str, strength: Strength) -> Features:
        """The features of the decision that the player to act faces in `state`, whose betting reads as `sequence`."""
        board = state.board
        bucket = strength.bucket(state.hole[state.player], board)
        return Features(bucket, sequence, stack_commitment(state, state.player, self.commitments), texture(board))


def check_holdem(game: Game, alphabet: Alphabet) -> None:
    """Refuse a game whose hands these features do not describe."""
    name = game.name or "the game"
    if game.hole_cards != 2 or game.board_ends != BOARD_CARDS or len(game.deck) != 52:
        raise GameError(f"{name}: cases describe hold'em, two hole cards and boards of 3, 4 and 5 of 52 cards")
    if (game.betting == "limit") != alphabet.limit:
        raise GameError(
            f"{name} is {game.betting}: the alphabet {alphabet.name} is not for it; limit games take fcr, no-limit "
            f"games letters such as {SARTRE.name}"
        )
