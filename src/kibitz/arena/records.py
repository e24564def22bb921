"""Cross tables from logs of matches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from kibitz.arena.crosstable import CrossTable
from kibitz.errors import FormatError, KibitzError
from kibitz.games import Game
from kibitz.games.stakes import Stake
from kibitz.io.acpc.log import LogHeader
from kibitz.io.files import Source, open_sources, read_events
from kibitz.io.record import HandRecord, Refusal
from kibitz.progress import Count
from kibitz.statistics import Moments


@dataclass
class LoggedMatch:
    """One log: the chips of every player by name, of how many hands, and the seed that the dealer told."""

    chips: dict[str, float] = field(default_factory=dict)
    hands: int = 0
    seed: int | None = None
    game: Game | None = None


Players = tuple[str, ...]
Logged = dict[Players, dict[int | str, list[LoggedMatch]]]  # by the seed, or the file where there is none


def table_of_logs(
    paths: Iterable[Path], game: Game | None = None, count: Count | None = None
) -> tuple[CrossTable, Game]:
    """The table of matches that logs tell, one match a file, and the game.

    Logs of the same players with the same seed are one match played in several seatings: their mean is one result. The
    interval of a rate is that of independent matches. `count` is told how many hands have been read.
    """
    found: Logged = {}
    rules, hands = game, 0
    for path in paths:
        for source in open_sources(path):
            if not source.format:
                continue
            match = read_match(source, game)
            if match.game is None:
                continue
            if rules is not None and _stakes(rules) != _stakes(match.game):
                raise KibitzError(f"{source.name}: another game than in the logs before; give the logs of one game")
            rules = rules or match.game
            key = source.name if match.seed is None else match.seed
            found.setdefault(tuple(sorted(match.chips)), {}).setdefault(key, []).append(match)
            hands += match.hands
            if count is not None:
                count(hands)
    if rules is None or not found:
        raise KibitzError("no hands in these logs: give logs of matches between agents with names")
    return _table(found, rules), rules


def _stakes(game: Game) -> tuple[object, ...]:
    """What must be the same for win rates to be compared."""
    return game.betting, game.blinds, game.raise_sizes, game.stacks


def read_match(source: Source, game: Game | None = None) -> LoggedMatch:
    """What everybody wins in one log."""
    match = LoggedMatch()
    for event in read_events(source, game):
        if isinstance(event, LogHeader):
            match.seed = event.seed
        elif isinstance(event, Refusal):
            raise FormatError(f"{event.source}: {event.reason}")
        elif type(event) is HandRecord:
            if event.returns is None:
                raise FormatError(f"{event.source}: the hand does not tell what was won")
            if match.chips and set(event.players) != match.chips.keys():
                raise FormatError(f"{event.source}: other players than before: a log is one match")
            match.game = event.game
            match.hands += 1
            for name, won in zip(event.players, event.returns, strict=True):
                match.chips[name] = match.chips.get(name, 0.0) + won
    return match


def _table(found: Logged, game: Game) -> CrossTable:
    if game.players not in (2, 3):
        raise KibitzError(f"logs of {game.players} players: rankings are for tables of two or three")
    names = tuple(sorted({name for players in found for name in players}))
    stake = Stake.of(game)
    table = CrossTable.empty(names, game.players, stake.unit)
    for players, matches in found.items():
        if len(players) != game.players:
            raise KibitzError(f"{', '.join(players)}: a table has {game.players} players with different names")
        agents = tuple(names.index(player) for player in players)
        groups = [matches[key] for key in sorted(matches, key=str)]
        rows = np.array([[_rate(group, player, stake) for player in players] for group in groups])
        table.matches[agents] = rows
        for seat, agent in enumerate(agents):
            estimate = Moments.of(rows[:, seat]).estimate(few=True)
            table.seat((agent, *agents[:seat], *agents[seat + 1 :]), estimate.mean, estimate.half_width)
    seeds = {tuple(sorted(map(str, matches))) for matches in found.values()}
    seeded = all(isinstance(key, int) for matches in found.values() for key in matches)
    return replace(table, shared_deals=seeded and len(seeds) == 1)


def _rate(group: list[LoggedMatch], player: str, stake: Stake) -> float:
    """What a player wins per hand in one match, all its seatings together."""
    won = sum(match.chips[player] for match in group)
    return stake.milli_per_chip * won / sum(match.hands for match in group)
