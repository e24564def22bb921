"""The style of bots in the statistics of table 6-1, from what chairs did in matches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.population.bots import Population
from kibitz.learning.population.matches import Matches
from kibitz.statistics import Z_95

Floats = npt.NDArray[np.float64]
STATISTICS = ("mean", "s.d.", "VP$IP", "Fold%", "Ww/oSD", "W$SD", "AF")


def rates(sums: Floats) -> Floats:
    """The seven statistics of sums : float64[..., 16], in the order of STATISTICS; shares in per cent, chips a deal."""
    from kibitz.learning._kernels import styles as columns

    def of(column: int) -> Floats:
        return sums[..., column]

    hands, voluntary = of(columns.HANDS), of(columns.VOLUNTARY)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = of(columns.NET) / hands
        variance = np.maximum(of(columns.NET_SQUARED) / hands - mean**2, 0.0) * hands / (hands - 1)
        parts = (voluntary, hands), (of(columns.FOLDS), voluntary), (of(columns.WINS), voluntary)
        shares = [100 * part / whole for part, whole in (*parts, (of(columns.SHARES), of(columns.SHOWDOWNS)))]
        return np.stack([mean, np.sqrt(variance), *shares, of(columns.RAISES) / of(columns.CALLS)], axis=-1)


class Style(NamedTuple):
    """Statistics of some bots together, and half widths of their 95 % intervals by match."""

    hands: int
    matches: int
    values: Floats
    halves: Floats


class Between(NamedTuple):
    """Mean and standard deviation over bots of each statistic, as table 6-1 has them."""

    means: Floats
    deviations: Floats


def by_bot(population: Population, matches: Matches) -> Floats:
    """What each bot did in all its chairs: float64[bots, 16]."""
    sums = np.zeros((len(population), matches.sums.shape[-1]))
    np.add.at(sums, matches.seating.ravel(), matches.sums.reshape(-1, sums.shape[1]))
    return sums


def style_of(matches: Matches, bots: Sequence[int] | npt.NDArray[np.int64]) -> Style:
    """The style of these bots taken together; matches are the units of replication (delete-one jackknife)."""
    sums = np.where(np.isin(matches.seating, bots)[:, :, None], matches.sums, 0.0).sum(axis=1)
    sums = sums[sums[:, 0] > 0]  # those in which they had hands
    total, count = sums.sum(axis=0), len(sums)
    halves = np.full(len(STATISTICS), np.nan)
    if count > 1:
        without = rates(total - sums)
        with np.errstate(invalid="ignore"):  # a ratio without a match may be infinite
            halves = Z_95 * np.sqrt((count - 1) / count * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    return Style(int(total[0]), count, rates(total), halves)


def between_bots(population: Population, matches: Matches) -> Between:
    """Every bot that played counts once; nan where too few have a statistic."""
    found = rates(by_bot(population, matches))
    counts = (~np.isnan(found)).sum(axis=0)
    between = Between(*np.full((2, len(STATISTICS)), np.nan))
    with np.errstate(invalid="ignore"):  # a ratio may be infinite
        between.means[counts > 0] = np.nanmean(found[:, counts > 0].copy(), axis=0)
        between.deviations[counts > 1] = np.nanstd(found[:, counts > 1].copy(), axis=0, ddof=1)
    return between
