"""What the hole cards of a table are worth before anybody acts: strong hands that meet play large pots.

Two seats that hold x and y are thought to swing scale * s(x) * s(y) * (P(x wins) - P(y wins)) of the chips that both
can bet, where s is the strength of a hand and the chances are those of an all-in. What one seat wins of another, that
one loses, and all deals are equally likely: so the mean over all deals is 0, exactly, whatever s is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

import numpy as np

from kibitz.arena.variance.holdings import Cards, Floats
from kibitz.arena.variance.matchups import Matchups
from kibitz.arena.variance.run_outs import pot_shares
from kibitz.arena.variance.showdown import Pot
from kibitz.equity.matchups import preflop_equity
from kibitz.games import Game, load_game
from kibitz.policy.base import fingerprint_of

Hand = tuple[int, int]


@dataclass(frozen=True)
class Coolers:
    """The value of hole cards in hold'em.

    scale     part of what both can bet that two of the strongest hands are thought to play for
    least     all-in equity against a random hand from which a hand has any strength: s = 0 there and 1 for aces
    sharpness power to which strength is taken
    deepest   big blinds beyond which chips of a stack are thought to stay behind

    In limit games stacks are often unlimited: there no more can be bet than the raises allow.
    """

    scale: float = 0.5
    least: float = 0.55
    sharpness: float = 2.0
    deepest: int = 200

    @property
    def fingerprint(self) -> str:
        return fingerprint_of("coolers", self.scale, self.least, self.sharpness, self.deepest)

    def strength(self, hand: Hand) -> float:
        """s of a hand, from 0 to 1."""
        above = (preflop_equity(hand) - self.least) / (_ACES - self.least)
        return float(max(above, 0.0) ** self.sharpness)

    def values(self, game: Game, player: int, holes: Cards, matchups: Matchups | None = None) -> Floats | None:
        """Chips of `player`: float64[n] from uint8[n, players, 2]; None for other games than hold'em."""
        if game.hole_cards != 2 or len(game.deck) != 52 or game.board_ends[-1] != 5:
            return None
        total = np.zeros(len(holes))
        most = self.deepest * game.big_blind
        if game.highest_bet is not None:
            most = min(most, game.highest_bet)
        strengths = _strengths(self)[holes[..., 0], holes[..., 1]]
        for seat in range(game.players):
            both = strengths[:, player] * strengths[:, seat]
            rows = np.flatnonzero(both)
            if seat != player and len(rows):
                ours, theirs = holes[rows, player], holes[rows, seat]
                stack = min(game.stacks[player], game.stacks[seat], most)
                total[rows] += self.scale * stack * both[rows] * _advantages(ours, theirs, matchups)
        return total


@lru_cache(maxsize=8)
def _strengths(coolers: Coolers) -> Floats:
    """The strengths of all hands by their cards: float64[52, 52]."""
    table = np.zeros((52, 52))
    for hand in permutations(range(52), 2):
        table[hand] = coolers.strength(hand)
    return table


def _advantages(ours: Cards, theirs: Cards, matchups: Matchups | None) -> Floats:
    if matchups is not None:
        return matchups.advantages(ours, theirs)
    pairs = zip(ours.tolist(), theirs.tolist(), strict=True)
    return np.array([advantage((x[0], x[1]), (y[0], y[1])) for x, y in pairs])


_ACES = preflop_equity((51, 50))
_HOLDEM = load_game("holdem-nolimit-2p")


def advantage(ours: Hand, theirs: Hand) -> float:
    """The chance to win an all-in before the flop less the chance to lose it, no other cards being known.

    >>> round(advantage((51, 50), (47, 46)), 4)
    0.6527
    """
    names: dict[int, int] = {}  # suits in the order in which they are met
    cards = [4 * (card >> 2) + names.setdefault(card & 3, len(names)) for card in (*ours, *theirs)]
    return _counted(cards[0], cards[1], cards[2], cards[3])


@lru_cache(maxsize=1 << 16)
def _counted(*cards: int) -> float:
    holes = np.array([[cards[:2], cards[2:]]], dtype=np.uint8)
    share = pot_shares(_HOLDEM, 0, [Pot(1, (0, 1))], holes, ())
    return float(2 * share[0, 0] - 1)
