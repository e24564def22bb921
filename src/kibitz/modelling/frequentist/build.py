"""Building a model from logs: streaming, on several processes, the same to the byte whatever their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.errors import FormatError, IllegalActionError, KibitzError
from kibitz.files import file_sha256
from kibitz.games import Game
from kibitz.io.acpc import parse_hand
from kibitz.io.record import HandRecord, Note
from kibitz.modelling.cases.logs import MOST_NAMES, Bad, Counts, LogFile, Place, list_files, read_file, why_none
from kibitz.modelling.frequentist.bettings import Bettings, SeatDecisions
from kibitz.modelling.frequentist.counting import Counting, Tally, needs_cards
from kibitz.modelling.frequentist.coverage import coverage
from kibitz.modelling.frequentist.plain_logs import Block, PlainLog, find_plain_log
from kibitz.parallel import Processes
from kibitz.parallel.workers import advance
from kibitz.progress import Count
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Layout
from kibitz.translation import Reading

CHUNK = 2_000  # hands of a file that go to one process, when files are too few to share out whole
FILES_EACH = 4  # files per process from which on they are shared out whole
FIRST = 10  # broken places that are kept
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


class Built(NamedTuple):
    """A model and what was found on the way: `bad` counts broken places, of which `first` holds some."""

    model: FrequentistModel
    counts: Counts
    bad: int
    first: tuple[Bad, ...]


@dataclass(frozen=True)
class _Task:
    """The share of one process. Every process reads on through all it must, and keeps what is its own."""

    files: tuple[LogFile, ...]
    observation: Observation
    problem: Problem
    game: Game | None
    worker: int
    workers: int

    def events(self) -> Iterator[tuple[Place, HandRecord | Bad | Note | Block]]:
        """What this process has to look at, with its place."""
        whole = len(self.files) >= FILES_EACH * self.workers
        for file, log in enumerate(self.files):
            if whole and file % self.workers != self.worker:
                continue
            plain = find_plain_log(log.path, self.game)
            if plain is not None:
                share = (0, 1) if whole else (self.worker, self.workers)
                yield from (((file, block.first), block) for block in plain.blocks(*share))
                continue
            for number, event in enumerate(read_file(log, self.game)):
                if whole or number // CHUNK % self.workers == self.worker:
                    yield (file, number), event


@dataclass
class _Share:
    """What one process found."""

    tally: Tally | None = None
    counts: Counts = field(default_factory=Counts)
    bad: int = 0
    first: list[tuple[Place, Bad]] = field(default_factory=list)


class _Reader:
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

    def take(self, event: HandRecord | Bad | Note | Block, place: Place) -> Iterator[tuple[Place, Bad]]:
        """Count a hand, or a block of them; yields what is broken."""
        self.counts.files.add(place[0])
        if isinstance(event, Block):
            yield from () if self._count_block(event, place) else self._count_lines(event, place)
        elif isinstance(event, Bad):
            yield place, event
        elif isinstance(event, Note):
            self.counts.unplayed += 1
            self.counts.reason = self.counts.reason or event.text
        else:
            try:
                found = self._count(event, place)
            except IllegalActionError as error:
                found = Bad(event.source, f"hand {event.hand}: {error}")
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

    def _count(self, record: HandRecord, place: Place) -> Bad | None:
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
                    return Bad(record.source, f"hand {record.hand}: a card stands there twice, or is not in the deck")
                cards = bytes(held + board)
            self.counting.add((seat,), (each,), cards.ljust(self.counting.width, b"\0"))
            used = True
        self.counts.hands += used
        self.counts.hidden += not used
        return None

    def _count_block(self, block: Block, place: Place) -> bool:
        """Count the hands of a block at once; False, and nothing is counted, where one of them is not as it should be.

        What is wrong with it is found by those who read line by line.
        """
        log, read, count = block.log, self._bettings.read, len(block.hands)
        players: list[int] = []
        decided: list[SeatDecisions] = []
        texts: list[str] = []
        others, used, hidden = 0, 0, 0
        try:
            for number, (history, text, names) in enumerate(block.hands, block.first):
                seats = self._texts.get(names)
                if seats is None:
                    split = tuple(names.split("|"))
                    if len(split) != log.game.players or not all(split):
                        return False
                    seats = self._texts[names] = self._seats_of(split, f"{log.path}:{number}")
                if not seats:
                    others += 1
                    continue
                found = read(log.game, history, (place[0], number))
                before = len(players)
                for seat in seats:
                    each = found[seat]
                    if not (self._shown_only and self._needs_cards and each.rounds and not each.shown):
                        players.append(seat)
                        decided.append(each)
                        texts.append(text)
                used += len(players) > before
                hidden += len(players) == before
        except IllegalActionError:
            return False
        cards = self._cards_of(log, players, decided, texts)
        if cards is None or count != len(block.lines):
            return False
        self.counting.add(players, decided, cards)
        self.counts.others, self.counts.hands = self.counts.others + others, self.counts.hands + used
        self.counts.hidden += hidden
        return True

    def _cards_of(
        self, log: PlainLog, players: list[int], decided: list[SeatDecisions], texts: list[str]
    ) -> bytes | None:
        """The cards of a block as `Counting` takes them; None if they are not what they should be."""
        if not self._needs_cards:
            return bytes(self.counting.width * len(players))
        ended = np.array([each.ended for each in decided], dtype=np.int64)
        cards = log.places.find(texts, np.array(players, dtype=np.int64), ended) if players else np.zeros(0, np.uint8)
        return None if cards is None else cards.tobytes()

    def _count_lines(self, block: Block, place: Place) -> Iterator[tuple[Place, Bad]]:
        """The same line by line."""
        for number, line in enumerate(block.lines, block.first):
            where, source = (place[0], number), f"{block.log.path}:{number}"
            try:
                yield from self.take(parse_hand(line.rstrip("\n"), block.log.game, source), where)
            except FormatError as error:
                yield where, Bad(source, str(error).removeprefix(f"{source}: "))


def find_game(logs: Sequence[Path | str], players: tuple[str, ...], game: Game | None = None) -> Game:
    """The game of the first hand in which one of `players` sits; `game` holds for ACPC logs, whatever they name."""
    counts, broken = Counts(), None
    for file in list_files([Path(log) for log in logs]):
        for event in read_file(file, game):
            if isinstance(event, Bad):
                broken = broken or event
            if not isinstance(event, HandRecord):
                continue
            if set(players) & set(event.players):
                return event.game
            counts.first = counts.first or event.source
            counts.others += 1
            if len(counts.names) < MOST_NAMES:
                counts.names.update(event.players)
    if broken and not counts.others:
        raise FormatError(str(broken))
    raise _nothing(players, counts, 0)


def build_model(
    logs: Sequence[Path | str],
    observation: Observation,
    problem: Problem,
    *,
    game: Game | None = None,
    workers: int = 1,
    progress: Count | None = None,
) -> Built:
    """The model of the players that `observation` names in `logs`: files, archives and folders of any known format.

    problem   the game, menu and cards of the model
    game      the rules of ACPC logs, whatever they name
    progress  is told the number of hands read so far, now and then
    """
    files = tuple(list_files([Path(log) for log in logs]))
    workers = max(1, workers)
    tasks = [_Task(files, observation, problem, game, each, workers) for each in range(workers)]
    _ = problem.sampled_deal  # tables that are not there yet are made once, not by every process
    shares = [_work(tasks[0], progress)] if workers == 1 else [*Processes(workers, progress).map(_work_counted, tasks)]
    bad = sorted((each for share in shares for each in share.first), key=lambda each: each[0])
    if bad and not observation.skip_bad:
        raise FormatError(f"{bad[0][1]}; skip broken places to use the rest", settings=("skip_bad",))
    counts, tally, number = Counts(), None, sum(share.bad for share in shares)
    for share in shares:
        counts.add(share.counts)
        if share.tally is not None and tally is None:
            tally = share.tally
        elif share.tally is not None and tally is not None:
            tally.add(share.tally)
    if not counts.hands or tally is None:
        raise _nothing(observation.players, counts, number)
    model = _finish(observation, problem, tally, counts, {"bad": number, "logs": _describe_logs(files, counts)})
    return Built(model, counts, number, tuple(each for _, each in bad[:FIRST]))


def _work(task: _Task, progress: Count | None = None) -> _Share:
    share, reader = _Share(), _Reader(task.observation, task.problem)
    share.counts = reader.counts
    read = 0
    for place, event in task.events():
        for found in reader.take(event, place):
            share.bad += 1
            if len(share.first) < FIRST:
                share.first.append(found)
            if not task.observation.skip_bad:
                return share
        before = read
        read += len(event.hands) if isinstance(event, Block) else 1
        if progress and read // CHUNK > before // CHUNK:
            progress(read)
    share.tally = reader.counting.flush()
    return share


def _work_counted(task: _Task) -> _Share:
    """The same in a process of its own."""
    return _work(task, lambda _hands: advance(CHUNK))


def _nothing(players: tuple[str, ...], counts: Counts, broken: int) -> KibitzError:
    """Why there is no hand to count."""
    where = f"{counts.first}: " * bool(counts.first)
    passed_over = f"; {broken:,} broken ones were passed over" * bool(broken)
    return KibitzError(f"{where}{why_none(' or '.join(players), counts)}{passed_over}")


def _finish(
    observation: Observation, problem: Problem, tally: Tally, counts: Counts, source: dict[str, Any]
) -> FrequentistModel:
    deal = problem.sampled_deal
    layout = Layout(problem.tree, deal.counts, deal.fingerprint)
    made = {
        **observation.describe(),
        "hands": counts.hands,
        "seats": [tally.seats[seat] for seat in range(problem.game.players)],
        "decisions": tally.decisions,
        "lost": tally.lost,
        "others": counts.others,
        "hidden": counts.hidden,
        "unplayed": counts.unplayed,
        **source,
        **problem.describe_cards(),
    }
    model = FrequentistModel(layout, tally.counts, made)
    whole = coverage(model)[-1]
    made["coverage"] = {name: whole[name] for name in ("infosets", "unseen", "few", "many")}
    return model


def _describe_logs(files: tuple[LogFile, ...], counts: Counts) -> list[dict[str, str]]:
    """Names without folders, so that the same logs give the same file anywhere."""
    logs: list[dict[str, str]] = []
    seen: dict[str, Path] = {}
    for file in (files[number] for number in sorted(counts.files)):
        digest = file_sha256(file.path)
        if digest in seen:
            raise KibitzError(f"{seen[digest]} and {file.path} hold the same hands, which would count twice: give one")
        seen[digest] = file.path
        logs.append({"name": file.path.name, "sha256": digest})
    return logs
