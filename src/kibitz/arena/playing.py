"""Matches and tournaments as plans: a series whose cells are its matches, and the folder that it leaves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from kibitz.agents.registry import game_of_agents
from kibitz.amounts import counted
from kibitz.arena.confinement import LIMITS, Limits
from kibitz.arena.duplicate import DuplicateMatch, play_duplicate
from kibitz.arena.hosted import Hosting
from kibitz.arena.series import Key, Series
from kibitz.errors import KibitzError
from kibitz.files import plain, shown, write_text
from kibitz.games import Game, format_gamedef
from kibitz.parallel import Executor, InProcess, Processes
from kibitz.plans import MANIFEST, Artefact, CellsPlan, Means, setting
from kibitz.plans.artefacts import CHECKPOINT
from kibitz.plans.cells import Job, Results
from kibitz.plans.kinds import named
from kibitz.random import draw_seed, parse_seed, seed_text
from kibitz.statistics import Moments

if TYPE_CHECKING:
    from kibitz.arena.standings import Standings

SERIES = "series"  # the kind of the artefact
OUTCOMES, RESULTS, REPORT = "matches.json", "results.json", "report.html"
ABOUT = ("game", "names", "hands", "matches", "seed", "cards")  # in a manifest: what of its plan says what was played
TELLING = (CHECKPOINT, MANIFEST, OUTCOMES, RESULTS, REPORT)  # the seed, or what others have won

BUILT_IN = (
    "random",
    "always-call",
    "always-raise",
    "always-fold",
    "tight-passive",
    "tight-aggressive",
    "tight-aggressive-bluffing",
    "loose-passive",
    "loose-aggressive",
    "loose-aggressive-bluffing",
)


@dataclass(frozen=True)
class SeriesPlan(CellsPlan):
    """Play matches at every table of some agents."""

    is_watched = True

    agents: tuple[str, ...] = setting(help="Agents", argument=True, input="agent")
    game: str | None = setting(
        None, "Game, by name or file", unsaid="that of an agent's folder, else holdem-nolimit-2p", input="game"
    )
    hands: int = setting(1000, "Number of deals per match", at_least=1, at_most=10**9)
    matches: int = setting(1, "Number of matches per table of agents", at_least=1, at_most=10**6)
    seed: str | None = setting(
        None, "Seed for the cards and the agents, a whole number or 32 hexadecimal digits",
        unsaid="0; random with --commit and with isolated agents",
    )  # fmt: skip
    cards: Literal["keyed", "acpc"] = setting(
        "keyed", "Cards from a keyed hash of the seed, or those of the ACPC dealer, which players can find out"
    )
    isolate: bool = setting(
        False, "Play each agent from a file in its own process, which is told only what its seat may see, has limited "
        "memory, and ends with all that it starts; where Bubblewrap works, it has no network and writes no files",
        free=True,
    )  # fmt: skip
    memory_limit: float = setting(
        LIMITS.memory / 2**30, "GiB of address space for each process of an isolated agent, and of memory that all of "
        "them use together (Linux)", at_least=0.25, at_most=2**20, free=True,
    )  # fmt: skip
    process_limit: int = setting(
        LIMITS.processes, "Number of processes and threads that an isolated agent may start (Linux)",
        at_least=1, at_most=2**20, free=True,
    )  # fmt: skip
    time_limit: float | None = setting(
        None, "Seconds per decision of an agent from a file, which is isolated then; if it takes longer, it forfeits "
        "the hand", above=0, at_most=10**6, unsaid="no limit",
    )  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.seed is not None:
            object.__setattr__(self, "seed", seed_text(_read_seed(self.seed)))
        elif self.cards == "keyed" and self.hosting.isolates_any(self.players):
            object.__setattr__(self, "seed", seed_text(draw_seed()))
        else:
            object.__setattr__(self, "seed", "0")

    @property
    def players(self) -> tuple[str, ...]:
        """All who play, as they were given."""
        return self.agents

    @property
    def hosting(self) -> Hosting:
        """Where the agents play."""
        return Hosting(self.isolate, self.time_limit, Limits(round(self.memory_limit * 2**30), self.process_limit))

    @cached_property
    def rules(self) -> tuple[Game, str]:
        """The rules, and what the game is called."""
        return game_of_agents(self.game, self.players)

    @cached_property
    def series(self) -> Series:
        """What is played."""
        rules, name = self.rules
        self.check_seats(rules.players, name)
        return Series(
            rules, self.players, self.hands, self.matches, _read_seed(str(self.seed)), self.hosting, self.cards
        )

    def check_seats(self, seats: int, game: str) -> None:
        """Refuse a number of agents that cannot be seated."""

    def inputs(self) -> dict[str, Any]:
        return super().inputs() | self._named()

    def _named(self) -> dict[str, Any]:
        """What is played and by whom, for those who read along."""
        return {"game": format_gamedef(self.rules[0]), "names": list(self.series.names)}

    def executor(self) -> Executor:
        """This process for batches, which use all cores by themselves, and for one match; else processes."""
        from kibitz.arena.batch import is_array
        from kibitz.arena.match import make_agent

        series = self.series
        batched = all(not self.hosting.isolates(spec) and is_array(make_agent(spec)) for spec in series.agents)
        return InProcess() if batched or len(series.keys) == 1 else Processes()

    def cells(self, means: Means, results: Results) -> Mapping[str, Job]:
        _ = self.series.names  # makes every agent once, so that a bad one is told before anything is written
        folder = means.folder
        hidden = tuple(folder.resolve() / name for name in TELLING) if folder is not None else ()
        return Matches(replace(self.series, hosting=replace(self.hosting, hidden=hidden)), folder)

    def gather(self, results: Results, means: Means) -> Artefact:
        from kibitz.arena.standings import Standings

        standings = Standings(self.series, dict(zip(self.series.keys, map(moments_of, results.values()), strict=True)))
        told = self.describe() | self._named()
        about = {name: told[name] for name in ABOUT}
        files: dict[str, Callable[[Path], None]] = {
            OUTCOMES: lambda path: write_text(path, json.dumps(results) + "\n"),
            RESULTS: lambda path: write_text(path, json.dumps(plain(standings.to_dict()), indent=2) + "\n"),
        }
        made = {"hands played": standings.hands_played} | self.measured(standings)
        return Artefact(SERIES, about, made, files=files, content=standings)

    def measured(self, standings: Standings) -> dict[str, float]:
        """What every agent has won, in the unit of the game."""
        (first, *others), unit = standings.estimates.values(), standings.stake.unit
        won = standings.bankrolls.tolist() if others else [each.mean for each in first]
        return {f"{unit} of {name}": rate for name, rate in zip(self.series.names, won, strict=True)}


def _read_seed(text: str) -> int:
    try:
        return parse_seed(text)
    except ValueError:
        raise KibitzError(
            f"seed is {shown(text)}: a whole number from 0, or 32 and more hexadecimal digits, is needed",
            settings=("seed",),
        ) from None


def key_of(name: str) -> Key:
    """The key of the cell `name`, such as 0-1/12; ValueError if it is none."""
    table, _, match = name.partition("/")
    key = tuple(map(int, table.split("-"))), int(match)
    if name_of(key) != name:
        raise ValueError(name)
    return key


def name_of(key: Key) -> str:
    """The name of the cell of a match: the numbers of its agents, and its own."""
    return f"{'-'.join(map(str, key[0]))}/{key[1]}"


def moments_of(result: Any) -> tuple[Moments, ...]:
    """The moments of a match from the result of its cell."""
    return tuple(Moments(*each) for each in result)


@dataclass(frozen=True)
class Play:
    """A cell: plays a match, and tells the moments of each agent as numbers."""

    match: DuplicateMatch

    def __call__(self) -> list[list[int]]:
        told = play_duplicate(self.match)
        return [[each.count, each.total, each.squares, *filter(None, [each.forfeits])] for each in told]


class Matches(Mapping[str, Job]):
    """The cells of a series by name, made when they are asked for: there may be a million."""

    def __init__(self, series: Series, folder: Path | None) -> None:
        self._series, self._folder = series, folder
        self._tables = frozenset(series.tables)

    def __len__(self) -> int:
        return len(self._series.keys)

    def __iter__(self) -> Iterator[str]:
        return map(name_of, self._series.keys)

    def __contains__(self, name: object) -> bool:
        try:
            table, match = key_of(str(name))
        except ValueError:
            return False
        return table in self._tables and match < self._series.matches

    def __getitem__(self, name: str) -> Job:
        return Play(self._series.match(key_of(name), self._folder))


@dataclass(frozen=True)
class DuplicatePlan(SeriesPlan):
    """Play a duplicate match between AGENTS and print their win rates in mbb/hand with 95 % intervals.

    Every deal is played in every seat permutation. With more than four players a match plays the rotations of one
    random seat order; --matches plays more orders.

    An agent is a built-in name (random, always-call, always-raise, always-fold, tight-aggressive, ...),
    rules:tightness=0.8,aggression=0.3,bluffing=0.1, the folder of a strategy, a file of cases, or
    path/to/file.py:Class.
    """

    kind: ClassVar[str] = "match"

    def check_seats(self, seats: int, game: str) -> None:
        if len(self.agents) != seats:
            raise KibitzError(f"{counted(len(self.agents), 'agent')} for the {seats} seats of {game}")


@dataclass(frozen=True)
class TournamentPlan(SeriesPlan):
    """Play a duplicate round-robin of AGENTS (by default the built-in ones) and rank them.

    Ranks by instant run-off, and names the winners by total and capped bankroll. Prints mbb/hand with 95 % intervals;
    --full adds the cross-table.

    With --out, saves results.json, a report with a plot and the cross-table (report.html), all matches, and a
    checkpoint that --resume continues.
    """

    kind: ClassVar[str] = "tournament"

    agents: tuple[str, ...] = setting((), "Agents", argument=True, input="agent")
    hands: int = setting(100, "Number of deals per match", at_least=1, at_most=10**9)
    matches: int = setting(20, "Number of matches per table of agents", at_least=1, at_most=10**6)
    guests: tuple[str, ...] = setting(
        (), "Agent that joins the built-in ones; may be repeated", option="with", input="agent"
    )
    traces: tuple[Path, ...] = setting(
        (), "Match of a portfolio, written by `kibitz adapt trace --out`, whose weights the report shows; may be "
        "repeated", option="trace", free=True,
    )  # fmt: skip

    @property
    def players(self) -> tuple[str, ...]:
        return self.agents or (*BUILT_IN, *self.guests)

    def check_seats(self, seats: int, game: str) -> None:
        if seats > 3:
            raise KibitzError(f"{game} has {seats} seats: a round-robin needs two or three; use `kibitz match`")
        if self.agents and self.guests:
            raise KibitzError("AGENTS replaces the built-in agents and --with adds to them: give only one")

    @cached_property
    def section(self) -> str:
        """The section of the report about watched matches."""
        return str(named("kibitz.portfolios.report:render_traces")(self.traces)) if self.traces else ""

    def cells(self, means: Means, results: Results) -> Mapping[str, Job]:
        if self.section and means.folder is None:
            raise KibitzError("a trace adds to the report: it needs the folder of one", settings=("trace", "out"))
        return super().cells(means, results)

    def gather(self, results: Results, means: Means) -> Artefact:
        from kibitz.arena.report import render_report

        found = super().gather(results, means)
        files = {
            **found.files,
            REPORT: lambda path: write_text(path, render_report(found.content, self.command(), self.section)),
        }
        return replace(found, files=files)
