"""A state of limit hold'em as kernels take it: numbers of actions and cards; and numbers as actions again."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from kibitz.games import State
from kibitz.learning.records import SEATS

LETTERS = "fcr"


def action_numbers(history: str) -> npt.NDArray[np.int64]:
    """The actions of ACPC betting text without sizes, 0 fold, 1 call or check, 2 bet or raise: int64[n]."""
    return np.array([LETTERS.index(each) for each in history if each != "/"], dtype=np.int64)


def known_cards(state: State, players: Iterable[int]) -> npt.NDArray[np.uint8]:
    """Hole cards of some players, two a seat, and the board from 2 * SEATS on: uint8[25], 0 where not known."""
    cards = np.zeros(2 * SEATS + 5, dtype=np.uint8)
    for player in players:
        hole = state.hole[player]
        cards[2 * player : 2 * player + len(hole)] = hole
    cards[2 * SEATS : 2 * SEATS + len(state.board)] = state.board
    return cards


def draw_letter(chances: Iterable[float], options: str, uniform: float) -> str:
    """The action at `uniform` (in [0, 1)) of the chances of fold, call and raise, of which `options` are legal."""
    for letter, chance in zip(LETTERS, chances, strict=True):
        uniform -= chance
        if uniform < 0 and letter in options:
            return letter
    return options[-1]
