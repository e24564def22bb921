"""The turns of a hand of PHH, followed from one bet or board to the next.

What is told between two of them, such as `', 'p4 f', 'p5 cc', 'p1 c` with the `br 300` of a bet to follow, comes again
and again wherever the same players are left to act: it is checked once, and after that looked up.
"""

from __future__ import annotations

from functools import cache
from sys import intern

from kibitz.io._phh_toml import IrregularError

SEATS = "0123456789"  # one character a player; there are ten at most
_CODES = {"f": "f", "cc": "c", "c": "r"}  # a bet is cut before its `br`
_STEPS = {f"p{int(seat) + 1} {verb}": (int(seat), seat, code) for seat in SEATS for verb, code in _CODES.items()}
_STEPS["d d"] = (-1, "", "/")  # and a board before its `b`
_LARGEST = 512  # passages kept by each moment of a hand; there are about 60 with six players

Actors = tuple[tuple[int, ...], tuple[int, ...]]  # who calls or bets, and who does anything at all, in turn
# ACPC text, the steps that may follow, whether a bet comes before them, who acts.
Step = tuple[str, "Steps", bool, Actors]
Steps = dict[str, Step]  # of passages of actions; a plain dict, which is a third faster to look up than one that learns


class Moment:
    """A point of a hand.

    A passage ends where a bet or a board is to be told, or at the end of the betting; then END comes after.
    Players passed over because they are all-in are not known here: the chips would have to be followed.
    """

    __slots__ = ("live", "steps", "waiting")

    def __init__(self, waiting: str, live: str) -> None:
        self.waiting = waiting  # the seats that have to act before the round is over, in turn
        self.live = live  # the seats that have not folded, in order
        self.steps: Steps = {}  # from here, as far as they have been taken
        _MOMENTS[id(self.steps)] = self

    def step(self, passage: str) -> Step:
        """The step of `passage`, which is found in `steps` from now on."""
        if len(self.steps) >= _LARGEST:
            self.steps.clear()
        text, actors, after = self._follow(passage)
        # Moments share their strings: less memory to visit.
        step = self.steps[intern(passage)] = intern(text), after.steps, text.endswith("r"), actors
        return step

    def _follow(self, passage: str) -> tuple[str, Actors, Moment]:
        live, text, after = self.live, "", END
        payers, actors = [], []
        before, *actions = passage.split("', '")
        if before or not live:
            raise IrregularError
        for turn, action in enumerate(actions):
            player, seat, code = _STEPS[action]
            text += code
            if after is not END:
                raise IrregularError
            if code == "/":
                after = moment_of(live, live)
                continue
            if self.waiting[turn : turn + 1] != seat or len(live) < 2:
                raise IrregularError
            actors.append(player)
            if code == "f":
                live = live.replace(seat, "")
                continue
            payers.append(player)
            if code == "r":
                earlier, _, later = live.partition(seat)
                after = moment_of(later + earlier, live)
        return text, (tuple(payers), tuple(actors)), after


_MOMENTS: dict[int, Moment] = {}  # by the id of their steps; none is ever lost
END = Moment("", "")


@cache  # of ten players there are some six thousand
def moment_of(waiting: str, live: str) -> Moment:
    """The moment at which the seats of `waiting` have to act and those of `live` have not folded."""
    return Moment(waiting, live)


def moment_with(steps: Steps) -> Moment:
    """The moment of these steps."""
    return _MOMENTS[id(steps)]
