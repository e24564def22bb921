"""Building a model from logs: streaming, on several processes, the same to the byte whatever their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.errors import FormatError
from kibitz.games import Game
from kibitz.io.acpc.blocks import Block, find_plain_log
from kibitz.io.logs import list_files, read_file
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.modelling.frequentist.counting import Tally, coverage
from kibitz.modelling.frequentist.observing import Observation, Observer
from kibitz.modelling.logs import (
    CHUNK,
    MOST_NAMES,
    Broken,
    Counts,
    Location,
    Portion,
    describe_logs,
    nothing_found,
    share_out,
)
from kibitz.progress import Count
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Layout


class Built(NamedTuple):
    """A model and what was found on the way: `bad` counts broken places, of which `first` holds some."""

    model: FrequentistModel
    counts: Counts
    bad: int
    first: tuple[Refusal, ...]


@dataclass(frozen=True)
class _Task(Portion):
    """The share of one process."""

    observation: Observation
    problem: Problem

    def pieces(self) -> Iterator[tuple[Location, HandRecord | Refusal | Note | Block]]:
        """What this process has to look at, with its place: whole blocks of plain logs, else events."""
        for file, log, part, parts in self.own_files():
            plain = find_plain_log(log.path, self.game)
            if plain is not None:
                yield from (((file, block.first), block) for block in plain.blocks(part, parts))
                continue
            for number, event in self.own_events(log, part, parts):
                yield (file, number), event


@dataclass
class _Share:
    """What one process found."""

    tally: Tally | None = None
    counts: Counts = field(default_factory=Counts)
    broken: Broken = field(default_factory=Broken)


def find_game(logs: Sequence[Path | str], players: tuple[str, ...], game: Game | None = None) -> Game:
    """The game of the first hand in which one of `players` sits; `game` holds for ACPC logs, whatever they name."""
    counts, broken = Counts(), None
    for file in list_files([Path(log) for log in logs]):
        for event in read_file(file, game):
            if isinstance(event, Refusal):
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
    raise nothing_found(" or ".join(players), counts, 0)


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
    tasks = [_Task(files, game, each, workers, observation, problem) for each in range(workers)]
    _ = problem.sampled_deal  # tables that are not there yet are made once, not by every process
    shares = share_out(_work, tasks, progress)
    number, first = Broken.of_all((share.broken for share in shares), observation.skip_bad)
    counts, tally = Counts(), None
    for share in shares:
        counts.add(share.counts)
        if share.tally is not None and tally is None:
            tally = share.tally
        elif share.tally is not None and tally is not None:
            tally.add(share.tally)
    if not counts.hands or tally is None:
        raise nothing_found(" or ".join(observation.players), counts, number)
    model = _finish(observation, problem, tally, counts, {"bad": number, "logs": describe_logs(files, counts)})
    return Built(model, counts, number, first)


def _work(task: _Task, progress: Count | None = None) -> _Share:
    share, observer = _Share(), Observer(task.observation, task.problem)
    share.counts = observer.counts
    read = 0
    for place, event in task.pieces():
        for found in observer.take(event, place):
            share.broken.add(*found)
            if not task.observation.skip_bad:
                return share
        before = read
        read += len(event.hands) if isinstance(event, Block) else 1
        if progress and read // CHUNK > before // CHUNK:
            progress(read)
    share.tally = observer.counting.flush()
    return share


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
