"""Hands of one deal that was played in several seatings: they count as one sample, so that the luck of it cancels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from kibitz.io.record import HandRecord
from kibitz.statistics import Moments


def deal_of(record: HandRecord) -> Hashable | None:
    """What the hands of one deal have in common in the logs of a duplicate match: number, and hole cards by position.

    None for a hand that has no number or hides cards.
    """
    hole = record.deal.hole
    shown = len(hole) == record.game.players and all(len(cards) == record.game.hole_cards for cards in hole)
    return (record.hand, tuple(tuple(sorted(cards)) for cards in hole)) if record.hand and shown else None


class Deals:
    """Which hands are of one deal.

    of_hand : for every hand in order of arrival, the number of its deal
    """

    def __init__(self) -> None:
        self.of_hand: list[int] = []
        self._numbers: dict[Hashable, int] = {}

    def add(self, deal: Hashable | None) -> None:
        """Take the next hand."""
        key = object() if deal is None else deal
        self.of_hand.append(self._numbers.setdefault(key, len(self._numbers)))

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def most_hands(self) -> int:
        """The most hands that a deal has."""
        return max(Counter(self.of_hand).values(), default=0)

    def moments(self, samples: Sequence[float]) -> Moments:
        """Moments whose estimate is the mean of `samples`, one for each hand; all hands of a deal are one sample."""
        return Moments.of(samples) if len(self) == len(samples) else Moments.of_clusters(samples, self.of_hand)
