"""How stable a ranking is: resample the matches that were played and rank again, many times.

From 2013 on the ACPC called a win of A over B significant when A's bankroll beat B's in at least 95 % of
1,000 resampled competitions (Bard 2016, 6.2.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.arena.bankroll import FloatArray, clip_to_cap, mean_over_tables, runoff_rounds
from kibitz.errors import KibitzError
from kibitz.statistics import Z_95, resample_counts, student_95

SIGNIFICANCE = 0.95

Matches = Mapping[tuple[int, ...], npt.ArrayLike]


@dataclass(frozen=True, slots=True, eq=False)
class BootstrapRanking:
    """What became of the ranking when the matches were resampled.

    frequency        : float64[n, n]           share of resamples in which a's bankroll was greater than b's
    bankrolls        : float64[resamples, n]   every resampled bankroll, in the unit of the matches
    matches          : of the table with the fewest
    runoff_wins      : float64[n] or None      share of resamples in which a won the (uncapped) instant run-off
    runoff_frequency : float64[n, n] or None   share of resamples in which a came before b in the run-off
    """

    frequency: FloatArray
    bankrolls: FloatArray
    matches: int
    runoff_wins: FloatArray | None = None
    runoff_frequency: FloatArray | None = None

    @property
    def significant(self) -> npt.NDArray[np.bool_]:
        """Whether a's lead over b is significant, bool[n, n]."""
        return self.frequency >= SIGNIFICANCE

    def interval(self, agent: int) -> tuple[float, float]:
        """A 95 % interval of an agent's bankroll: the middle 95 % of the resampled ones, made wider about their mean.

        Resamples of n matches spread like a sample whose variance is divided by n instead of n - 1, and few matches
        call for Student's t: for 10 matches the middle 95 % alone would cover 90 %.
        """
        if self.matches < 2:
            return -np.inf, np.inf
        centre = self.bankrolls[:, agent].mean()
        wider = np.sqrt(self.matches / (self.matches - 1)) * student_95(self.matches - 1) / Z_95
        low, high = centre + wider * (np.quantile(self.bankrolls[:, agent], (0.025, 0.975)) - centre)
        return float(low), float(high)


def bootstrap_rankings(
    matches: Matches,
    *,
    seed: int,
    resamples: int = 1000,
    cap: float | None = None,
    runoff: bool = False,
    shared_deals: bool = False,
) -> BootstrapRanking:
    """Resample every table's matches with replacement, recompute bankrolls, count who was ahead of whom.

    matches       table -> results in mbb/hand. A table is a tuple of agent numbers 0..n-1, each set of agents
                  once. Heads-up, results are float[m], what the first wins from the second; for three players
                  float[m, 3], one column per agent of the tuple.
    cap           applied to the resampled mean rates, as in `total_bankroll`
    shared_deals  match i used the same cards at every table, so whole deals are resampled together and luck
                  that all tables share is not counted as independent; every table then needs the same m

    Each table draws from its own stream (seed, agents), so the order of the mapping does not matter.
    """
    tables = {table: _results(table, results) for table, results in matches.items()}
    seats, agents = _check(tables, shared_deals)
    rates = np.full((resamples, *(agents,) * seats), np.nan)
    for table, results in tables.items():
        weights = _match_weights(len(results), resamples, seed, () if shared_deals else tuple(sorted(table)))
        _seat(rates, table, weights @ results)
    bankrolls = mean_over_tables(clip_to_cap(rates, cap), seats)
    frequency = (bankrolls[:, :, np.newaxis] > bankrolls[:, np.newaxis, :]).mean(axis=0)
    fewest = min(map(len, tables.values()))
    if not runoff:
        return BootstrapRanking(frequency, bankrolls, fewest)
    places = _runoff_places(rates, seats)
    before = (places[:, :, np.newaxis] < places[:, np.newaxis, :]).mean(axis=0)
    return BootstrapRanking(frequency, bankrolls, fewest, (places == 0).mean(axis=0), before)


def _match_weights(matches: int, resamples: int, seed: int, stream: tuple[int, ...]) -> FloatArray:
    """How often each match was drawn, over the number of draws, float64[resamples, matches]."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=stream))
    return resample_counts(rng, matches, resamples) / matches


def _seat(rates: FloatArray, table: tuple[int, ...], means: FloatArray) -> None:
    """Write a table's resampled means, float64[resamples, seats], where its agents look for them."""
    for seat, agent in enumerate(table):
        others = table[:seat] + table[seat + 1 :]
        # One order of the opponents is enough: a mean over what was played does not see the other.
        np.moveaxis(rates, 0, -1)[(agent, *others)] = means[:, seat]


def _runoff_places(rates: FloatArray, seats: int) -> npt.NDArray[np.int64]:
    """The place of every agent in the run-off of every resample, from 0, int64[resamples, n]."""
    dropped, scores = runoff_rounds(rates, seats)
    # Those left at the end are ranked by their last bankroll, before all who were dropped, the last of them first.
    keys = np.where(np.isnan(scores[:, -1]), -np.inf, scores[:, -1])
    np.put_along_axis(keys, dropped[:, -1:], -np.inf, axis=1)
    left = rates.shape[1] - dropped.shape[1]
    order = np.hstack((np.argsort(-keys, axis=1, kind="stable")[:, :left], dropped[:, ::-1]))
    return np.argsort(order, axis=1)


def _results(table: tuple[int, ...], results: npt.ArrayLike) -> FloatArray:
    """Results of one table as float64[matches, seats]."""
    values = np.asarray(results, dtype=np.float64)
    if len(table) == 2 and values.ndim == 1:
        values = np.column_stack((values, -values))
    if len(set(table)) != len(table) or min(table) < 0:
        raise KibitzError(f"table {table}: a table seats different agents, numbered from 0")
    if values.ndim != 2 or values.shape[1] != len(table) or not len(values):
        raise KibitzError(f"table {table} with results of shape {values.shape}: need [m >= 1, {len(table)}]")
    if not np.isfinite(values).all():
        raise KibitzError(f"table {table}: a result is not finite")
    return values


def _check(tables: Mapping[tuple[int, ...], FloatArray], shared_deals: bool) -> tuple[int, int]:
    """Seats per table and number of agents, or an error that says what is wrong with the field."""
    sizes = {len(table) for table in tables}
    if sizes not in ({2}, {3}):
        raise KibitzError(f"tables of {sorted(sizes)} agents: need two at every table or three at every table")
    groups = {frozenset(table) for table in tables}
    if len(groups) < len(tables):
        raise KibitzError("the same agents meet under two keys: give each set of agents once")
    agents = max(max(table) for table in tables) + 1
    if absent := sorted(set(range(agents)).difference(*groups)):
        raise KibitzError(f"agents {absent} play at no table: agents are numbered 0..n-1 without gaps")
    counts = {len(results) for results in tables.values()}
    if shared_deals and len(counts) > 1:
        raise KibitzError(f"shared deals with {sorted(counts)} matches: every table needs the same number")
    return sizes.pop(), agents
