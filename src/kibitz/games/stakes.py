"""What win rates are counted in: milli big blinds per hand, or milli-antes in games of antes."""

from __future__ import annotations

from dataclasses import dataclass

from kibitz.games.game import Game
from kibitz.statistics import MILLI_BIG_BLINDS, Estimate, Moments

MILLI_ANTES = "milli-antes/hand"


@dataclass(frozen=True, slots=True)
class Stake:
    """What a win rate is counted in: `chips` to a big blind (or ante), and the name of a thousandth of it."""

    chips: int
    unit: str = MILLI_BIG_BLINDS

    @classmethod
    def of(cls, game: Game) -> Stake:
        """Big blinds, or antes where every player posts the same."""
        ante_game = len(set(game.blinds)) == 1
        return cls(game.big_blind, MILLI_ANTES if ante_game else MILLI_BIG_BLINDS)

    @property
    def name(self) -> str:
        """What the stake itself is called."""
        return "antes" if self.unit == MILLI_ANTES else "big blinds"

    @property
    def milli_per_chip(self) -> float:
        """Thousandths of the stake in one chip."""
        return 1000 / self.chips


def win_rate(chips: Moments, stake: Stake, hands_per_sample: int = 1) -> Estimate:
    """Rate per hand in thousandths of `stake` from the moments of chips won.

    hands_per_sample: 2 when a sample is the chips of a heads-up duplicate deal (both seatings added), 6,000
    when it is a duplicate match of 3,000 deals.
    """
    return chips.estimate(stake.milli_per_chip / hands_per_sample, stake.unit)


def fold_loss(game: Game) -> float:
    """What always folding loses on average over the seats, per hand in thousandths of the stake.

    >>> from kibitz.games import load_game
    >>> fold_loss(load_game("holdem-limit-2p"))
    750.0
    """
    posted = sum(game.blinds) + sum(game.antes)
    return Stake.of(game).milli_per_chip * posted / game.players
