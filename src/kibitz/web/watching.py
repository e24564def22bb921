"""What viewers of a series are told: one answer for all of them, drawn anew when its files have changed.

Viewers ask again and again. The first to ask after a while makes the server look at the files; the others are given
the same bytes, so that a hundred of them cost little more than one.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any

from kibitz.arena.duplicate import describe_seatings, hands_per_deal
from kibitz.arena.ledger import GrowingLedger
from kibitz.arena.live import Rates, order_so_far, rate_curve, rates_so_far
from kibitz.arena.report import shade, verdict
from kibitz.arena.runs import LEDGER
from kibitz.arena.series import Table
from kibitz.arena.standings import Standings
from kibitz.errors import KibitzError
from kibitz.files import fingerprint, plain
from kibitz.games.stakes import Stake, fold_loss
from kibitz.statistics import Estimate
from kibitz.web.folder import existing
from kibitz.web.jobs import Jobs
from kibitz.web.matches import Setup, game_title, load_setup, state_of
from kibitz.web.render import fragment
from kibitz.web.weights import trace_files, weight_charts

SECONDS_BETWEEN_LOOKS = 0.4
SHARE_OF_LOOKS = (
    10  # times as long as a look takes is waited for the next, so that long ledgers do not keep a core busy
)
KEPT = 32  # series that are looked at
KEPT_TABLES = 64  # answers of each


@dataclass(frozen=True)
class Answer:
    """What viewers get: the page's part as HTML, all of it as JSON, and the tag by which they say that they have it."""

    html: str
    body: bytes
    tag: str


@dataclass
class Watched:
    """A series as viewers see it."""

    folder: Path
    name: str
    looks: int = 0  # how often the files were looked at
    _answers: OrderedDict[str, Answer] = field(default_factory=OrderedDict)
    _stamp: object = None
    _looked: float = -1e9
    _pause: float = SECONDS_BETWEEN_LOOKS
    _ledger: GrowingLedger | None = None
    _lock: Lock = field(default_factory=Lock)

    def kept(self, table: str) -> Answer | None:
        """The answer if it is fresh enough; the caller who gets None goes on to `look`."""
        if time.monotonic() - self._looked >= self._pause:
            return None
        return self._answers.get(table)

    def look(self, jobs: Jobs, table: str) -> Answer:
        """Look at the files, and draw the answer anew where they have changed."""
        with self._lock:
            if (kept := self.kept(table)) is not None:
                return kept
            begun = time.monotonic()
            place = existing(self.folder, self.name)
            self.looks += 1
            series = self._refreshed(place)
            traces, setup = trace_files(place), load_setup(place)
            if series is None and setup is None:
                raise KibitzError(f"there is no match in {self.name!r}")
            done, total = (len(series.outcomes), series.total) if series is not None else (0, 1)
            state = state_of(jobs, setup, done, total)
            stamp = (done, total, state, tuple(traces.items()))
            if stamp != self._stamp:
                self._answers.clear()
                self._stamp = stamp
            self._looked = time.monotonic()
            if table not in self._answers:
                self._answers[table] = self._draw(state, table, weight_charts(traces), setup)
                while len(self._answers) > KEPT_TABLES:
                    self._answers.popitem(last=False)
            took = time.monotonic() - begun
            self._pause = max(SECONDS_BETWEEN_LOOKS, SHARE_OF_LOOKS * took)
            return self._answers[table]

    def _refreshed(self, place: Path) -> GrowingLedger | None:
        if self._ledger is None and (place / LEDGER).is_file():
            self._ledger = GrowingLedger(place / LEDGER)
        if self._ledger is not None:
            self._ledger.refresh()
        return self._ledger

    def _draw(self, state: tuple[str, str], table: str, weights: list[dict[str, Any]], setup: Setup | None) -> Answer:
        view = View(self.name, self._ledger, state, setup)
        html = fragment("_match.html", view=view)
        document = {
            "html": html,
            "chart": view.chart(table),
            "weights": weights,
            "state": state[0],
        }
        body = json.dumps(plain(document), allow_nan=False, separators=(",", ":")).encode()
        return Answer(html, body, f'"{fingerprint(body)}"')


class Watching:
    """The series that somebody looks at, the latest kept."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._watched: OrderedDict[str, Watched] = OrderedDict()

    def get(self, name: str) -> Watched:
        """The series in the folder `name`."""
        existing(self._folder, name)
        if name not in self._watched:
            self._watched[name] = Watched(self._folder, name)
            while len(self._watched) > KEPT:
                self._watched.popitem(last=False)
        self._watched.move_to_end(name)
        return self._watched[name]


@dataclass(frozen=True)
class View:
    """A series for the template; `ledger` is None before its first line has been written."""

    name: str
    ledger: GrowingLedger | None
    state: tuple[str, str]
    setup: Setup | None

    @property
    def can_stop(self) -> bool:
        """Whether a worker of the page plays it."""
        return self.state[0] == "running"

    @property
    def can_resume(self) -> bool:
        """Whether it was begun here and has not been played to its end."""
        return self.setup is not None and self.state[0] == "stopped"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents."""
        if self.ledger is not None:
            return self.ledger.series.names
        return self.setup.agents if self.setup is not None else ()

    @cached_property
    def rates(self) -> Rates:
        """The rates so far."""
        return rates_so_far(self.ledger.series, self.ledger.outcomes) if self.ledger is not None else {}

    @property
    def is_tournament(self) -> bool:
        """Whether there is more than one table."""
        return self.ledger is not None and len(self.names) > self.ledger.series.game.players

    @cached_property
    def order(self) -> list[int]:
        """The agents, best first: by the run-off at the end, by their mean rate until then."""
        assert self.ledger is not None
        if self.standings is not None:
            return list(self.standings.order)
        return order_so_far(self.ledger.series, self.rates)

    @cached_property
    def standings(self) -> Standings | None:
        """The rankings of a tournament that has ended."""
        if self.ledger is None or not self.is_tournament or len(self.ledger.outcomes) < self.ledger.total:
            return None
        return Standings(self.ledger.series, self.ledger.outcomes)

    @cached_property
    def verdict(self) -> list[str]:
        """Who won, in sentences; nothing while it is played."""
        return verdict(self.standings) if self.standings is not None else []

    def facts(self) -> dict[str, Any]:
        """Game, hands and progress, for the head of the page."""
        if self.ledger is None:
            return {"done": 0, "total": 0, "hands": 0, "game": "", "unit": "", "percent": 0}
        series, done = self.ledger.series, len(self.ledger.outcomes)
        return {
            "done": done,
            "total": self.ledger.total,
            "hands": done * series.hands * hands_per_deal(series.game.players),
            "game": game_title(series.game),
            "unit": Stake.of(series.game).unit,
            "percent": int(100 * done / max(1, self.ledger.total)),
            "deals": series.hands,
            "matches": series.matches,
            "seed": series.seed,
            "seatings": describe_seatings(series.game.players, series.matches),
        }

    def rows(self) -> list[dict[str, Any]]:
        """The cross table of two-player games, best first: {name, mean, cells}; a cell is None on the diagonal."""
        assert self.ledger is not None
        cap, rows = fold_loss(self.ledger.series.game), []
        for row in self.order:
            cells = [self._cell(row, column, cap) if row != column else None for column in self.order]
            means = [each["mean"] for each in cells if each is not None and each["mean"] is not None]
            mean = sum(means) / len(means) if means else None
            rows.append({"name": self.names[row], "mean": signed(mean), "cells": cells})
        return rows

    def _cell(self, row: int, column: int, cap: float) -> dict[str, Any]:
        found = self.rates.get((min(row, column), max(row, column)))
        if found is None:
            return {"mean": None, "text": "", "half": "", "shade": "", "table": f"{row}-{column}"}
        estimate = found[int(row > column)]
        return rate_text(estimate) | {"shade": shade(estimate, cap), "table": f"{row}-{column}"}

    def tables(self) -> list[dict[str, Any]]:
        """Every table with the rates of its agents: {table, seats: [{name, text, half, shade}]}."""
        if self.ledger is None:
            return []
        cap = fold_loss(self.ledger.series.game)
        return [
            {
                "table": "-".join(map(str, table)),
                "seats": [
                    rate_text(each) | {"name": self.names[agent], "shade": shade(each, cap)}
                    for agent, each in zip(table, estimates, strict=True)
                ],
            }
            for table, estimates in self.rates.items()
        ]

    def chart(self, asked: str) -> dict[str, Any] | None:
        """The rates of a table over its hands: {title, unit, lines: [{name, points: [[hands, mean, half]]}]}.

        asked   agents with dashes between, of whom the first is drawn in a game for two; the best two where they are
                no table that has played
        """
        if self.ledger is None or not self.rates:
            return None
        series = self.ledger.series
        agents = _agents(asked)
        table: Table = tuple(sorted(agents))
        if table not in self.rates:
            best = (*self.order[:2],) if series.game.players == 2 else ()
            agents = best if tuple(sorted(best)) in self.rates else next(iter(self.rates))
            table = tuple(sorted(agents))
        curve = rate_curve(series, self.ledger.outcomes, table)
        drawn = agents[:1] if len(agents) == 2 else agents
        lines = [
            {
                "name": self.names[agent],
                "points": [
                    [point.hands, round(each.mean, 2), round(each.half_width, 2) if isfinite(each.half_width) else None]
                    for point in curve
                    for each in (point.rates[table.index(agent)],)
                ],
            }
            for agent in drawn
        ]
        others = " and ".join(self.names[agent] for agent in agents if agent not in drawn)
        title = f"{self.names[agents[0]]} against {others}" if others else ", ".join(self.names[each] for each in table)
        return {"title": title, "unit": Stake.of(series.game).unit, "table": "-".join(map(str, agents)), "lines": lines}


def _agents(asked: str) -> Table:
    parts = asked.split("-")
    return tuple(int(each) for each in parts) if all(p.isascii() and p.isdigit() and len(p) < 4 for p in parts) else ()


def rate_text(estimate: Estimate) -> dict[str, Any]:
    """A rate for people: {mean, text, half}."""
    half = f"± {estimate.half_width:,.0f}" if isfinite(estimate.half_width) else ""
    return {"mean": estimate.mean, "text": signed(estimate.mean), "half": half}


def signed(value: float | None) -> str:
    """A number with its sign; nothing for none."""
    return "" if value is None else f"{value:+,.0f}".replace("-", "−") if round(value) else "0"
