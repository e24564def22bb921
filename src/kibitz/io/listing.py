"""The hands of a file as a list: pot, showdown and results of each, to be searched and looked up by number.

>>> listing = read_listing("match.log")  # doctest: +SKIP
>>> [listing.hands[number].pot for number in listing.find(Search(player="Alice", showdown=True))]  # doctest: +SKIP
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TextIO, cast

from kibitz.errors import FormatError, KibitzError
from kibitz.games import State
from kibitz.io.files import open_sources, read_events
from kibitz.io.hand_check import returns_by_rules
from kibitz.io.record import HandRecord, Note, Refusal

MOST_HANDS = 50_000
MOST_TEXT = 64 << 20  # characters of a file, and bytes that come out of a compressed one
OUTCOMES = ("won", "lost", "even")
ORDERS = ("file", "pot")


class ListedHand(NamedTuple):
    """A hand of the list.

    pot       chips that were won or, where the log breaks off, are in the middle; 0 where the betting is not legal
    rounds    that were reached
    showdown  whether more than one player was left
    returns   net chips as the file states them, otherwise by the rules; None where neither tells
    problem   what is wrong with the betting, if anything
    """

    record: HandRecord
    pot: int
    rounds: int
    showdown: bool
    returns: tuple[float, ...] | None
    problem: str = ""

    @property
    def value(self) -> float:
        """The pot in the unit of the file."""
        return round(self.pot * self.record.chip, 9)

    def won(self, player: str) -> float | None:
        """Net chips of a player; None where he was not there or it is not known."""
        if self.returns is None or player not in self.record.players:
            return None
        return self.returns[self.record.players.index(player)]


@dataclass(frozen=True)
class Search:
    """Which hands are wanted; everything is left open where nothing is said.

    outcome    won, lost or even, of `player`
    least, most  of the pot, in the unit of the file
    order      as in the file, or by pot, the largest first
    """

    player: str = ""
    outcome: str = ""
    showdown: bool | None = None
    rounds: int = 0  # reached at least
    least: float = 0
    most: float | None = None
    order: str = "file"

    def __post_init__(self) -> None:
        if self.outcome not in ("", *OUTCOMES) or self.order not in ORDERS:
            raise KibitzError(f"{self.outcome!r}, {self.order!r}: one of {', '.join(OUTCOMES)}; one of {ORDERS}")
        if self.outcome and not self.player:
            raise KibitzError(f"hands that were {self.outcome}: by which player?")

    def fits(self, hand: ListedHand) -> bool:
        """Whether a hand is one of those."""
        if self.player and self.player not in hand.record.players:
            return False
        if self.outcome:
            won = hand.won(self.player)
            if won is None or OUTCOMES[0 if won > 0 else 1 if won < 0 else 2] != self.outcome:
                return False
        if self.showdown is not None and hand.showdown != self.showdown:
            return False
        pot = hand.value
        return hand.rounds >= self.rounds and self.least <= pot and (self.most is None or pot <= self.most)


@dataclass(frozen=True)
class Listing:
    """The hands of a file.

    formats    of its texts, as `kibitz.io.files` calls them
    players    by name, with the number of their hands, most first
    refused    places that could not be read, with the reason
    notes      what else there is to say, such as games that are not played here
    unplayed   how many of the notes are of such games
    is_cut     whether there is more than was read
    """

    hands: list[ListedHand]
    formats: tuple[str, ...]
    players: dict[str, int]
    refused: list[str]
    notes: list[str]
    unplayed: int
    is_cut: bool

    def find(self, search: Search) -> list[int]:
        """The numbers of the hands that fit."""
        found = [number for number, hand in enumerate(self.hands) if search.fits(hand)]
        if search.order == "pot":
            found.sort(key=lambda number: -self.hands[number].value)
        return found


def read_listing(path: Path | str, most: int = MOST_HANDS, most_text: int = MOST_TEXT) -> Listing:
    """The first `most` hands of a file, archive or folder; FormatError for what holds more text than `most_text`.

    It ends too after `most` other things than hands, such as broken lines and headers, which are work as well.
    """
    hands: list[ListedHand] = []
    formats: dict[str, None] = {}
    refused, notes, is_cut, left = [], [], False, most_text
    others = unplayed = 0
    for source in open_sources(path, most_text):
        if not source.format:
            continue
        formats[source.format] = None
        lines = _Limited(source.lines, left, source.name)
        for event in read_events(source._replace(lines=cast(TextIO, lines)), strict=False):
            others += not isinstance(event, HandRecord)
            is_cut = others > most or (isinstance(event, HandRecord) and len(hands) == most)
            if is_cut:
                break
            if isinstance(event, HandRecord):
                hands.append(_listed(event))
            elif isinstance(event, Refusal):
                refused.append(f"{event.source}: {event.reason}")
            elif isinstance(event, Note):
                notes.append(str(event) if event.unplayed else event.text)
                unplayed += event.unplayed
        left -= lines.taken
        if is_cut:
            break
    counted = Counter(name for hand in hands for name in hand.record.players)
    return Listing(hands, tuple(formats), dict(counted.most_common()), refused, notes, unplayed, is_cut)


def _listed(record: HandRecord) -> ListedHand:
    try:
        state = State.start(record.game, record.deal).play(record.history)
    except KibitzError as error:
        return ListedHand(record, 0, 0, False, record.returns, str(error))
    returns = returns_by_rules(record) if record.returns is None else record.returns
    pot = state.awarded if state.finished else state.pot
    return ListedHand(record, pot, state.round + 1, state.showdown, returns)


class _Limited(io.TextIOBase):
    """A text that ends in an error after so many characters, however they are packed."""

    def __init__(self, lines: TextIO, most: int, name: str) -> None:
        self._lines, self._most, self._name = lines, most, name
        self.taken = 0

    def read(self, size: int | None = -1, /) -> str:
        return self._counted(self._lines.read(self._left(size)))

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        return self._counted(self._lines.readline(self._left(size)))

    def _left(self, size: int | None) -> int:
        left = self._most - self.taken + 1
        return left if size is None or size < 0 else min(size, left)

    def _counted(self, text: str) -> str:
        self.taken += len(text)
        if self.taken > self._most:
            raise FormatError(f"{self._name}: more than {self._most:,} characters: split the file")
        return text
