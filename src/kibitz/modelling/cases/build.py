"""Building a case base from the logs of an expert: streaming, on several processes, the same whatever their number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from kibitz import __version__
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.io.logs import LogFile, list_files
from kibitz.io.record import HandRecord, Note, Refusal
from kibitz.modelling.cases.base import CaseBase, merge, renumber
from kibitz.modelling.cases.decisions import Collector
from kibitz.modelling.cases.features import Description
from kibitz.modelling.cases.strength import Strength, load_strength
from kibitz.modelling.logs import (
    CHUNK,
    Broken,
    Counts,
    Location,
    Portion,
    describe_logs,
    find_seats,
    nothing_found,
    share_out,
)
from kibitz.progress import Count


class Built(NamedTuple):
    """A case base and what was found on the way: `bad` counts broken places, of which `first` holds some."""

    base: CaseBase
    counts: Counts
    bad: int
    first: tuple[Refusal, ...]


@dataclass(frozen=True)
class _Task(Portion):
    """The share of one process."""

    expert: str
    description: Description
    strength: Strength
    players: int | None
    skip_bad: bool


@dataclass
class _Share:
    """What one process found."""

    rows: pl.DataFrame | None = None
    counts: Counts = field(default_factory=Counts)
    broken: Broken = field(default_factory=Broken)


def build_cases(
    logs: Sequence[Path | str],
    expert: str,
    description: Description | None = None,
    *,
    game: Game | None = None,
    players: int | None = None,
    workers: int = 1,
    skip_bad: bool = False,
    strength: Strength | None = None,
    progress: Count | None = None,
) -> Built:
    """The cases of all decisions that `expert` took in `logs`: files, archives and folders of any known format.

    game      the rules of ACPC logs, whatever they name
    players   use hands of tables for so many only; hands of different sizes do not go together
    skip_bad  use the rest of logs with broken hands, which otherwise are an error
    strength  instead of the one that the description names; it must pass to other processes
    progress  is told the number of hands read so far, now and then
    """
    description = description or Description()
    strength = strength or load_strength(description.strength)
    files = tuple(list_files([Path(log) for log in logs]))
    workers = max(1, workers)
    tasks = [
        _Task(files, game, each, workers, expert, description, strength, players, skip_bad) for each in range(workers)
    ]
    strength.bucket((0, 4), ())  # tables that are not there yet are made once, not by every process
    shares = share_out(_work, tasks, progress)
    number, first = Broken.of_all((share.broken for share in shares), skip_bad)
    counts = Counts()
    for share in shares:
        counts.add(share.counts)
    if not counts.hands:
        raise nothing_found(expert, counts, number)
    if len(counts.players) > 1:
        tables = " and ".join(f"{size} ({hands:,} hands)" for size, hands in sorted(counts.players.items()))
        raise KibitzError(f"{expert} sits at tables for {tables} players: choose one size", settings=("players",))
    rows = renumber(merge(share.rows for share in shares if share.rows is not None), sorted(counts.files))
    made = _provenance(expert, files, counts, number, int(rows["count"].sum()))
    return Built(CaseBase(rows, description, made), counts, number, first)


def _work(task: _Task, progress: Count | None = None) -> _Share:
    share, collector = _Share(), Collector(task.description, task.strength)
    for read, (place, event) in enumerate(task.events(), 1):
        share.counts.files.add(place[0])
        found = _take(event, place, task, collector, share.counts)
        if found is not None:
            share.broken.add(place, found)
            if not task.skip_bad:
                return share
        if progress and read % CHUNK == 0:
            progress(read)
    share.rows = collector.rows()
    return share


def _take(
    event: HandRecord | Refusal | Note, place: Location, task: _Task, collector: Collector, counts: Counts
) -> Refusal | None:
    """Collect a hand; what is broken comes back."""
    if isinstance(event, Note):
        counts.unplayed += 1
        counts.reason = counts.reason or str(event)
        return None
    seats = event if isinstance(event, Refusal) else find_seats(event, task.expert, counts, task.players)
    if isinstance(seats, Refusal):
        return seats
    for seat in seats:
        try:
            # "logs/match.log:17" becomes "17", "logs/all.tar/30/63.phh:1" becomes "30/63.phh:1"
            text = seat.record.source.removeprefix(str(task.files[place[0]].path)).lstrip(":/")
            collector.add(*seat, place, text)
        except KibitzError as error:  # another game than the description is for
            return Refusal("", seat.record.source, str(error))
    if seats:
        counts.hands += 1
        counts.players[seats[0].record.game.players] += 1
    return None


def _provenance(expert: str, files: tuple[LogFile, ...], counts: Counts, bad: int, decisions: int) -> dict[str, Any]:
    """Where the cases come from."""
    return {
        "kibitz": __version__,
        "expert": expert,
        "players": sorted(counts.players),
        "hands": counts.hands,
        "decisions": decisions,
        "others": counts.others,
        "hidden": counts.hidden,
        "unplayed": counts.unplayed,
        "bad": bad,
        "logs": describe_logs(files, counts),
    }
