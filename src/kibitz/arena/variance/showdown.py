"""What one seat wins in many holdings at once, by the rules of `kibitz.games.pots`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.arena.variance.holdings import Cards, Floats
from kibitz.evaluator import evaluate_batch
from kibitz.games import Game, State
from kibitz.games.pots import merged_pots, payoffs


class Pot(NamedTuple):
    """Chips, and the seats that may win them."""

    chips: int
    contenders: tuple[int, ...]


def standing(state: State) -> tuple[int, ...]:
    """The seats that have not folded."""
    return tuple(seat for seat in range(state.game.players) if not state.folded >> seat & 1)


def pots_of(game: Game, spent: Sequence[int], left: tuple[int, ...]) -> list[Pot]:
    """The pots that the seats in `left` play for."""
    pots = merged_pots(spent, game.antes_paid, list(left), game.rules == "tda", game.ante_trimming)
    return [Pot(chips, tuple(contenders)) for chips, contenders in pots]


def settle(state: State, player: int, holes: Cards, boards: Cards) -> Floats:
    """Net chips of `player` in a hand whose betting is over.

    holes : uint8[n, players, hole cards]     boards : uint8[n, all board cards]
    """
    game, left = state.game, standing(state)
    spent, antes, rules = state.spent, game.antes_paid, (game.rules == "tda", game.ante_trimming)

    def won(strength: Sequence[int]) -> float:
        return payoffs(spent, antes, strength, whole_chips=rules[0], ante_trimming=rules[1])[player]

    if len(left) == 1:
        return np.full(len(holes), won([0 if seat in left else -1 for seat in range(game.players)]))
    strengths = _strengths(game, left, holes, boards)
    # Only the order of the hands matters, and few orders occur.
    orders = (strengths[:, :, None] > strengths[:, None, :]).sum(axis=2)
    codes = orders @ len(left) ** np.arange(len(left))
    _codes, first, which = np.unique(codes, return_index=True, return_inverse=True)
    chips = []
    for order in orders[first].tolist():
        strength = [-1] * game.players
        for seat, place in zip(left, order, strict=True):
            strength[seat] = place
        chips.append(won(strength))
    return np.array(chips)[which]


def _strengths(game: Game, left: tuple[int, ...], holes: Cards, boards: Cards) -> npt.NDArray[np.int32]:
    """Showdown values: int32[n, seats left]."""
    count = len(holes)
    hands = np.concatenate([holes[:, list(left)], np.repeat(boards[:, None], len(left), axis=1)], axis=2)
    return evaluate_batch(hands.reshape(count * len(left), -1), game.hand_ranking).reshape(count, len(left))
