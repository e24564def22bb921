"""What a known policy may do: actions with their chances for any hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from kibitz.arena.variance.holdings import Cards, Floats
from kibitz.arena.variance.values import fingerprint_of
from kibitz.games import Deal, State


class Move(NamedTuple):
    """An action or a group of raises, and its chances with each hand.

    action  : what stands for the group when it is valued
    chances : float64[n]
    sizes   : the raises of the group as (smallest, largest, how many), all equally likely; None for a single action
    """

    action: str
    chances: Floats
    sizes: tuple[int, int, int] | None = None

    def covers(self, action: str) -> bool:
        """Whether `action` is of this move; single actions are asked first."""
        if self.sizes is None:
            return action == self.action
        return action[0] == "r" and self.sizes[0] <= int(action[1:]) <= self.sizes[1]

    @property
    def likelihoods(self) -> Floats:
        """The chances of each single action of the move: float64[n]."""
        return self.chances if self.sizes is None else self.chances / self.sizes[2]


class Policy(Protocol):
    """How a seat plays."""

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides the chances."""

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        """What the player to act may do with each of `hands`, uint8[n, hole cards]; single actions come first."""


def find_move(moves: Sequence[Move], action: str) -> Move | None:
    """The move that `action` is, if any."""
    return next((move for move in moves if move.covers(action)), None)


class FunctionPolicy:
    """A function from what the player to act sees to {action: probability}; `key` is its fingerprint."""

    def __init__(self, function: Callable[[State], Mapping[str, float]], key: str) -> None:
        self._function, self.fingerprint = function, fingerprint_of("function", key)

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        player, unknown = state.player, ((),) * state.game.players
        chances: dict[str, list[float]] = {}
        for row, hand in enumerate(hands.tolist()):
            hole = (*unknown[:player], tuple(hand), *unknown[player + 1 :]) if state.game.sighted[player] else unknown
            for action, chance in self._function(state._replace(deal=Deal(hole, board))).items():
                chances.setdefault(action, [0.0] * len(hands))[row] = chance
        return [Move(action, np.array(each)) for action, each in chances.items()]
