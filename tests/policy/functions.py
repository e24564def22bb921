"""Policies written as functions, one hand at a time: for small games and for players of one's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from kibitz.games import Deal, State
from kibitz.policy.base import Action, Cards, Floats, Policy, fingerprint_of, free_hands


class FunctionPolicy(Policy):
    """A function from what the player to act sees to {action: probability}; `key` is its fingerprint.

    Every action that it ever gives must be one of `State.legal`'s, which are few in games with fixed bet sizes.
    """

    def __init__(self, function: Callable[[State], Mapping[str, float]], key: str, name: str = "function") -> None:
        self._function, self.name, self.fingerprint = function, name, fingerprint_of("function", key)

    def actions(self, state: State) -> tuple[Action, ...]:
        return tuple(map(Action, state.legal().actions()))

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        player, unknown = state.player, ((),) * state.game.players
        numbers = {action.text: number for number, action in enumerate(self.actions(state))}
        found = np.zeros((len(numbers), len(hands)))
        for row in np.flatnonzero(free_hands(hands, board)).tolist():
            hand = hands[row].tolist()
            hole = (*unknown[:player], tuple(hand), *unknown[player + 1 :]) if state.game.sighted[player] else unknown
            for action, chance in self._function(state._replace(deal=Deal(hole, board))).items():
                found[numbers[action], row] = chance
        return found
