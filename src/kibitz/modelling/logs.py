"""The hands of a player in log files of any format: which can be used, which are passed over, which are broken.

Logs are shared out to processes in one way, so that what is built from them does not depend on their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from kibitz.errors import FormatError, KibitzError
from kibitz.files import file_sha256
from kibitz.games import Game
from kibitz.io.acpc.log import LogHeader
from kibitz.io.files import Source, UnknownFormatError, files_in, open_sources, read_events
from kibitz.io.hand_check import check, returns_by_rules
from kibitz.io.record import HandRecord, Note, Refusal

MOST_NAMES = 12
CHUNK = 2_000  # hands of a file that go to one process, when files are too few to share out whole
FILES_EACH = 4  # files per process from which on they are shared out whole
FIRST = 10  # broken places that are kept
Place = tuple[int, int]  # number of the file, number of the event in it


class LogFile(NamedTuple):
    """A file to be read; one that was found in a folder is passed over if it is no hand history."""

    path: Path
    found: bool


class Bad(NamedTuple):
    """Something broken in a log: where it stands, as file and line, and what is wrong with it."""

    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}"


class Seat(NamedTuple):
    """A seat of the expert in a hand that keeps the rules; `returns` are what everybody won, in chips."""

    record: HandRecord
    player: int
    returns: tuple[float, ...]


@dataclass
class Counts:
    """What was found in logs.

    hands    of the expert that were used
    others   hands in which the expert does not sit, or sits at a table of another size
    hidden   hands in which the cards that the expert saw, or what was won, are not known
    unplayed hands of games that are not played here, and what is said of the first
    players  how many hands of the expert there were at tables of so many players
    sizes    of tables at which the expert sits and that were not wanted
    names    some of those who sit there
    first    where the first hand stands
    files    numbers of the files that are hand histories
    """

    hands: int = 0
    others: int = 0
    hidden: int = 0
    unplayed: int = 0
    reason: str = ""
    players: Counter[int] = field(default_factory=Counter)
    sizes: set[int] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    first: str = ""
    files: set[int] = field(default_factory=set)

    def add(self, other: Counts) -> None:
        """Count what another reader of the same logs found too."""
        self.hands, self.others = self.hands + other.hands, self.others + other.others
        self.hidden, self.unplayed = self.hidden + other.hidden, self.unplayed + other.unplayed
        self.reason = self.reason or other.reason
        self.players += other.players
        self.sizes |= other.sizes
        self.names |= other.names
        self.files |= other.files
        self.first = self.first or other.first


def list_files(logs: list[Path]) -> list[LogFile]:
    """The files at `logs`, each once, folders replaced by what they hold, in order of names."""
    files: dict[Path, LogFile] = {}
    for path in logs:
        if path.is_dir():
            for item in files_in(path):
                files.setdefault(item.resolve(), LogFile(item, True))
        else:
            files.setdefault(path.resolve(), LogFile(path, False))
    return [*files.values()]


def read_file(file: LogFile, game: Game | None) -> Iterator[HandRecord | Bad | Note]:
    """What a file holds: hands, broken places, and notes of hands of games that are not played here."""
    try:
        for source in open_sources(file.path):
            if source.format:
                yield from _read_source(source, game)
    except UnknownFormatError:
        if not file.found:
            raise
    except KibitzError as error:
        yield _bad(error, str(file.path), str(file.path))


def _read_source(source: Source, game: Game | None) -> Iterator[HandRecord | Bad | Note]:
    header: LogHeader | None = None
    hands, last = 0, source.name
    try:
        for event in read_events(source, game, strict=False):
            if type(event) is HandRecord:
                hands, last = hands + 1, event.source
                yield event
            elif isinstance(event, LogHeader):
                yield from _missing(header, hands, last)
                header, hands = event, 0
            elif isinstance(event, Refusal):
                hands += 1
                yield Bad(event.source, event.reason)
            elif isinstance(event, Note):  # of a broken place, or of a game that is not played here
                yield event if event.unplayed else Bad(event.source, event.text)
    except UnknownFormatError:
        raise
    except KibitzError as error:
        yield _bad(error, source.name, last)
        return
    yield from _missing(header, hands, last)


def _bad(error: KibitzError, name: str, last: str) -> Bad:
    """Where reading `name` came to an end: the error says it, or it is behind `last`."""
    where, colon, reason = str(error).partition(": ")
    if not colon or not where.startswith(name):
        return Bad(last, str(error))
    return Bad(last if where == name else where, reason)


def _missing(header: LogHeader | None, hands: int, last: str) -> Iterator[Bad]:
    if header is not None and hands < header.hands:
        yield Bad(last, f"the log ends after {hands:,} of {header.hands:,} hands")


def find_seats(record: HandRecord, expert: str, counts: Counts, players: int | None = None) -> list[Seat] | Bad:
    """The seats of the expert in a hand, at a table of so many `players`; what is broken is only found there."""
    counts.first = counts.first or record.source
    size = len(record.players)
    if expert in record.players and players not in (None, size):
        counts.others += 1
        counts.sizes.add(size)
        return []
    if expert not in record.players:
        counts.others += 1
        if len(counts.names) < MOST_NAMES:
            counts.names.update(record.players)
        return []
    differences = check(record)
    if differences:
        first = differences[0]
        return Bad(first.source, f"hand {first.hand}: {first.field}: expected {first.expected}, got {first.got}")
    returns = record.returns or returns_by_rules(record)
    hole, board = record.deal
    ends = record.game.board_ends
    round_ = min(record.history.rstrip("/").count("/"), len(ends) - 1)  # the last in which anybody decided
    seats = [
        Seat(record, player, returns)
        for player, name in enumerate(record.players)
        if name == expert and returns is not None and hole and hole[player] and len(board) >= ends[round_]
    ]
    counts.hidden += not seats
    return seats


def why_none(expert: str, counts: Counts) -> str:
    """Why logs in which `counts` were found hold no hand to learn from."""
    if counts.hidden:
        return f"the cards of {expert!r} are hidden in all of {counts.hidden:,} hands"
    if counts.sizes:
        return f"{expert!r} sits at tables for {' and '.join(map(str, sorted(counts.sizes)))} players only"
    if counts.names:
        names = ", ".join(map(repr, sorted(counts.names)))
        return f"no player {expert!r} in {counts.others:,} hands, whose players are {names}"
    if counts.unplayed:
        return f"{counts.unplayed:,} hands of games that are not played here: {counts.reason}"
    return "there is no hand to learn from"


def describe_logs(files: tuple[LogFile, ...], counts: Counts) -> list[dict[str, str]]:
    """The files that hold hands, for manifests: names without folders, so that the same logs give the same anywhere."""
    logs: list[dict[str, str]] = []
    seen: dict[str, Path] = {}
    for file in (files[number] for number in sorted(counts.files)):
        digest = file_sha256(file.path)
        if digest in seen:
            raise KibitzError(f"{seen[digest]} and {file.path} hold the same hands, which would count twice: give one")
        seen[digest] = file.path
        logs.append({"name": file.path.name, "sha256": digest})
    return logs


@dataclass(frozen=True)
class Portion:
    """What one process reads: whole files where there are many, else every so many chunks of each."""

    files: tuple[LogFile, ...]
    game: Game | None
    worker: int
    workers: int

    def own_files(self) -> Iterator[tuple[int, LogFile, int, int]]:
        """Number and name of each file to read, and which of how many parts of it are this process's own."""
        whole = len(self.files) >= FILES_EACH * self.workers
        for number, log in enumerate(self.files):
            if not whole:
                yield number, log, self.worker, self.workers
            elif number % self.workers == self.worker:
                yield number, log, 0, 1

    def own_events(self, log: LogFile, part: int, parts: int) -> Iterator[tuple[int, HandRecord | Bad | Note]]:
        """The events of that part of a file, by number. Every process reads on through all that comes before them."""
        for number, event in enumerate(read_file(log, self.game)):
            if number // CHUNK % parts == part:
                yield number, event

    def events(self) -> Iterator[tuple[Place, HandRecord | Bad | Note]]:
        """What this process has to look at, with its place."""
        for file, log, part, parts in self.own_files():
            for number, event in self.own_events(log, part, parts):
                yield (file, number), event


@dataclass
class Broken:
    """The broken places that one process found: how many, and the first of them."""

    number: int = 0
    first: list[tuple[Place, Bad]] = field(default_factory=list)

    def add(self, place: Place, bad: Bad) -> None:
        """Count one more."""
        self.number += 1
        if len(self.first) < FIRST:
            self.first.append((place, bad))

    @classmethod
    def of_all(cls, shares: Iterable[Broken], skip_bad: bool) -> tuple[int, tuple[Bad, ...]]:
        """How many all processes found, and the first; FormatError unless they may be skipped."""
        shares = list(shares)
        first = sorted((each for share in shares for each in share.first), key=lambda each: each[0])
        if first and not skip_bad:
            raise FormatError(f"{first[0][1]}; skip broken places to use the rest", settings=("skip_bad",))
        return sum(share.number for share in shares), tuple(bad for _, bad in first[:FIRST])


def nothing_found(who: str, counts: Counts, broken: int) -> KibitzError:
    """Why there is no hand of `who` to use."""
    where = f"{counts.first}: " * bool(counts.first)
    passed_over = f"; {broken:,} broken ones were passed over" * bool(broken)
    return KibitzError(f"{where}{why_none(who, counts)}{passed_over}")
