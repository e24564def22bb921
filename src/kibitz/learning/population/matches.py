"""Matches of a population: what everybody did, and the hands themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.histories import HIDDEN, SHOWN, UNKNOWN, Hands
from kibitz.learning.population.bots import Population, draw_seating
from kibitz.learning.population.records import MEMORY, SCRATCH
from kibitz.learning.population.starting_hands import load_scores
from kibitz.learning.records import SEATS, make_record, make_work
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
    sums : float64[n, players, 16]       what each chair did: columns of `kibitz.learning.responses._kernels`
    """

    seating: Integers
    sums: Floats


class _Kept(NamedTuple):
    actions: npt.NDArray[np.int8]
    cards: npt.NDArray[np.uint8]
    active: Integers


def play_matches(
    population: Population, count: int, play: Play = Play(), threads: int = 1, progress: Progress = silent
) -> Matches:
    """Play matches 0 .. count - 1; the same whatever the number of threads."""
    seating = draw_seating(population, play.seed, range(count), play.players, play.kind_by)
    return Matches(seating, _run(population, seating, play, threads, progress)[0])


def play_seating(
    population: Population, seating: Integers, play: Play = Play(), threads: int = 1, progress: Progress = silent
) -> Matches:
    """Play one match with each row of `seating` : int64[n, players], numbers of bots by chair."""
    return Matches(seating, _run(population, seating, play, threads, progress)[0])


def _run(
    population: Population, seating: Integers, play: Play, threads: int, progress: Progress, keep: int = 0
) -> tuple[Floats, _Kept]:
    from kibitz.learning.population import _kernels
    from kibitz.learning.responses._kernels import COLUMNS

    count, players = seating.shape
    sums = np.zeros((count, players, COLUMNS))
    hands = count * play.deals if keep else 0
    kept = _Kept(
        np.full((hands, keep), -1, dtype=np.int8), np.zeros((hands, 2 * SEATS + 5), np.uint8), np.zeros(hands, np.int64)
    )
    table, scores = play.rules.table, load_scores()

    def work(first: int, stop: int) -> None:
        rows = slice(first * play.deals, stop * play.deals) if keep else slice(0, 0)
        _kernels.play_matches(
            play.seed, first, play.deals, seating[first:stop], population.bots, table, scores,
            make_record(MEMORY), make_record(SCRATCH), make_work(), sums[first:stop], kept.actions[rows],
            kept.cards[rows], kept.active[rows],
        )  # fmt: skip

    run_slices(work, count, AT_ONCE, threads, STAGE, progress)
    return sums, kept


def play_hands(
    population: Population, matches: int, play: Play = Play(), threads: int = 1, progress: Progress = silent
) -> Hands:
    """The hands of these matches in arrays, with all cards: `hide_folded` hides those that nobody saw.

    Match numbers, and names of bots by position, are in the arrays; deal d of a match seats chair c at position
    (c - d) mod players.
    """
    seating = draw_seating(population, play.seed, range(matches), play.players, play.kind_by)
    keep = min(play.rules.decision_cap, np.iinfo(np.int8).max * 8) + 1
    _, kept = _run(population, seating, play, threads, progress, keep)
    return _as_hands(population, seating, kept, play)


def _as_hands(population: Population, seating: Integers, kept: _Kept, play: Play) -> Hands:
    count, players = len(kept.active), play.players
    lengths = (kept.actions >= 0).sum(axis=1)
    begins = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(lengths, out=begins[1:])
    cards = np.full((count, 2 * SEATS + 5), UNKNOWN, dtype=np.uint8)
    cards[:, : 2 * players] = kept.cards[:, : 2 * players]
    cards[:, 2 * SEATS :] = kept.cards[:, 2 * SEATS :]
    seen = np.full((count, SEATS), HIDDEN, dtype=np.uint8)
    seen[:, :players] = SHOWN
    names = np.full((count, SEATS), -1, dtype=np.int64)
    matches = np.repeat(np.arange(len(seating)), play.deals)
    deals = np.tile(np.arange(play.deals), len(seating))
    for position in range(players):
        names[:, position] = seating[matches, (position + deals) % players]
    sources = tuple(f"match {match}:{deal}" for match, deal in zip(matches.tolist(), deals.tolist(), strict=True))
    return Hands(
        np.full(count, players, dtype=np.int64), cards, seen, begins, kept.actions[kept.actions >= 0].astype(np.int64),
        kept.active, matches, names, np.zeros(count, dtype=np.int64), (play.rules,), population.names, sources,
    )  # fmt: skip
