"""A series: every table of agents meets in a number of duplicate matches. One table is a match, more a tournament."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from pathlib import Path

from kibitz import __version__
from kibitz.agents import Agent, agent_files
from kibitz.amounts import counted
from kibitz.arena.chance import KEYED, Chance
from kibitz.arena.duplicate import ALL_SEATINGS_UP_TO, DuplicateMatch, check_agents, play_duplicate
from kibitz.arena.hosted import TOGETHER, Hosting
from kibitz.arena.match import AgentSpec
from kibitz.arena.weights import record_path, recorded_matches
from kibitz.arguments import whole
from kibitz.errors import AgentError, KibitzError
from kibitz.files import file_sha256, fingerprint
from kibitz.games import Game, format_gamedef
from kibitz.parallel import Executor, InProcess, WorkerLostError
from kibitz.random import seed_text
from kibitz.statistics import Moments

Table = tuple[int, ...]  # agents by their number in the series, ascending
Key = tuple[Table, int]  # a table and the number of one of its matches
Outcomes = dict[Key, tuple[Moments, ...]]  # per agent of the table: moments of chips per duplicate deal


@dataclass(frozen=True)
class Series:
    """Who plays what, how often and from which seed; nothing about how it is computed.

    hands    deals per match, each played in every seating
    matches  matches per table; all tables see the same cards
    hosting  which agents play in processes of their own, and how long they may think for a decision
    cards    what they come from, see `arena.chance`
    """

    game: Game
    agents: tuple[AgentSpec, ...]
    hands: int = 1000
    matches: int = 1
    seed: int = 0
    hosting: Hosting = TOGETHER
    cards: str = KEYED

    def __post_init__(self) -> None:
        if len(self.agents) < self.game.players:
            raise KibitzError(f"{counted(len(self.agents), 'agent')}: {self.game.name} seats {self.game.players}")
        for name, least in {"hands": 1, "matches": 1, "seed": 0}.items():
            object.__setattr__(self, name, whole(getattr(self, name), name, least))
        objects = [id(spec) for spec in self.agents if not isinstance(spec, str | type) and isinstance(spec, Agent)]
        if len(set(objects)) < len(objects):
            raise AgentError("one agent object in two seats would share its memory: give its class, or make another")
        self.hosting.check_seed(self.agents, Chance(self.seed, self.cards))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The agents' names, numbered where they repeat."""
        return check_agents(self.agents, self.hosting)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Every set of agents that fills the seats of the game."""
        return tuple(combinations(range(len(self.agents)), self.game.players))

    @cached_property
    def keys(self) -> tuple[Key, ...]:
        """Everything to be played, first matches of all tables first."""
        return tuple((table, match) for match in range(self.matches) for table in self.tables)

    def match(self, key: Key, folder: Path | None = None) -> DuplicateMatch:
        """What is played for a key; weights of adapting agents are recorded in `folder` (see `arena.weights`)."""
        table, number = key
        record = folder is not None and number in recorded_matches(self.matches)
        return DuplicateMatch(
            self.game,
            tuple(self.agents[agent] for agent in table),
            self.hands,
            self.seed,
            number,
            self.hosting,
            record_path(folder.resolve(), table, number) if folder is not None and record else None,
            self.cards,
        )

    def to_dict(self) -> dict[str, object]:
        """Who plays what, as plain values for JSON."""
        return {
            "kibitz": __version__,
            "game": format_gamedef(self.game),
            "agents": list(self.names),
            "specs": [*map(describe_agent, self.agents)],
            "hands": self.hands,
            "matches": self.matches,
            "cards": self.cards,
            "seed": self.seed if self.seed < 2**64 else seed_text(self.seed),
            **({"seatings": "drawn orders"} if self.game.players > ALL_SEATINGS_UP_TO else {}),
            **({"time_limit": self.hosting.time_limit} if self.hosting.time_limit is not None else {}),
        }


def commitment(series: Series) -> str:
    """A hash of all that decides the results of a series, to be told before it is played.

    Nobody learns anything from it while the seed is unknown; with the seed everybody can compute it.
    """
    return blake2b(json.dumps(series.to_dict(), sort_keys=True).encode(), digest_size=32).hexdigest()


def describe_agent(spec: AgentSpec) -> str:
    """What tells two agents of the same name apart: the text with a hash of what is behind it, or what makes them."""
    if not isinstance(spec, str):
        return getattr(spec, "__qualname__", type(spec).__name__)
    files = [file for file in agent_files(spec) if file.is_file()]
    return f"{spec} {fingerprint(b'', *(bytes.fromhex(file_sha256(file)) for file in files))}" if files else spec


def play_series(series: Series, executor: Executor | None = None) -> Iterator[tuple[Key, tuple[Moments, ...]]]:
    """Play all matches in memory, yielding each as it is done, in the order of `series.keys`."""
    done = 0
    try:
        tasks = map(series.match, series.keys)
        for key, moments in zip(series.keys, (executor or InProcess()).map(play_duplicate, tasks), strict=True):
            yield key, moments
            done += 1
    except WorkerLostError as error:
        table, match = series.keys[done]
        names = ", ".join(series.names[agent] for agent in table)
        raise AgentError(f"{error}; the first match without a result is number {match} of {names}") from error
