"""Any function of a state as a value function."""

from collections.abc import Callable

import numpy as np

from kibitz.games import Deal, State
from kibitz.modelling.estimators.values import Cards, Floats, Listed
from kibitz.policy.base import fingerprint_of


def with_cards(state: State, hole: Cards, board: Cards) -> State:
    """`state` with these cards: uint8[players, hole cards] and uint8[k]."""

    return state._replace(deal=Deal(tuple(map(tuple, hole.tolist())), tuple(board.tolist())))


class ListedValue(Listed):
    """Any function of (state with its cards, player) as a value function; means are taken by listing cards.

    It is called once for every holding, so it is for small games. The function's name and `key` are its fingerprint:
    give a `key` that tells its parameters.
    """

    def __init__(self, function: Callable[[State, int], float], key: str = "") -> None:
        self.name = getattr(function, "__name__", "function")
        self._function, self._key = function, key

    @property
    def fingerprint(self) -> str:
        return fingerprint_of("listed", self.name, self._key)

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats:
        dealt = ((with_cards(state, hole, board), player) for hole, board in zip(holes, boards, strict=True))
        return np.array([self._function(*each) for each in dealt])
