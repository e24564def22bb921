"""A series for the template: progress, rates, cross table, and the chart of one table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import isfinite
from typing import Any

from kibitz.arena.duplicate import describe_seatings, hands_per_deal
from kibitz.arena.live import Rates, order_so_far, rate_curve, rates_so_far
from kibitz.arena.played import Played
from kibitz.arena.report import shade, verdict
from kibitz.arena.series import Table
from kibitz.arena.standings import Standings
from kibitz.games.stakes import Stake, fold_loss
from kibitz.random import seed_text
from kibitz.statistics import Estimate
from kibitz.web.jobs import Job
from kibitz.web.matches import game_title


@dataclass(frozen=True)
class View:
    """A series for the template.

    played   None before anything has been kept
    job      None where the page has not begun it
    """

    name: str
    played: Played | None
    state: tuple[str, str]
    job: Job | None

    @property
    def can_stop(self) -> bool:
        """Whether a worker of the page plays it."""
        return self.state[0] == "running"

    @property
    def can_resume(self) -> bool:
        """Whether it was begun here and has not been played to its end."""
        return self.job is not None and self.state[0] == "stopped"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents."""
        if self.played is not None:
            return self.played.series.names
        return tuple(self.job.arguments["sent"]["agents"]) if self.job is not None else ()

    @cached_property
    def rates(self) -> Rates:
        """The rates so far."""
        return rates_so_far(self.played.series, self.played.outcomes) if self.played is not None else {}

    @property
    def is_tournament(self) -> bool:
        """Whether there is more than one table."""
        return self.played is not None and len(self.names) > self.played.series.game.players

    @cached_property
    def order(self) -> list[int]:
        """The agents, best first: by the run-off at the end, by their mean rate until then."""
        assert self.played is not None
        if self.standings is not None:
            return list(self.standings.order)
        return order_so_far(self.played.series, self.rates)

    @cached_property
    def standings(self) -> Standings | None:
        """The rankings of a tournament that has ended."""
        if self.played is None or not self.is_tournament or len(self.played.outcomes) < self.played.total:
            return None
        return Standings(self.played.series, self.played.outcomes)

    @cached_property
    def verdict(self) -> list[str]:
        """Who won, in sentences; nothing while it is played."""
        return verdict(self.standings) if self.standings is not None else []

    def facts(self) -> dict[str, Any]:
        """Game, hands and progress, for the head of the page."""
        if self.played is None:
            return {"done": 0, "total": 0, "hands": 0, "game": "", "unit": "", "percent": 0}
        series, done = self.played.series, len(self.played.outcomes)
        return {
            "done": done,
            "total": self.played.total,
            "hands": done * series.hands * hands_per_deal(series.game.players),
            "game": game_title(series.game),
            "unit": Stake.of(series.game).unit,
            "percent": int(100 * done / max(1, self.played.total)),
            "deals": series.hands,
            "matches": series.matches,
            "seed": seed_text(series.seed),
            "seatings": describe_seatings(series.game.players, series.matches),
        }

    def rows(self) -> list[dict[str, Any]]:
        """The cross table of two-player games, best first: {name, mean, cells}; a cell is None on the diagonal."""
        assert self.played is not None
        cap, rows = fold_loss(self.played.series.game), []
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
        if self.played is None:
            return []
        cap = fold_loss(self.played.series.game)
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

    def drawn(self, asked: str, recorded: set[Table]) -> tuple[int, ...]:
        """The agents whose chart is drawn; in a game for two it is the chart of the first.

        asked      agents with dashes between; where they are no table of the series, the best table is drawn
        recorded   tables with recorded weights, which come first
        """
        assert self.played is not None
        agents, players = _agents(asked), self.played.series.game.players
        if len(set(agents)) == players == len(agents) and max(agents) < len(self.names):
            return agents
        pairs = [pair for pair in combinations(self.order, players) if tuple(sorted(pair)) in (recorded or self.rates)]
        return next(iter(pairs), tuple(range(players)))

    def chart(self, agents: tuple[int, ...]) -> dict[str, Any] | None:
        """The rates of a table over its hands: {title, unit, table, lines: [{name, points: [[hands, mean, half]]}]}."""
        table: Table = tuple(sorted(agents))
        if self.played is None or table not in self.rates:
            return None
        series = self.played.series
        curve = rate_curve(series, self.played.outcomes, table)
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
