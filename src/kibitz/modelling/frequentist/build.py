"""Building a model from logs: streaming, on several processes, the same to the byte whatever their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.errors import FormatError, KibitzError
from kibitz.games import Game
from kibitz.io.record import HandRecord, Note
from kibitz.modelling.cases.logs import (
    MOST_NAMES,
    Bad,
    Counts,
    LogFile,
    Place,
    describe_logs,
    list_files,
    read_file,
    why_none,
)
from kibitz.modelling.frequentist.counting import Tally, coverage
from kibitz.modelling.frequentist.observing import Observation, Observer
from kibitz.modelling.frequentist.plain_logs import Block, find_plain_log
from kibitz.parallel import Processes
from kibitz.parallel.workers import advance
from kibitz.progress import Count
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Layout

CHUNK = 2_000  # hands of a file that go to one process, when files are too few to share out whole
FILES_EACH = 4  # files per process from which on they are shared out whole
FIRST = 10  # broken places that are kept


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
    model = _finish(observation, problem, tally, counts, {"bad": number, "logs": describe_logs(files, counts)})
    return Built(model, counts, number, tuple(each for _, each in bad[:FIRST]))


def _work(task: _Task, progress: Count | None = None) -> _Share:
    share, observer = _Share(), Observer(task.observation, task.problem)
    share.counts = observer.counts
    read = 0
    for place, event in task.events():
        for found in observer.take(event, place):
            share.bad += 1
            if len(share.first) < FIRST:
                share.first.append(found)
            if not task.observation.skip_bad:
                return share
        before = read
        read += len(event.hands) if isinstance(event, Block) else 1
        if progress and read // CHUNK > before // CHUNK:
            progress(read)
    share.tally = observer.counting.flush()
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
