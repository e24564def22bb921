"""The time of one seat."""

from __future__ import annotations

from kibitz.arena.plan import TimeLimits


class Clock:
    """What one seat has used of its time, in seconds.

    >>> clock = Clock(TimeLimits(response=2000, hand=3000, per_hand=1000), hands=10)
    >>> clock.start_hand(0)
    >>> clock.charge(2.0)
    >>> clock.allowance
    1.0
    """

    def __init__(self, limits: TimeLimits, hands: int) -> None:
        self._response = limits.response / 1000
        self._per_hand = limits.hand / 1000
        self._match_left = limits.per_hand * hands / 1000
        self._hand_left = self._per_hand
        self._hand = -1

    @property
    def allowance(self) -> float:
        """How long the seat may take now."""
        return max(min(self._response, self._hand_left, self._match_left), 0.0)

    def start_hand(self, hand: int) -> None:
        """Wind the clock of the hand if `hand` is a new one."""
        if hand != self._hand:
            self._hand = hand
            self._hand_left = self._per_hand

    def charge(self, seconds: float) -> None:
        """Take `seconds` off."""
        self._hand_left -= seconds
        self._match_left -= seconds
