"""The style of bots in the statistics of table 6-1, from what chairs did in matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.learning.population.bots import Population
from kibitz.learning.population.matches import Matches
from kibitz.statistics import Z_95

Floats = npt.NDArray[np.float64]
STATISTICS = ("mean", "s.d.", "VP$IP", "Fold%", "Ww/oSD", "W$SD", "AF")
# Columns of sums, as `kibitz.learning._kernels.styles` numbers them.
_HANDS, _VOLUNTARY, _FOLDS, _WINS, _SHOWDOWNS, _SHARES, _RAISES, _CALLS, _NET, _SQUARES = (
    0,
    1,
    2,
    3,
    5,
    7,
    9,
    10,
    14,
    15,
)


def rates(sums: Floats) -> Floats:
    """The seven statistics of sums : float64[..., 16], in the order of STATISTICS; shares in per cent, chips a deal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        hands, voluntary = sums[..., _HANDS], sums[..., _VOLUNTARY]
        mean = sums[..., _NET] / hands
        return np.stack(
            [
                mean,
                np.sqrt(np.maximum(sums[..., _SQUARES] / hands - mean**2, 0.0) * hands / (hands - 1)),
                100 * voluntary / hands,
                100 * sums[..., _FOLDS] / voluntary,
                100 * sums[..., _WINS] / voluntary,
                100 * sums[..., _SHARES] / sums[..., _SHOWDOWNS],
                sums[..., _RAISES] / sums[..., _CALLS],
            ],
            axis=-1,
        )


class Style(NamedTuple):
    """Statistics of some bots together, and half widths of their 95 % intervals by match."""

    hands: int
    matches: int
    values: Floats
    halves: Floats


def by_bot(population: Population, matches: Matches) -> Floats:
    """What each bot did in all its chairs: float64[bots, 16]."""
    sums = np.zeros((len(population), matches.sums.shape[-1]))
    np.add.at(sums, matches.seating.ravel(), matches.sums.reshape(-1, sums.shape[1]))
    return sums


def style_of(matches: Matches, bots: Sequence[int] | npt.NDArray[np.int64]) -> Style:
    """The style of these bots taken together; matches are the units of replication (delete-one jackknife)."""
    sums = np.where(np.isin(matches.seating, bots)[:, :, None], matches.sums, 0.0).sum(axis=1)
    sums = sums[sums[:, _HANDS] > 0]
    total, count = sums.sum(axis=0), len(sums)
    values = rates(total)
    if count < 2:
        return Style(int(total[_HANDS]), count, values, np.full(len(STATISTICS), np.nan))
    without = rates(total - sums)
    with np.errstate(invalid="ignore"):  # a ratio without a match may be infinite
        error = np.sqrt((count - 1) / count * ((without - without.mean(axis=0)) ** 2).sum(axis=0))
    return Style(int(total[_HANDS]), count, values, Z_95 * error)


class Between(NamedTuple):
    """Mean and standard deviation over bots of each statistic, as table 6-1 has them."""

    means: Floats
    deviations: Floats


def between_bots(population: Population, matches: Matches) -> Between:
    """Every bot that played counts once; nan where too few have a statistic."""
    found = rates(by_bot(population, matches))
    counts = (~np.isnan(found)).sum(axis=0)
    with np.errstate(invalid="ignore"):  # a ratio may be infinite
        means = _by_column(np.nanmean, found, counts > 0)
        deviations = _by_column(partial(np.nanstd, ddof=1), found, counts > 1)
    return Between(means, deviations)


def _by_column(of: Callable[..., Any], values: Floats, known: npt.NDArray[np.bool_]) -> Floats:
    """What `of` says of the columns that are known, and nan of the others."""
    found = np.full(values.shape[1], np.nan)
    found[known] = of(np.ascontiguousarray(values[:, known]), axis=0)
    return found
