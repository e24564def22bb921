"""The cross table of chips: who wins how much from whom (Schweizer et al. 2009, as Sweeney 2012 uses it)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from kibitz.statistics import Moments


def hand_transfers(returns: Sequence[float]) -> list[tuple[int, int, float]]:
    """What goes from whom to whom in one hand: (winner, loser, chips), for every pair of them.

    Every loser's chips go to the winners in proportion to what they won. Where a room takes a rake, what it took is in
    nobody's row, in proportion to what was lost.

    >>> hand_transfers((6, -4, -4, 2))
    [(0, 1, 3.0), (0, 2, 3.0), (3, 1, 1.0), (3, 2, 1.0)]
    """
    lost = -sum(chips for chips in returns if chips < 0)
    return [
        (winner, loser, -won * taken / lost)
        for winner, won in enumerate(returns)
        if won > 0
        for loser, taken in enumerate(returns)
        if taken < 0
    ]


@dataclass
class Transfers:
    """Sums of transfers between players by name: `moments[a, b]` is what a won from b, one sample a hand together.

    Hands in which two players sat together and nothing passed between them count as samples of 0.
    """

    moments: dict[tuple[str, str], Moments] = field(default_factory=dict)

    def add(self, winner: str, loser: str, results: list[float]) -> None:
        """Add what `winner` won from `loser` (negative: lost) in hands together; both orders are kept."""
        for pair, sign in (((winner, loser), 1), ((loser, winner), -1)):
            found = Moments.of([sign * chips for chips in results])
            self.moments[pair] = self.moments.get(pair, Moments()) + found

    def merge(self, other: Transfers) -> None:
        """Take over what another reader found."""
        for pair, found in other.moments.items():
            self.moments[pair] = self.moments.get(pair, Moments()) + found
