"""Tables A.3 to A.21 of frequencies: how often one bankroll exceeds another when matches are resampled.

The matches are not published. Rates are drawn from the printed intervals instead, as independent normals: a substitute,
and no reproduction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from math import nan

import numpy as np
import numpy.typing as npt

from kibitz.arena.bankroll import mean_over_tables
from kibitz.experiments.bard2016.crosstables import published_table
from kibitz.experiments.bard2016.printed import LEADS
from kibitz.policy.base import Floats
from kibitz.statistics import Z_95

DRAWS = 10_000
SIGNIFICANT = 0.95  # frequency from which on the thesis calls a lead significant
STEP = 10.0  # mbb/hand, between the caps that are tried
NOTES = (
    "The matches are not published: rates are drawn from the printed intervals as independent normals "
    f"({DRAWS:,} draws), which is no reproduction.",
    "Printed figures other than 1 and 0 are those that are legible; the thesis leaves cells empty where they are 0.",
)
ALL_ONE = "As far as it is legible, every lead is certain: 1 above the diagonal, empty below it."


def frequency_rows(name: str, order: list[str]) -> dict[str, tuple[float, ...]]:
    """The printed frequencies, agents by falling bankroll; nan for what is 1, empty or not legible."""
    leads = LEADS.get(name)

    def printed(one: str, other: str) -> float:
        if one == other:
            return nan
        if leads is None:  # three players
            return float(order.index(one) < order.index(other))
        if f"{other} over {one}" in leads:
            return round(1 - leads[f"{other} over {one}"], 3)
        return leads.get(f"{one} over {other}", nan)

    return {one: tuple(printed(one, other) for other in order) for one in order}


def frequencies(source: str, cap: float, agents: Iterable[str]) -> Iterator[tuple[tuple[str, str], float]]:
    """How often one agent is ahead of another, of all pairs; nan where not all their winnings are known."""
    table, drawn = published_table(source), draw_bankrolls(source, cap)
    for one, other in permutations(agents, 2):
        ahead = drawn[:, table.index(one)] - drawn[:, table.index(other)]
        yield (one, other), nan if np.isnan(ahead).any() else float((ahead > 0).mean())


def significant_from(source: str, one: str, other: str, cap: float) -> float:
    """The first cap, from `cap` on, at which one bankroll exceeds the other in 95 % of the draws; nan for none."""
    table = published_table(source)
    highest = float(np.nanmax(np.abs(table.rates)))
    for tried in np.arange(np.ceil(cap / STEP) * STEP, highest + STEP, STEP):
        drawn = draw_bankrolls(source, float(tried))
        if (drawn[:, table.index(one)] > drawn[:, table.index(other)]).mean() >= SIGNIFICANT:
            return float(tried)
    return nan


def draw_bankrolls(source: str, cap: float) -> Floats:
    """Bankrolls of drawn rates, clipped to the cap: float64[draws, agents]; nan where a rate is not known."""
    rates = np.clip(_drawn(source), -cap, cap)
    seats = rates.ndim - 1
    found = mean_over_tables(rates, seats)
    apart = _apart(rates.shape[1], seats)
    lost = (np.isnan(rates[0]) & apart).reshape(rates.shape[1], -1).any(axis=1)
    found[:, lost] = np.nan
    return found


@cache
def _drawn(source: str) -> Floats:
    """Rates drawn from their intervals, float64[draws, agents, ...]; what one wins heads-up the other loses."""
    table = published_table(source)
    rng = np.random.default_rng(0)
    drawn = np.full((DRAWS, *table.rates.shape), np.nan)
    agents = range(len(table.names))
    if table.seats == 2:
        for one in agents:
            for other in range(one + 1, len(table.names)):
                rates = rng.normal(table.rates[one, other], table.half_widths[one, other] / Z_95, DRAWS)
                drawn[:, one, other], drawn[:, other, one] = rates, -rates
        return drawn
    for one in agents:
        for other in agents:
            for third in range(other + 1, len(table.names)):
                rate, half = table.rates[one, other, third], table.half_widths[one, other, third]
                rates = rng.normal(rate, half / Z_95, DRAWS) if rate == rate else np.full(DRAWS, np.nan)
                drawn[:, one, other, third] = drawn[:, one, third, other] = rates
    return drawn


def _apart(agents: int, seats: int) -> npt.NDArray[np.bool_]:
    """Whether all seats of a table are taken by different agents: bool[agents, ...]."""
    numbers = np.indices((agents,) * seats)
    pairs = [numbers[one] != numbers[other] for one in range(seats) for other in range(one)]
    return np.asarray(np.all(pairs, axis=0))
