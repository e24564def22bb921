"""Betting with real-valued chips: where a hand for two stands, whatever the cards.

The rules engine counts whole chips; bet sizes that are to be learnt are real numbers. These are its rules for two
players with equal stacks, and nothing more.
"""

from __future__ import annotations

from typing import NamedTuple

from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.tree import DECISION, FOLD, SHOWDOWN

_SLACK = 1e-9


class Spot(NamedTuple):
    """One point of the betting.

    kind       DECISION, FOLD or SHOWDOWN
    player     to act; at a FOLD the one who is left, -1 at a SHOWDOWN
    chips      what each player has put in over the hand, antes included
    increment  chips that a raise must add
    answered   whether the other player has acted in this round, so that a call ends it
    """

    kind: int
    player: int
    round: int
    chips: tuple[float, float]
    increment: float
    raises: int
    answered: bool

    @property
    def matched(self) -> float:
        """What the other player has put in: what a call makes it."""
        return self.chips[1 - self.player]

    @property
    def to_call(self) -> float:
        return self.matched - self.chips[self.player]


class Betting:
    """The rules of a no-limit game for two with equal stacks and antes.

    minimum   whether bets must be as large as the rules say; toy games with real-valued bets do without
    """

    def __init__(self, game: Game, minimum: bool = True) -> None:
        if game.players != 2 or game.betting != "nolimit":
            raise KibitzError(f"bet sizes of {game.name or 'this game'}: they need two players and no-limit betting")
        if len(set(game.limits)) > 1 or len(set(game.antes_paid)) > 1:
            raise KibitzError(f"stacks {game.stacks} and antes {game.antes}: bet sizes need equal ones")
        self.game = game
        self.minimum = minimum
        self.ante = float(game.antes_paid[0])
        self.stack = game.limits[0] + self.ante
        if self.start().matched <= 0:
            raise KibitzError(
                "the first bet faces an empty pot, and sizes are fractions of the pot: give blinds or antes"
            )
        if self.start().to_call < 0:
            raise KibitzError(
                f"blinds {game.blinds}, and player {game.first_players[0]} acts first: bet sizes are learnt where the "
                "smaller blind does"
            )

    def start(self) -> Spot:
        """The hand before anybody acts."""
        game = self.game
        chips = (game.blinds[0] + self.ante, game.blinds[1] + self.ante)
        return Spot(DECISION, game.first_players[0], 0, chips, game.opening_raise, 0, False)

    def least(self, spot: Spot) -> float:
        """The smallest bet, in pots after the call."""
        return spot.increment / (2 * spot.matched) if self.minimum else 0.0

    def most(self, spot: Spot) -> float:
        """All-in, in pots after the call; 0 where there is no betting."""
        may = spot.raises < self.game.max_raises[spot.round] and self.game.bettors[spot.player]
        return (self.stack - spot.matched) / (2 * spot.matched) if may and not self.is_all_in(spot) else 0.0

    def is_all_in(self, spot: Spot) -> bool:
        """Whether the other player has nothing left to bet with."""
        return spot.matched >= self.stack - _SLACK

    def fold(self, spot: Spot) -> Spot:
        return spot._replace(kind=FOLD, player=1 - spot.player)

    def call(self, spot: Spot) -> Spot:
        """After a call or check: the other player's turn, the next round, or the showdown."""
        chips = (spot.matched, spot.matched)
        after = spot._replace(chips=chips, player=1 - spot.player, answered=True)
        if not spot.answered and not self.is_all_in(spot) and self.game.bettors[after.player]:
            return after
        if self.is_all_in(spot) or spot.round == self.game.rounds - 1:
            return after._replace(kind=SHOWDOWN, player=-1)
        opener = self.game.first_players[spot.round + 1]
        return Spot(DECISION, opener, spot.round + 1, chips, float(self.game.smallest_bet), 0, False)

    def bet(self, spot: Spot, chips: float) -> Spot:
        """After a raise to `chips`."""
        both = (chips, spot.chips[1]) if spot.player == 0 else (spot.chips[0], chips)
        increment = max(spot.increment, chips - spot.matched)
        return spot._replace(
            chips=both, player=1 - spot.player, increment=increment, raises=spot.raises + 1, answered=True
        )
