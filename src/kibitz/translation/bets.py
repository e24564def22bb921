"""Bets translated: those of others to the abstract betting, and the player's own choices back to legal actions.

>>> reading = Reading("det-geo under 1, rand-psharmonic | rand-arith")
>>> reading.shares(0.25, 0.1, 1.0, round_=0), reading.shares(0.5, 0.0, 1.0, round_=3)
(1.0, 0.5)
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from math import inf

from kibitz.games import State
from kibitz.translation.mappings import Mapping, TranslationError, find_mapping
from kibitz.translation.places import Place, real_pot

_CLAUSE = re.compile(r"(?P<name>[\w-]+)( under (?P<limit>\d+(\.\d*)?|\.\d+))?", re.ASCII)
Readings = list[tuple[int, float]]  # children of a place, with chances


@dataclass(frozen=True)
class Reading:
    """The settings of a reader. A *place* is a point of the abstract betting.

    mapping   a name of `MAPPINGS`; or several, as in "det-geo under 1, rand-psharmonic": the first whose limit is at
              least the larger neighbour of a bet. Rounds are separated by "|", the last one serves for all that follow.
    measure   "pots": a bet is so many real pots, the places' sizes are so many abstract pots. "chips": a bet is the
              chips it makes the player have put in, and both are measured in the abstract pot, so that the two pots
              cannot drift far apart.
    all_in    "size": it is a size like any other, because the price decides who calls. "exact": who puts everything in
              is all-in in the abstract hand too, whatever that is in pots.
    tiny      "check": a bet below the smallest size may be translated to no bet, as in the paper. "bet": it is always
              the smallest size (which some agents do; a bluff of one chip then looks like a real bet).
    """

    mapping: str = "rand-psharmonic"
    measure: str = "pots"
    all_in: str = "size"
    tiny: str = "check"

    def __post_init__(self) -> None:
        for field, words in (("measure", ("pots", "chips")), ("all_in", ("exact", "size")), ("tiny", ("check", "bet"))):
            if getattr(self, field) not in words:
                raise TranslationError(f"{field} {getattr(self, field)!r}: it is {' or '.join(words)}")
        _ = self._rounds

    @cached_property
    def _rounds(self) -> tuple[tuple[tuple[float, Mapping], ...], ...]:
        return tuple(_parse_round(part, self.mapping) for part in self.mapping.split("|"))

    def shares(self, x: float, a: float, b: float, round_: int = 0) -> float:
        """The probability that x is translated to a rather than b."""
        clauses = self._rounds[min(round_, len(self._rounds) - 1)]
        number = 0
        while b > clauses[number][0]:  # the last one has no limit
            number += 1
        return float(clauses[number][1](x, a, b))

    def raises(self, place: Place, bet: int, pot: int, amount: int, all_in: bool) -> Readings:
        """What a raise may be taken for at `place`: children and chances.

        bet, pot  the amount to match in the real hand and its pot after a call, before the raise; not 0 (`real_pot`)
        amount    what was raised to, in chips over the whole hand; `all_in` when that is everything
        """
        own_bet, own_pot, _amounts, sizes, has_all_in = place.raises
        if not sizes:
            return [(place.call, 1.0)]
        last = place.call + len(sizes)
        if all_in and has_all_in and self.all_in == "exact":
            return [(last, 1.0)]
        x = (amount - bet) / pot if self.measure == "pots" else (amount - own_bet) / own_pot
        if x >= sizes[-1]:
            return [(last, 1.0)]
        above = bisect_right(sizes, x)
        below = sizes[above - 1] if above else 0.0
        if not above and self.tiny == "bet":
            return [(place.call + 1, 1.0)]
        if x <= below:  # it is on the menu, or in chips less than the abstract bet
            return [(place.call + above, 1.0)]
        share = self.shares(x, below, sizes[above], place.round)
        if share in (0.0, 1.0):
            return [(place.call + above + (share == 0.0), 1.0)]
        return [(place.call + above, share), (place.call + above + 1, 1.0 - share)]


def _parse_round(part: str, text: str) -> tuple[tuple[float, Mapping], ...]:
    clauses = []
    for piece in part.split(","):
        match = _CLAUSE.fullmatch(" ".join(piece.split()))
        if match is None:
            raise TranslationError(f"{piece.strip()!r} in {text!r}: a mapping, or one with a limit: det-geo under 1")
        clauses.append((float(match["limit"] or inf), find_mapping(match["name"])))
    if clauses[-1][0] != inf:
        raise TranslationError(f"{text!r}: the last mapping of a round must serve for all sizes, without a limit")
    return tuple(clauses)


def pot_fraction(state: State, amount: int) -> float:
    """A raise to `amount` as a fraction of the pot: (amount - bet) / (pot after a call, see `pot_or_bet`)."""
    return (amount - state.bet) / real_pot(state)


def raise_to(state: State, pots: float) -> str:
    """The legal action nearest to a raise of `pots` pots, "c" where nothing can be raised; whole chips, halves up."""
    return _clamped(state, state.bet + int(pots * real_pot(state) + 0.5))


def wanted(place: Place, number: int, bet: int, pot: int, most: int) -> int:
    """What child `number` of `place`, a raise, would raise to in a hand with that bet, pot after a call and limit.

    A raise keeps its fraction of the pot, to the nearest chip, halves up; all-in stays all-in.
    """
    own_bet, own_pot, amounts, _sizes, all_in = place.raises
    if all_in and number == place.call + len(amounts):
        return most
    added = amounts[number - place.call - 1] - own_bet
    return bet + (2 * added * pot + own_pot) // (2 * own_pot)


def write(place: Place, number: int, state: State) -> str:
    """Child `number` of `place` as an action in `state`: within the legal sizes; what is impossible is a call."""
    if number < place.call:
        return "f" if state.legal().fold else "c"
    if number == place.call:
        return "c"
    most = state.game.limits[state.player]
    return _clamped(state, wanted(place, number, state.bet, real_pot(state), most))


def blurred(state: State, pots: float, spread: float, uniform: float) -> str:
    """SartreNL's reverse translation: a raise of (1 - spread) to (1 + spread) times `pots`, within the legal sizes.

    spread   Rubin and Watson 2011 use 0.3: what would be 100 chips becomes 70 to 130
    uniform  a random number from 0 to 1 that says where between
    """
    if not 0 <= spread <= 1:
        raise TranslationError(f"a spread of {spread}: from 0 to 1, the paper's is 0.3")
    return raise_to(state, pots * (1 - spread + 2 * spread * uniform))


def blurred_sizes(state: State, pots: float, spread: float) -> str | list[tuple[int, int, float]]:
    """All that `blurred` may give: the one action, or (first, last, chance of each) for ranges of raises.

    Between the ends all sizes are equally likely; the ends, of which a part may be cut off or which stand for sizes
    that are not legal, are ranges of their own.
    """
    legal = state.legal()
    low, high = (state.bet + int(pots * factor * real_pot(state) + 0.5) for factor in (1 - spread, 1 + spread))
    first, last = (min(max(size, legal.min_raise_to), legal.max_raise_to) for size in (low, high))
    if not legal.max_raise_to or legal.limit or first == last:
        return _clamped(state, low)
    start = state.bet + pots * (1 - spread) * real_pot(state) + 0.5  # rounding begins here
    each = 1 / (2 * spread * pots * real_pot(state))
    ends = (first, first, (first + 1 - start) * each), (last, last, 1 - (last - start) * each)
    return [ends[0], (first + 1, last - 1, each), ends[1]] if last > first + 1 else [*ends]


def _clamped(state: State, amount: int) -> str:
    legal = state.legal()
    if not legal.max_raise_to:
        return "c"
    if legal.limit:
        return "r"
    return f"r{min(max(amount, legal.min_raise_to), legal.max_raise_to)}"
