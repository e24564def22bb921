"""Matches of a population: what everybody did, and the hands themselves."""

from __future__ import annotations

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

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
DEALS = 120  # of a match (Sweeney 2012, section 6.5)
PLAYERS = 6
RULES = TableRules()
AT_ONCE = 20  # matches between looks at progress
STAGE = "matches of bots"
CARDS = 2 * SEATS + 5


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
    kept = Kept(
        *(np.empty((len(seating), play.deals, 0), kind) for kind in (np.int8, np.uint8)), np.empty((0, 0), np.int64)
    )
    return Matches(seating, _play(population, seating, play, kept, threads, progress))


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
        part = Kept(*(each[first:stop] for each in kept))
        _kernels.play_matches(play.seed, first, bots, make_work(), play.rules.table, sums[first:stop], part)

    run_slices(work, len(seating), AT_ONCE, threads, STAGE, progress)
    return sums
