"""A series: every table of agents meets in a number of duplicate matches. One table is a match, more a tournament."""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from pickletools import genops

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
    _fingerprints: list[str | None] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.agents) < self.game.players:
            raise KibitzError(f"{counted(len(self.agents), 'agent')}: {self.game.name} seats {self.game.players}")
        for name, least in {"hands": 1, "matches": 1, "seed": 0}.items():
            object.__setattr__(self, name, whole(getattr(self, name), name, least))
        objects = [id(spec) for spec in self.agents if not isinstance(spec, str | type) and isinstance(spec, Agent)]
        if len(set(objects)) < len(objects):
            raise AgentError("one agent object in two seats would share its memory: give its class, or make another")
        self.hosting.check_seed(self.agents, Chance(self.seed, self.cards))
        # Making an agent may change what makes it, so that is looked at before.
        found = [_fingerprint(spec) if callable(spec) else None for spec in self.agents]
        object.__setattr__(self, "_fingerprints", found)

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

    def describe(self) -> dict[str, object]:
        """What identifies the series in a ledger; two series with the same description give the same results.

        AgentError for an agent that no description identifies.
        """
        for name, spec, found in zip(self.names, self.agents, self._fingerprints, strict=True):
            if not isinstance(spec, str) and found is None:
                raise AgentError(
                    f"{name} is made by {_label(spec)}, which a ledger cannot identify: it identifies functions and "
                    "classes that a file defines by name, with plain arguments, and texts such as file.py:Class"
                )
        return self.to_dict()

    def to_dict(self) -> dict[str, object]:
        """Who plays what, as plain values for JSON."""
        return {
            "kibitz": __version__,
            "game": format_gamedef(self.game),
            "agents": list(self.names),
            "specs": [*map(describe_agent, self.agents, self._fingerprints)],
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


def describe_agent(spec: AgentSpec, fingerprint: str | None = None) -> str:
    """What tells two agents of the same name apart: the text or what makes them, and a hash of what is behind it."""
    if not isinstance(spec, str):
        return f"{_label(spec)} {fingerprint or ''}".rstrip()
    files = [file for file in agent_files(spec) if file.is_file()]
    return f"{spec} {_digest(files)}" if files else spec


def _label(factory: Callable[[], Agent]) -> str:
    return getattr(factory, "__qualname__", type(factory).__name__)


def _fingerprint(factory: Callable[[], Agent]) -> str | None:
    """A hash of what `factory` refers to by name, of its arguments, and of the files that define it and its bases.

    None where there are no such names, as for lambdas and for functions within functions, no such file, or sets, whose
    order is another in every process.
    """
    try:
        written = pickle.dumps(factory, protocol=3)  # which refers to each class and function by its module and name
    except Exception:  # of many kinds, and of those that its parts raise themselves
        return None
    named = {str(place) for code, place, _ in genops(written) if code.name == "GLOBAL"}
    if named & {"builtins set", "builtins frozenset"}:
        return None
    modules = set().union(*(_modules(*place.split()) for place in named))
    authored = [sys.modules.get(name) for name in sorted(modules - sys.stdlib_module_names)]
    files = [Path(getattr(module, "__file__", None) or "") for module in authored]  # none for what is typed at a prompt
    return _digest(files, written) if all(file.is_file() for file in files) else None


def _modules(module: str, name: str) -> set[str]:
    """The module of a function, or those of a class and of its bases, save what the version of Kibitz tells."""
    found = getattr(sys.modules[module], name, None)
    bases = {base.__module__ for base in getattr(found, "__mro__", ())}
    return {module, *(base for base in bases if base.partition(".")[0] not in {"kibitz", *sys.stdlib_module_names})}


def _digest(files: list[Path], text: bytes = b"") -> str:
    """A hash of what is in `files`, and of `text`."""
    return fingerprint(text, *(bytes.fromhex(file_sha256(file)) for file in files))


def play_series(
    series: Series,
    executor: Executor | None = None,
    finished: Mapping[Key, object] | None = None,
    folder: Path | None = None,
) -> Iterator[tuple[Key, tuple[Moments, ...]]]:
    """Play what is not yet in `finished`, yielding each match as it is done, in the order of `series.keys`.

    folder   in which the weights of adapting agents are recorded (see `arena.weights`); None for none
    """
    recorded = recorded_matches(series.matches) if folder is not None else ()
    keys = [key for key in series.keys if key not in (finished or {})]
    tasks = (
        DuplicateMatch(
            series.game,
            tuple(series.agents[agent] for agent in table),
            series.hands,
            series.seed,
            match,
            series.hosting,
            record_path(folder.resolve(), table, match) if folder is not None and match in recorded else None,
            series.cards,
        )
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
