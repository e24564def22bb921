"""A series: every table of agents meets in a number of duplicate matches. One table is a match, more a tournament."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import file_digest, sha256
from itertools import combinations

from kibitz import __version__
from kibitz.agents import agent_files
from kibitz.arena.duplicate import DuplicateMatch, check_agents, play_duplicate
from kibitz.arena.executors import Executor, InProcess, WorkerLostError
from kibitz.arena.match import AgentSpec
from kibitz.arena.statistics import Moments
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, format_gamedef

Table = tuple[int, ...]  # agents by their number in the series, ascending
Key = tuple[Table, int]  # a table and the number of one of its matches
Outcomes = dict[Key, tuple[Moments, ...]]  # per agent of the table: moments of chips per duplicate deal


@dataclass(frozen=True)
class Series:
    """Who plays what, how often and from which seed; nothing about how it is computed.

    hands    deals per match, each played in every seating
    matches  matches per table; match m is dealt from seed + m at every table, so all tables see the same cards
    """

    game: Game
    agents: tuple[AgentSpec, ...]
    hands: int = 1000
    matches: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.agents) < self.game.players:
            raise KibitzError(f"{len(self.agents)} agents: {self.game.name} seats {self.game.players}")
        if self.hands < 1 or self.matches < 1:
            raise KibitzError(f"{self.matches} matches of {self.hands} hands: at least one of each")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents' names, numbered where they repeat."""
        return check_agents(self.agents)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Every set of agents that fills the seats of the game."""
        return tuple(combinations(range(len(self.agents)), self.game.players))

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Everything to be played, first matches of all tables first."""
        return tuple((table, match) for match in range(self.matches) for table in self.tables)

    def describe(self) -> dict[str, object]:
        """What identifies the series in a file; two series with the same description give the same results."""
        return {
            "kibitz": __version__,
            "game": format_gamedef(self.game),
            "agents": list(self.names),
            "specs": [describe_agent(spec) for spec in self.agents],
            "hands": self.hands,
            "matches": self.matches,
            "seed": self.seed,
        }


def describe_agent(spec: AgentSpec) -> str:
    """What tells two agents of the same name apart: the text, and for one from files a hash of these."""
    if not isinstance(spec, str):
        return getattr(spec, "__qualname__", type(spec).__name__)
    files = [file for file in agent_files(spec) if file.is_file()]
    if not files:
        return spec
    digest = sha256()
    for file in files:
        with file.open("rb") as stream:
            digest.update(file_digest(stream, "sha256").digest())
    return f"{spec} {digest.hexdigest()[:16]}"


def play_series(
    series: Series, executor: Executor | None = None, finished: Mapping[Key, object] | None = None
) -> Iterator[tuple[Key, tuple[Moments, ...]]]:
    """Play what is not yet in `finished`, yielding each match as it is done, in the order of `series.keys`."""
    keys = [key for key in series.keys if key not in (finished or {})]
    tasks = (
        DuplicateMatch(series.game, tuple(series.agents[agent] for agent in table), series.hands, series.seed, match)
        for table, match in keys
    )
    done = 0
    try:
        for key, moments in zip(keys, (executor or InProcess()).map(play_duplicate, tasks), strict=True):
            yield key, moments
            done += 1
    except WorkerLostError as error:
        table, match = keys[done]
        names = ", ".join(series.names[agent] for agent in table)
        raise AgentError(f"{error}; the first match without a result is number {match} of {names}") from error
