"""What viewers of a series are told: one answer for all of them, drawn anew when its files have changed.

Viewers ask again and again. The first to ask after a while makes the server look at the files; the others are given
the same bytes, so that a hundred of them cost little more than one.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from kibitz.arena.played import Played
from kibitz.arena.series import Table
from kibitz.errors import KibitzError
from kibitz.files import fingerprint, plain
from kibitz.web.folder import existing, inside
from kibitz.web.jobs import Job, Jobs
from kibitz.web.matches import job_of, open_series, state_of
from kibitz.web.refusals import MissingError
from kibitz.web.render import fragment
from kibitz.web.series_view import View
from kibitz.web.weights import recorded_sizes, recorded_tables, weight_charts

SECONDS_BETWEEN_LOOKS = 0.4
SHARE_OF_LOOKS = 10  # times as long as a look takes, the next one waits: long ledgers do not keep a core busy
KEPT = 32  # series that are looked at
KEPT_ANSWERS = 64  # answers of each


class Asked(NamedTuple):
    """What a viewer wants to see of a series: a table, agents with dashes between, and the number of its match."""

    table: str = ""
    match: str = ""


@dataclass(frozen=True)
class Answer:
    """What viewers get: the page's part as HTML, all of it as JSON, and the tag by which they say that they have it.

    stamp   what the files were when it was drawn
    table   whose charts it has
    """

    html: str
    body: bytes
    tag: str
    stamp: object
    table: Table


@dataclass
class Watched:
    """A series as viewers see it."""

    folder: Path
    name: str
    looks: int = 0  # how often the files were looked at
    _answers: OrderedDict[Asked, tuple[float, Answer]] = field(default_factory=OrderedDict)  # with the time of the look
    _pause: float = SECONDS_BETWEEN_LOOKS
    _played: Played | None = None
    _job: str | None = None  # its id, once it was looked for; empty where there is none
    _lock: Lock = field(default_factory=Lock)

    def kept(self, asked: Asked) -> Answer | None:
        """The answer if it is fresh enough; the caller who gets None goes on to `look`."""
        looked, answer = self._answers.get(asked, (-1e9, None))
        return answer if time.monotonic() - looked < self._pause else None

    def look(self, jobs: Jobs, asked: Asked) -> Answer:
        """Look at the files, and draw the answer anew where they have changed."""
        with self._lock:
            if (kept := self.kept(asked)) is not None:
                return kept
            begun = time.monotonic()
            place = inside(self.folder, self.name)
            self.looks += 1
            series, job = self._refreshed(), self._found(jobs)
            if series is None and job is None:
                existing(self.folder, self.name)
                raise MissingError(f"there is no match in {self.name!r}")
            done = len(series.outcomes) if series is not None else -1
            state, recorded = state_of(job, series), recorded_tables(place)
            _, answer = self._answers.pop(asked, (0.0, None))
            stamp = done, state, recorded
            if answer is None or answer.stamp != (stamp, recorded_sizes(place, answer.table)):
                view = View(self.name, series, state, job)
                agents = view.drawn(asked.table, recorded) if series is not None else ()
                table = tuple(sorted(agents))
                sizes = recorded_sizes(place, table)
                weights = weight_charts(place, table, view.names, asked.match)
                answer = _draw(view, view.chart(agents), weights, (stamp, sizes), table)
            self._answers[asked] = time.monotonic(), answer
            while len(self._answers) > KEPT_ANSWERS:
                self._answers.popitem(last=False)
            self._pause = max(SECONDS_BETWEEN_LOOKS, SHARE_OF_LOOKS * (time.monotonic() - begun))
            return answer

    def _refreshed(self) -> Played | None:
        if self._played is None:
            self._played = open_series(self.folder, self.name)
        if self._played is not None:
            try:
                self._played.refresh()
            except KibitzError:
                self._played = None  # what is there now is looked at anew
                raise
        return self._played

    def _found(self, jobs: Jobs) -> Job | None:
        """The job that plays the series; all jobs are looked through once only."""
        if self._job is None:
            job = job_of(jobs, self.name)
            self._job = job.id if job is not None else ""
            return job
        try:
            return jobs.get(self._job) if self._job else None
        except KibitzError:  # it was removed
            return None


def _draw(view: View, chart: object, weights: object, stamp: object, table: Table) -> Answer:
    html = fragment("_match.html", view=view)
    document = {"html": html, "chart": chart, "weights": weights, "state": view.state[0]}
    body = json.dumps(plain(document), allow_nan=False, separators=(",", ":")).encode()
    return Answer(html, body, f'"{fingerprint(body)}"', stamp, table)


class Watching:
    """The series that somebody looks at, the latest kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watched: OrderedDict[str, Watched] = OrderedDict()

    def get(self, name: str) -> Watched:
        """The series in the folder `name`."""
        inside(self._folder, name)
        if name not in self._watched:
            self._watched[name] = Watched(self._folder, name)
            while len(self._watched) > KEPT:
                self._watched.popitem(last=False)
        self._watched.move_to_end(name)
        return self._watched[name]
