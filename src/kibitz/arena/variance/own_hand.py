"""A value function for logs that show one seat's cards only."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kibitz.arena.variance.checkdown import projected
from kibitz.arena.variance.holdings import Cards, Floats
from kibitz.arena.variance.showdown import pots_of, standing
from kibitz.games import Game, State
from kibitz.policy.base import fingerprint_of
from kibitz.policy.strengths import all_hands, hand_qualities


class OwnHand:
    """Pot share by hand strength: s^k of a pot against k opponents, less what was put in; open bets are called.

    s is the chance to beat one random hand: all-in before the flop, on the board as it lies afterwards. Before anybody
    acts, s alone decides: `stake` big blinds are taken to be played for.
    """

    name = "own hand"

    def __init__(self, stake: float = 4.0) -> None:
        self.stake = stake

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.name, "bets called", self.stake)

    def capacity(self, game: Game) -> int:
        return 1

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats:
        game = state.game
        strengths = np.concatenate(
            [
                hand_qualities(game, hole[None, player], tuple(board.tolist()))
                for hole, board in zip(holes, boards, strict=True)
            ]
        )
        if not state.history:
            return self.stake * game.big_blind * strengths
        left = standing(state)
        # A raise that nobody calls would cost chips and win none: every strong hand's raise would look like a mistake.
        spent = projected(state, left, 0.0)
        worth = np.full(len(holes), -float(spent[player] + game.antes_paid[player]))
        for pot in pots_of(game, spent, left):
            if player in pot.contenders:
                worth += pot.chips * strengths ** (len(pot.contenders) - 1)
        return worth

    def mean_at_start(self, game: Game, player: int) -> float:
        return self.stake * game.big_blind * _mean_strength(game)

    def mean_after_deal(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> None:
        """Not known: what opponents hold and have done tells which cards are less likely to come."""


@lru_cache(maxsize=16)
def _mean_strength(game: Game) -> float:
    return float(hand_qualities(game, all_hands(game), ()).mean())
