"""ACPC logs in which every hand is a line of the plain form: read by the block, several times faster than by the hand.

A first look decides whether a file is such a log, from its header to its score; all others are read hand by hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np
import numpy.typing as npt

from kibitz.cards import CARD_TEXT
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.io.acpc.log import LogHeader, read_log
from kibitz.io.acpc.states import HISTORY
from kibitz.io.files import Source, open_file
from kibitz.io.record import HandRecord

BLOCK = 2_000  # lines
HEAD = 300  # lines in which the first hand must stand
NO_CARD = 255
_LINE = re.compile(rf"^STATE:[0-9]{{1,18}}:({HISTORY}):([^:\s]*):[-0-9.|]+:([^:\s()]+)\n", re.MULTILINE)
Hand = tuple[str, str, str]  # betting, cards, names


class Block(NamedTuple):
    """Some hands of a log; `first` is the number of the first line, `lines` are as they stand there."""

    log: PlainLog
    first: int
    lines: list[str]
    hands: list[Hand]


@dataclass(frozen=True)
class PlainLog:
    """A log whose hands stand in lines start + 1 .. start + hands."""

    path: Path
    game: Game
    start: int
    hands: int

    def blocks(self, worker: int, workers: int) -> Iterator[Block]:
        """The blocks of one of several workers."""
        with _opened(self.path) as source:
            assert source is not None
            lines = islice(source.lines, self.start, self.start + self.hands)
            number = 0
            while block := list(islice(lines, BLOCK)):
                if number % workers == worker:
                    yield Block(self, self.start + 1 + number * BLOCK, block, _LINE.findall(_joined(block)))
                number += 1

    @cached_property
    def places(self) -> CardPlaces:
        """Where cards stand in the lines of this game."""
        return CardPlaces(self.game)


class CardPlaces:
    """Where the cards of each seat stand in the text `hole|hole/flop/turn/river` when all hole cards are known."""

    def __init__(self, game: Game) -> None:
        hole, first = 2 * game.hole_cards, 2 * game.board_cards[0]
        begins = [seat * (hole + 1) for seat in range(game.players)]
        self.width = begins[-1] + hole + first + sum(2 * cards + 1 for cards in game.board_cards[1:])
        board, at = [*range(begins[-1] + hole, begins[-1] + hole + first, 2)], begins[-1] + hole + first
        self.lengths = [at]
        for cards in game.board_cards[1:]:
            board += range(at + 1, at + 1 + 2 * cards, 2)
            at += 2 * cards + 1
            self.lengths.append(at)
        self.seats = [np.array([*range(begin, begin + hole, 2), *board]) for begin in begins]
        self._ends = np.array(game.board_ends) + game.hole_cards
        self._in_deck = np.zeros(NO_CARD + 1, dtype=bool)
        self._in_deck[list(game.deck)] = True

    def find(
        self, texts: list[str], seats: npt.NDArray[np.int64], rounds: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.uint8] | None:
        """The cards of one seat in each text, uint8[n, hole cards and board], 0 where no card lies yet.

        None if some text is broken: cards that are hidden, too few or many, twice there or not of the deck.

        rounds   how many rounds after the first each hand has reached
        """
        if [len(text) for text in texts] != np.array(self.lengths)[rounds].tolist():
            return None
        data = "".join([text.ljust(self.width) for text in texts]).encode("ascii", "replace")
        letters = np.frombuffer(data, np.uint8).reshape(len(texts), -1)
        if letters.shape[1] != self.width:
            return None
        places = np.array(self.seats)[seats]
        row = np.arange(len(texts))[:, None]
        cards = _CARDS[letters[row, places], letters[row, places + 1]]
        dealt = np.arange(cards.shape[1]) < self._ends[rounds][:, None]
        if not self._in_deck[cards[dealt]].all():
            return None
        ordered = np.sort(np.where(dealt, cards.astype(np.int64), NO_CARD + np.arange(cards.shape[1])), axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            return None
        return np.where(dealt, cards, 0).astype(np.uint8)


def _card_table() -> npt.NDArray[np.uint8]:
    """Cards by the codes of their two letters."""
    table = np.full((256, 256), NO_CARD, dtype=np.uint8)
    for card, text in enumerate(CARD_TEXT):
        table[ord(text[0]), ord(text[1])] = card
    return table


_CARDS = _card_table()


def find_plain_log(path: Path, game: Game | None) -> PlainLog | None:
    """The log in `path` if all of it is plain and of one game; `game` holds whatever the log names."""
    try:
        with _opened(path) as source:
            if source is None:
                return None
            head = list(islice(source.lines, HEAD))
            start = next((number for number, line in enumerate(head) if line.strip()[:1] not in ("", "#", ";")), HEAD)
            found = _first_events(head, path, game)
            hands = _count_plain(head[start:], source.lines) if found else 0
            if not found or not hands or source.damage:
                return None
    except KibitzError:
        return None
    header, rules = found
    return None if header is not None and hands < header.hands else PlainLog(path, rules, start, hands)


def _first_events(head: list[str], path: Path, game: Game | None) -> tuple[LogHeader | None, Game] | None:
    """The header of a log and the game of its first hand."""
    header = None
    for event in read_log(head, str(path), game):
        if isinstance(event, LogHeader):
            header = event
        if type(event) is HandRecord:
            return header, event.game
    return None


def _count_plain(block: list[str], lines: TextIO) -> int:
    """How many hands there are, if nothing but the score and empty lines follow them; otherwise 0."""
    hands = 0
    while block:
        found = len(_LINE.findall(_joined(block)))
        hands += found
        if found < len(block):
            rest = chain(block[found:], lines)
            return hands if all(not line.strip() or line.startswith("SCORE:") for line in rest) else 0
        block = list(islice(lines, BLOCK))
    return hands


def _joined(block: list[str]) -> str:
    return "".join(block) + "\n" * (not block[-1].endswith("\n"))


@contextmanager
def _opened(path: Path) -> Iterator[Source | None]:
    """The file at `path` if it is one ACPC log, compressed or not; None for all others."""
    sources = open_file(path)
    try:
        source = next(sources, None)
        yield source if source is not None and source.format == "acpc" and source.name == str(path) else None
    finally:
        sources.close()  # type: ignore[attr-defined]
