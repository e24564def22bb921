"""Abstract actions by letter (Rubin and Watson 2011, table 2), and real actions translated to them.

>>> SARTRE.shape("ihpc-a") == SARTRE.shape("dqpc-a"), SARTRE.shape("ihpc") == SARTRE.shape("ihcp")
(True, False)
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from kibitz.errors import KibitzError
from kibitz.games import State
from kibitz.translation import Reading
from kibitz.translation.places import real_pot

FOLD, CALL, ALL_IN, RAISE, NEXT_ROUND = "f", "c", "a", "r", "-"
# Bets of table 2, in pots: call, then add so many times the pot after the call.
POTS: dict[str, float] = {"q": 0.25, "h": 0.5, "i": 0.75, "p": 1.0, "d": 2.0, "v": 5.0, "t": 10.0}


@dataclass(frozen=True)
class Alphabet:
    """The abstract actions of a game, written in order: fold, call, bets from small to large, all-in.

    name   letters of table 2 such as fcqhipdvta or fcpa; fcr for limit games, whose raises have one size
    """

    name: str

    def __post_init__(self) -> None:
        bets = self.bets
        good = self.name.startswith(FOLD + CALL) and (bets == RAISE or all(letter in POTS for letter in bets))
        if not good or not bets or (list(self.sizes) != sorted(set(self.sizes))) or (self.limit and self.has_all_in):
            raise KibitzError(f"{self.name!r}: letters are fc, then some of {''.join(POTS)} in order and a, or fcr")

    @cached_property
    def bets(self) -> str:
        """The letters of bets that are not all-in: the discretisation string of table 3."""
        return self.name[2:].removesuffix(ALL_IN)

    @cached_property
    def has_all_in(self) -> bool:
        """Whether all-in has a letter."""
        return self.name.endswith(ALL_IN)

    @cached_property
    def limit(self) -> bool:
        """Whether this is the alphabet of limit games."""
        return self.bets == RAISE

    @cached_property
    def sizes(self) -> tuple[float, ...]:
        """The bets in pots."""
        return tuple(POTS.get(letter, 1.0) for letter in self.bets)

    @cached_property
    def _shapes(self) -> dict[int, str]:
        return str.maketrans(dict.fromkeys(self.bets, "b"))

    def shape(self, sequence: str) -> str:
        """`sequence` with all bets made equal: two sequences can be similar if and only if they have one shape."""
        return sequence.translate(self._shapes)

    def places(self, sequence: str) -> list[int]:
        """Where the bets of `sequence` stand in the discretisation string, in order; all else is left out."""
        return [self.bets.index(letter) for letter in sequence if letter in self.bets]

    def read(self, state: State, action: str, reading: Reading, uniform: Callable[[], float] | None = None) -> str:
        """The letter of `action` in `state`.

        A bet between two sizes is the smaller with the probability `reading` gives, which `uniform` decides (soft
        translation); without it, the likelier of the two (hard translation). All-in is all-in; a bet below the
        smallest size is the smallest. Sizes that nobody could bet here are passed over.
        """
        if action[0] != "r":
            return action
        if self.limit:
            return RAISE
        amount, most = int(action[1:]), state.game.limits[state.player]
        if amount >= most and self.has_all_in:
            return ALL_IN
        pot = real_pot(state)
        x, everything = (amount - state.bet) / pot, (most - state.bet) / pot
        number = bisect_left(self.sizes, everything) if self.has_all_in else len(self.sizes)
        sizes, letters = self.sizes[:number], self.bets[:number]
        if self.has_all_in:
            sizes, letters = (*sizes, everything), letters + ALL_IN
        above = bisect_right(sizes, x)
        if above == 0 or above == len(sizes) or x == sizes[above - 1]:
            return letters[max(above - 1, 0)]
        share = reading.shares(x, sizes[above - 1], sizes[above], state.round)
        smaller = share > 0.5 if uniform is None or share in (0.0, 1.0) else uniform() < share
        return letters[above - smaller]


@lru_cache(maxsize=32)
def find_alphabet(name: str) -> Alphabet:
    """The alphabet called `name`, the same value every time."""
    return Alphabet(name)


SARTRE = find_alphabet("fcqhipdvta")
LIMIT = find_alphabet("fcr")
