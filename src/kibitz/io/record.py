"""What a reader of any format tells: hands, lines that it refuses, and notes."""

from __future__ import annotations

from collections.abc import Mapping
from math import log10
from types import MappingProxyType
from typing import NamedTuple

from kibitz.errors import cut
from kibitz.games import Deal, Game

NOTHING: Mapping[str, object] = MappingProxyType({})


class HandRecord(NamedTuple):
    """A hand as a file tells it. Players are in position order (0 is first after the button); chips are integers.

    Nothing here has been checked against the rules: `kibitz.io.hand_check` does that.
    """

    game: Game
    hand: str  # the file's own number or name of the hand
    history: str  # ACPC betting text, "/" between rounds
    deal: Deal  # cards as far as the file shows them
    players: tuple[str, ...]  # names
    returns: tuple[float, ...] | None = None  # net chips as the file states them
    chip: float = 1.0  # what one chip is worth in the file's own unit (0.01 where amounts had cents)
    source: str = ""  # where it stands, as "file:line"
    extra: Mapping[str, object] = NOTHING  # what the format says beyond the rules (date, venue, values, ...)

    def __repr__(self) -> str:
        return f"HandRecord({cut(self.hand, 20)}, {cut(' v '.join(self.players), 30)}, {cut(self.history, 20)})"

    def amount(self, chips: float) -> str:
        """An amount in the file's own unit and currency, as players write it: $1,204.55, or 12,400."""
        units, places = round(chips * self.chip, 9), max(2, round(-log10(self.chip)))
        text = f"{units:,.0f}" if units.is_integer() else f"{units:,.{places}f}"
        symbol, code = (self.extra.get(name) for name in ("currency_symbol", "currency"))
        if isinstance(symbol, str) and len(symbol) <= 3:
            return symbol + text
        return f"{text} {code}" if isinstance(code, str) and len(code) == 3 else text


class Refusal(NamedTuple):
    """What could not be read as a hand, or is not one by the rules."""

    hand: str  # the hand's number as far as it can be made out, otherwise "?" or nothing
    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {f'hand {self.hand}: ' * (self.hand not in ('', '?'))}{self.reason}"


class Note(NamedTuple):
    """Something worth telling that is nobody's mistake, such as a file that ends within a hand."""

    source: str
    text: str
    unplayed: bool = False  # a hand of a game that Kibitz does not play

    def __str__(self) -> str:
        return f"{self.source}: {self.text}"
