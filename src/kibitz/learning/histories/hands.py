"""Hands of limit hold'em in arrays: seats, actions, boards, and hole cards as far as they were seen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.records import SEATS
from kibitz.learning.tables import TableRules

Integers = npt.NDArray[np.int64]
HIDDEN, SHOWN, MUCKED = 0, 1, 2  # of hole cards; mucked ones were seen by nobody, though their owner went to a showdown
UNKNOWN = 255  # in place of a card that was not seen
BLOCK = 120  # deals of a match in the thesis (Sweeney 2012, section 6.5)
FEWEST = 5  # matches that can be divided as wholes
PARTS = 50  # that fewer matches are cut into


@dataclass(frozen=True, eq=False)
class Hands:
    """Some hands, n in all. Seats are positions: 0 is the first after the button.

    players : int64[n]           number of players
    cards : uint8[n, 25]         hole cards, two a seat, and the board from 20 on; UNKNOWN where not seen
    seen : uint8[n, 10]          HIDDEN, SHOWN or MUCKED by seat
    begins : int64[n + 1]        where the actions of a hand begin
    actions : int64[...]         0 fold, 1 call or check, 2 bet or raise
    active : int64[n]            mask of the seats that did not fold
    matches : int64[n]           number of the match, which is the file that it stands in
    names : int64[n, 10]         number of the player at a seat, -1 for nobody
    rule_numbers : int64[n]      which of the rules
    rules                        different rules among the hands
    """

    players: Integers
    cards: npt.NDArray[np.uint8]
    seen: npt.NDArray[np.uint8]
    begins: Integers
    actions: Integers
    active: Integers
    matches: Integers
    names: Integers
    rule_numbers: Integers
    rules: tuple[TableRules, ...]
    name_list: tuple[str, ...]
    sources: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.players)

    @property
    def decisions(self) -> int:
        """The number of actions in all hands."""
        return len(self.actions)

    @property
    def tables(self) -> npt.NDArray[np.void]:
        """The rules as kernels take them, one record each."""
        return np.concatenate([each.table for each in self.rules])

    def actions_of(self, hand: int) -> Integers:
        """The actions of a hand in order."""
        return self.actions[self.begins[hand] : self.begins[hand + 1]]


def hide_folded(hands: Hands) -> Hands:
    """The same hands as a table sees them: hole cards are known only if they came to a showdown."""
    cards, seen = hands.cards.copy(), hands.seen.copy()
    showdown = (hands.active & (hands.active - 1)) != 0
    for seat in range(SEATS):
        gone = ~(showdown & (hands.active >> seat & 1 == 1)) & (seen[:, seat] == SHOWN)
        seen[gone, seat] = HIDDEN
        cards[gone, 2 * seat : 2 * seat + 2] = UNKNOWN
    return replace(hands, cards=cards, seen=seen)


class Parts(NamedTuple):
    """Numbers of the hands to fit to and of those held out; `unit` says what was kept together."""

    fitted: Integers
    held_out: Integers
    unit: str


def split(hands: Hands, share: float, seed: int) -> Parts:
    """Hold out a share of the matches, drawn with `seed`: deals of one match have the same players.

    Fewer than five matches are cut into blocks of consecutive deals first: 120, or a fiftieth of all if that is less.
    """
    if not 0 < share < 1:
        raise KibitzError(
            f"a share {share:g} of matches to hold out: a number between 0 and 1 is needed", settings=("hold_out",)
        )
    units, unit = keep_together(hands)
    found = np.unique(units)
    count = min(max(round(share * len(found)), 1), len(found) - 1)
    if count < 1:
        raise KibitzError(f"{len(hands)} hands: two or more are needed, one of them to hold out")
    drawn = np.random.Generator(np.random.PCG64(seed)).permutation(found)[:count]
    out = np.isin(units, drawn)
    return Parts(np.flatnonzero(~out), np.flatnonzero(out), unit)


def keep_together(hands: Hands) -> tuple[Integers, str]:
    """Which hands are not independent, as int64[n], and what they are called: matches, or blocks of deals."""
    if len(np.unique(hands.matches)) >= FEWEST:
        return hands.matches, "matches"
    size = max(1, min(BLOCK, len(hands) // PARTS))
    inside = np.arange(len(hands)) - np.searchsorted(hands.matches, hands.matches)  # those of a match stand together
    return hands.matches * len(hands) + inside // size, f"blocks of {size} deals"
