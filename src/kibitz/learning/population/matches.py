"""Matches of a population: the hands, and the style of bots in the statistics of table 6-1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.histories import HIDDEN, SHOWN, UNKNOWN, Hands
from kibitz.learning.population.bots import Population, draw_seating
from kibitz.learning.population.records import make_bots
from kibitz.learning.records import SEATS, make_work
from kibitz.learning.tables import TableRules
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent
from kibitz.statistics import Z_95

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
DEALS = 120  # of a match (Sweeney 2012, section 6.5)
PLAYERS = 6
RULES = TableRules()
AT_ONCE = 20  # matches between looks at progress
STAGE = "matches of bots"
CARDS = 2 * SEATS + 5
STATISTICS = ("mean", "s.d.", "VP$IP", "Fold%", "Ww/oSD", "W$SD", "AF")


@dataclass(frozen=True)
class Play:
    """How matches are played.

    deals     of a match; players at the table
    kind_by   whether the kind of bots is drawn once a match or for every seat
    """

    seed: int = 0
    deals: int = DEALS
    players: int = PLAYERS
    kind_by: str = "match"
    rules: TableRules = RULES

    def __post_init__(self) -> None:
        if not 2 <= self.players <= SEATS:
            raise KibitzError(f"{self.players} players: 2 to {SEATS}", settings=("players",))
        if self.deals < 1 or self.seed < 0:
            raise KibitzError(f"{self.deals} deals a match, seed {self.seed}: positive numbers are needed")


class Matches(NamedTuple):
    """Matches that were played, n in all.

    seating : int64[n, players]          number of the bot in each chair
    sums : float64[n, players, 16]       what each chair did: columns of `kibitz.learning._kernels.styles`
    """

    seating: Integers
    sums: Floats


class Kept(NamedTuple):
    """Deals of n matches as they were played; only actions, of which there are none, where nothing is kept.

    actions : int8[n, deals, d]     then -1
    cards : uint8[n, deals, 25]     all of them
    active : int64[n, deals]        masks of those who did not fold
    """

    actions: npt.NDArray[np.int8]
    cards: npt.NDArray[np.uint8]
    active: Integers


def play_matches(
    population: Population, matches: int, play: Play = Play(), threads: int = 1, progress: Progress = silent
) -> Matches:
    """Play so many matches, from number 0 on; the result does not depend on the number of threads."""
    seating = draw_seating(population, play.seed, range(matches), play.players, play.kind_by)
    return play_seating(population, seating, play, threads, progress)


def play_seating(
    population: Population, seating: Integers, play: Play = Play(), threads: int = 1, progress: Progress = silent
) -> Matches:
    """Play one match with each row of `seating` : int64[n, players], numbers of bots by chair."""
    shape = (len(seating), play.deals, 0)
    nothing = Kept(np.empty(shape, np.int8), np.empty(shape, np.uint8), np.empty((0, 0), np.int64))
    return Matches(seating, _play(population, seating, play, nothing, threads, progress))


def play_hands(
    population: Population, matches: int, play: Play = Play(), threads: int = 1, progress: Progress = silent
) -> Hands:
    """The hands of these matches in arrays, with all cards: `hide_folded` hides those that nobody saw.

    Match numbers, and names of bots by position, are in the arrays; deal d of a match seats chair c at position
    (c - d) mod players.
    """
    players, shape = play.players, (matches, play.deals)
    seating = draw_seating(population, play.seed, range(matches), players, play.kind_by)
    actions = np.full((*shape, play.rules.decision_cap), -1, dtype=np.int8)
    kept = Kept(actions, np.zeros((*shape, CARDS), dtype=np.uint8), np.zeros(shape, dtype=np.int64))
    _play(population, seating, play, kept, threads, progress)
    count = matches * play.deals
    kept.cards[:, :, 2 * players : 2 * SEATS] = UNKNOWN
    chairs = (np.arange(play.deals)[:, None] + np.arange(players)) % players
    names = np.full((count, SEATS), -1, dtype=np.int64)
    names[:, :players] = seating[:, chairs].reshape(count, players)
    return Hands(
        players=np.full(count, players, dtype=np.int64),
        cards=kept.cards.reshape(count, CARDS),
        seen=np.where(names < 0, HIDDEN, SHOWN).astype(np.uint8),
        begins=np.append(0, np.cumsum((actions >= 0).sum(axis=2))),
        actions=actions[actions >= 0].astype(np.int64),
        active=kept.active.ravel(),
        matches=np.repeat(np.arange(matches), play.deals),
        names=names,
        rule_numbers=np.zeros(count, dtype=np.int64),
        rules=(play.rules,),
        name_list=population.names,
        sources=tuple(f"match {match}:{deal}" for match in range(matches) for deal in range(play.deals)),
    )


def _play(
    population: Population, seating: Integers, play: Play, kept: Kept, threads: int, progress: Progress
) -> Floats:
    """Play with each row of `seating` and fill `kept`; the sums."""
    from kibitz.learning._kernels.styles import COLUMNS
    from kibitz.learning.population import _kernels

    sums = np.zeros((*seating.shape, COLUMNS))

    def work(first: int, stop: int) -> None:
        bots = make_bots(population.bots, seating[first:stop])
        part = Kept._make(each[first:stop] for each in kept)
        _kernels.play_matches(play.seed, first, bots, make_work(), play.rules.table, sums[first:stop], part)

    run_slices(work, len(seating), AT_ONCE, threads, STAGE, progress)
    return sums


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
