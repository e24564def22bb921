"""Whose decisions are counted: the hands of some players taken out of logs, by the hand or by the block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from kibitz.errors import FormatError, IllegalActionError
from kibitz.io.acpc import parse_hand
from kibitz.io.acpc.blocks import Block, PlainLog
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.modelling.frequentist.bettings import Bettings, SeatDecisions
from kibitz.modelling.frequentist.counting import Counting, needs_cards
from kibitz.modelling.logs import MOST_NAMES, Counts, Location
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout
from kibitz.translation import Reading

EXACT = Reading()  # which games with all bets on the menu never ask


@dataclass(frozen=True)
class Observation:
    """Whose decisions are counted, and how they are read.

    players     names as in the logs; the hands of several go together
    reading     how bets that the tree does not have are translated
    seed        None counts a bet of two translations as both, each with its chance; a number draws one for each hand
    shown_only  count only hands that the player showed, even where a log tells all cards
    skip_bad    use the rest of logs with broken hands, which otherwise are an error
    """

    players: tuple[str, ...]
    reading: Reading = EXACT
    seed: int | None = None
    shown_only: bool = False
    skip_bad: bool = False

    def describe(self) -> dict[str, Any]:
        """The entries of a manifest."""
        return {
            "players": list(self.players),
            "information": "shown" if self.shown_only else "full",
            "translation": {**asdict(self.reading), "counts": "expected" if self.seed is None else "sampled"},
            **({} if self.seed is None else {"seed of translation": self.seed}),
        }


@dataclass
class _Collected:
    """What a block of hands holds: one entry of each list for every seat that is counted."""

    players: list[int] = field(default_factory=list)
    decided: list[SeatDecisions] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    hands: int = 0
    others: int = 0
    hidden: int = 0


class Observer:
    """Takes the hands of the modelled players out of logs."""

    def __init__(self, observation: Observation, problem: Problem) -> None:
        deal = problem.sampled_deal
        layout = Layout(problem.tree, deal.counts, deal.fingerprint)
        self.counting, self.counts = Counting(layout, deal), Counts()
        self._wanted, self._shown_only = frozenset(observation.players), observation.shown_only
        self._bettings = Bettings(problem.tree, observation.reading, observation.seed)
        self._needs_cards = needs_cards(deal)
        self._seats: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._texts: dict[str, tuple[int, ...]] = {}  # the same by names as a line has them

    def take(self, event: HandRecord | Refusal | Note | Block, place: Location) -> Iterator[tuple[Location, Refusal]]:
        """Count a hand, or a block of them; yields what is broken."""
        self.counts.files.add(place[0])
        if isinstance(event, Block):
            yield from () if self._count_block(event, place) else self._count_lines(event, place)
        elif isinstance(event, Refusal):
            yield place, event
        elif isinstance(event, Note):
            self.counts.unplayed += 1
            self.counts.reason = self.counts.reason or str(event)
        else:
            try:
                found = self._count(event, place)
            except IllegalActionError as error:
                found = Refusal(event.hand, event.source, str(error))
            if found is not None:
                yield place, found

    def _seats_of(self, names: tuple[str, ...], source: str) -> tuple[int, ...]:
        """Where the players sit; names of tables at which they do not are kept."""
        seats = self._seats.get(names)
        if seats is None:
            seats = self._seats[names] = tuple(seat for seat, name in enumerate(names) if name in self._wanted)
            self.counts.first = self.counts.first or source
            if not seats and len(self.counts.names) < MOST_NAMES:
                self.counts.names.update(names)
        return seats

    def _count(self, record: HandRecord, place: Location) -> Refusal | None:
        game, _hand, history, (hole, board), names, *_rest = record
        seats = self._seats_of(names, record.source)
        if not seats:
            self.counts.others += 1
            return None
        decided, used = self._bettings.read(game, history, place), False
        for seat in seats:
            each, cards = decided[seat], b""
            if self._needs_cards and each.rounds:
                held = hole[seat] if hole else ()
                if not held or len(board) < game.board_ends[each.rounds - 1] or (self._shown_only and not each.shown):
                    continue
                dealt = {*held, *board}
                if len(dealt) != len(held) + len(board) or not dealt <= game.card_set:
                    return Refusal(record.hand, record.source, "a card stands there twice, or is not in the deck")
                cards = bytes(held + board)
            self.counting.add((seat,), (each,), cards.ljust(self.counting.width, b"\0"))
            used = True
        self.counts.hands += used
        self.counts.hidden += not used
        return None

    def _count_block(self, block: Block, place: Location) -> bool:
        """Count the hands of a block at once; False, and nothing is counted, where one of them is not as it should be.

        What is wrong with it is found by those who read line by line.
        """
        try:
            found = self._collect(block, place[0])
        except IllegalActionError:
            return False
        cards = None if found is None else self._cards_of(block.log, found)
        if found is None or cards is None or len(block.hands) != len(block.lines):
            return False
        self.counting.add(found.players, found.decided, cards)
        self.counts.hands += found.hands
        self.counts.others += found.others
        self.counts.hidden += found.hidden
        return True

    def _collect(self, block: Block, file: int) -> _Collected | None:
        """The decisions that a block holds; None where names are missing."""
        found, game = _Collected(), block.log.game
        only_shown = self._shown_only and self._needs_cards
        for number, (history, text, names) in enumerate(block.hands, block.first):
            seats = self._texts.get(names)
            if seats is None:
                split = tuple(names.split("|"))
                if len(split) != game.players or not all(split):
                    return None
                seats = self._texts[names] = self._seats_of(split, f"{block.log.path}:{number}")
            if not seats:
                found.others += 1
                continue
            decided, before = self._bettings.read(game, history, (file, number)), len(found.players)
            for seat in seats:
                each = decided[seat]
                if not only_shown or each.shown or not each.rounds:
                    found.players.append(seat)
                    found.decided.append(each)
                    found.texts.append(text)
            is_used = len(found.players) > before
            found.hands += is_used
            found.hidden += not is_used
        return found

    def _cards_of(self, log: PlainLog, found: _Collected) -> bytes | None:
        """The cards of a block as `Counting` takes them; None if they are not what they should be."""
        if not self._needs_cards or not found.players:
            return bytes(self.counting.width * len(found.players))
        players, ended = np.array(found.players), np.array([each.ended for each in found.decided])
        cards = log.places.find(found.texts, players, ended)
        return None if cards is None else cards.tobytes()

    def _count_lines(self, block: Block, place: Location) -> Iterator[tuple[Location, Refusal]]:
        """The same line by line."""
        for number, line in enumerate(block.lines, block.first):
            where, source = (place[0], number), f"{block.log.path}:{number}"
            try:
                yield from self.take(parse_hand(line.rstrip("\n"), block.log.game, source), where)
            except FormatError as error:
                yield where, Refusal("", source, str(error).removeprefix(f"{source}: "))
