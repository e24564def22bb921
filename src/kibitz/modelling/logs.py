"""The hands of a player in log files of any format: which can be used, which are passed over, which are broken.

Logs are shared out to processes in one way, so that what is built from them does not depend on their number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from kibitz.errors import FormatError, KibitzError
from kibitz.files import file_sha256
from kibitz.games import Game
from kibitz.io.hand_check import check_fully
from kibitz.io.logs import LogFile, read_file
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.parallel import Processes
from kibitz.parallel.workers import advance
from kibitz.progress import Count

MOST_NAMES = 12
CHUNK = 2_000  # hands of a file that go to one process, when files are too few to share out whole
FILES_EACH = 4  # files per process from which on they are shared out whole
FIRST = 10  # broken places that are kept
T = TypeVar("T")
S = TypeVar("S")
Location = tuple[int, int]  # number of the file, number of the event in it


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


def find_seats(record: HandRecord, expert: str, counts: Counts, players: int | None = None) -> list[Seat] | Refusal:
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
    checked = check_fully(record)
    if checked.refusal:
        return checked.refusal
    returns = record.returns or checked.returns
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

    def own_events(self, log: LogFile, part: int, parts: int) -> Iterator[tuple[int, HandRecord | Refusal | Note]]:
        """The events of that part of a file, by number. Every process reads on through all that comes before them."""
        for number, event in enumerate(read_file(log, self.game)):
            if number // CHUNK % parts == part:
                yield number, event

    def events(self) -> Iterator[tuple[Location, HandRecord | Refusal | Note]]:
        """What this process has to look at, with its place."""
        for file, log, part, parts in self.own_files():
            for number, event in self.own_events(log, part, parts):
                yield (file, number), event


@dataclass
class Broken:
    """The broken places that one process found: how many, and the first of them."""

    number: int = 0
    first: list[tuple[Location, Refusal]] = field(default_factory=list)

    def add(self, place: Location, bad: Refusal) -> None:
        """Count one more."""
        self.number += 1
        if len(self.first) < FIRST:
            self.first.append((place, bad))

    @classmethod
    def of_all(cls, shares: Iterable[Broken], skip_bad: bool) -> tuple[int, tuple[Refusal, ...]]:
        """How many all processes found, and the first; FormatError unless they may be skipped."""
        shares = list(shares)
        first = sorted((each for share in shares for each in share.first), key=lambda each: each[0])
        if first and not skip_bad:
            raise FormatError(f"{first[0][1]}; skip broken places to use the rest", settings=("skip_bad",))
        return sum(share.number for share in shares), tuple(bad for _, bad in first[:FIRST])


def share_out(work: Callable[[T, Count | None], S], tasks: Sequence[T], progress: Count | None) -> list[S]:
    """What `work` makes of every task, one process each, in the order of the tasks.

    progress   is told how many hands have been read, as `work` is
    """
    if len(tasks) == 1:
        return [work(tasks[0], progress)]
    return [*Processes(len(tasks), progress).map(partial(_counted, work), tasks)]


def _counted(work: Callable[[T, Count | None], S], task: T) -> S:
    """The same in a process of its own."""
    return work(task, lambda _hands: advance(CHUNK))


def nothing_found(who: str, counts: Counts, broken: int) -> KibitzError:
    """Why there is no hand of `who` to use."""
    where = f"{counts.first}: " * bool(counts.first)
    passed_over = f"; {broken:,} broken ones were passed over" * bool(broken)
    return KibitzError(f"{where}{why_none(who, counts)}{passed_over}")
