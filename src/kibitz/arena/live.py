"""A series while it is being played: the rates so far, and how they came about.

Everything here is computed from the outcomes that a ledger holds at the moment; `arena.standings` needs all of them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from kibitz.arena.duplicate import ALL_SEATINGS_UP_TO, hands_per_deal
from kibitz.arena.series import Outcomes, Series, Table
from kibitz.arena.standings import rate_of
from kibitz.statistics import Estimate, Moments

Rates = dict[Table, tuple[Estimate, ...]]


class CurvePoint(NamedTuple):
    """Rates of the agents of a table after so many hands."""

    hands: int
    rates: tuple[Estimate, ...]


def rates_so_far(series: Series, outcomes: Outcomes) -> Rates:
    """Win rate of every agent of every table that has played a match."""
    played: dict[Table, list[tuple[Moments, ...]]] = defaultdict(list)
    for (table, _match), moments in outcomes.items():
        played[table].append(moments)
    return {
        table: tuple(rate_of(series.game, [match[seat] for match in matches]) for seat in range(len(table)))
        for table, matches in sorted(played.items())
    }


def order_so_far(series: Series, rates: Rates) -> list[int]:
    """The agents by the mean of their rates, best first; those that have not played come last."""
    found: dict[int, list[float]] = defaultdict(list)
    for table, estimates in rates.items():
        for agent, estimate in zip(table, estimates, strict=True):
            found[agent].append(estimate.mean)
    means = {agent: float(np.mean(values)) for agent, values in found.items()}
    return sorted(range(len(series.agents)), key=lambda agent: (-means.get(agent, -np.inf), agent))


def rate_curve(series: Series, outcomes: Outcomes, table: Table, most: int = 150) -> list[CurvePoint]:
    """The rates of a table after each of its matches, thinned to at most `most` points; the last is always there."""
    numbers = sorted(match for which, match in outcomes if which == table)
    ends = sorted({round(end) for end in np.linspace(1, len(numbers), min(most, len(numbers)))}) if numbers else []
    hands = series.hands * hands_per_deal(series.game.players)
    played: list[list[Moments]] = [[] for _ in table]
    points, taken = [], 0
    for end in ends:
        for number in numbers[taken:end]:
            for seat, moments in enumerate(outcomes[table, number]):
                played[seat].append(moments)
        taken = end
        if series.game.players <= ALL_SEATINGS_UP_TO:  # a sample is a deal, so matches can be added up
            played = [[sum(each[1:], each[0])] for each in played]
        points.append(CurvePoint(end * hands, tuple(rate_of(series.game, each) for each in played)))
    return points
