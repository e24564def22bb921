"""Agents by name: built in, composed of others, saved by Kibitz, or written by somebody."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.agents.base import Agent
from kibitz.agents.frequency import always_call, always_fold, always_raise, example_player, probe, random_agent
from kibitz.agents.jam_fold import JamFoldAgent
from kibitz.agents.making import agent_of, load_from_file
from kibitz.agents.prefixes import AGENT, FILE, PREFIXES, split_prefix
from kibitz.agents.rules import STYLES, RuleAgent
from kibitz.arguments import did_you_mean
from kibitz.errors import AgentError, KibitzError
from kibitz.files import file_sha256, fingerprint
from kibitz.games import GAMES, Game, format_gamedef, load_game
from kibitz.plans import files_of, fingerprint_of, kind_of, read_manifest
from kibitz.plans.kinds import KINDS, named, what_is

if TYPE_CHECKING:
    from kibitz.strategy import Strategy

DEFAULT_GAME = "holdem-nolimit-2p"
AGENTS: dict[str, Callable[[], Agent]] = {
    "random": random_agent,
    "always-call": always_call,
    "always-raise": always_raise,
    "always-fold": always_fold,
    "example-player": example_player,
    "probe": probe,
    "jam-fold": JamFoldAgent,
    **{name: partial(RuleAgent, style, name) for name, style in STYLES.items()},
}


def load_agent(given: str | Path | Strategy | Agent | Callable[[], Agent]) -> Agent:
    """A new agent: a name of `AGENTS`, `rules:tightness=0.8,...`, `switch:AGENT@HANDS@AGENT` for one that changes (see
    `load_switching_agent`), `meta:AGENT@KIND@AGENT` for one that watches (see `load_meta_agent`), `explicit:FOLDER` and
    `explore:AGENT` for those that model their opponent (see `load_explicit_agent`, `load_exploring_agent`),
    `population:NAME` for a bot of a population (see `load_population_agent`), the folder
    of a strategy or of a model with or without settings (`runs/leduc,mapping=det-geo`, see `load_strategy_agent`), of
    one for each position (see `load_seated_agent`), of a model from self-play (see `load_learned_agent`) or of a
    portfolio (see `kibitz.agents.implicit`), a file of cases (see `load_case_agent`), or `path/to/file.py:Class` for
    one of your own. A path is taken like its text; what else may be given says `agent_of`.

    >>> load_agent("always-call").name
    'always-call'
    """
    if not isinstance(given, str | Path):
        return agent_of(given)
    try:
        return _load_named(str(given))
    except OSError as error:  # such as a name that is too long for a file
        raise AgentError(f"no agent {str(given)!r}: {error.strerror or error}") from None


def _load_named(text: str) -> Agent:
    if text in AGENTS:
        return AGENTS[text]()
    if not text.partition(",")[0]:
        raise AgentError(f"the agent {text!r} is empty: give its name, folder or file")
    prefix, rest = split_prefix(text)
    if prefix is not None:
        load = named(prefix.load)
        found: Agent = load(rest, load_agent) if prefix.nested else load(rest)
        return found
    if is_written(text):
        path, _, attribute = text.rpartition(":")
        return load_from_file(Path(path), attribute)
    place = Path(text.partition(",")[0])
    if place.is_dir() or (place.is_file() and place.suffix != ".py"):
        return _saved_agent(place, text)
    near = " (it is a game: give it as game=)" if text in GAMES else did_you_mean(text, AGENTS)
    raise AgentError(
        f"no agent {text!r}{near}: give file.py:Class, what Kibitz has made, "
        f"{', '.join(f'{word}:...' for word in PREFIXES)}, or one of {', '.join(AGENTS)}"
    )


def _saved_agent(place: Path, text: str) -> Agent:
    """The agent that plays what Kibitz has saved in a folder or file."""
    kind = kind_of(place)
    if kind not in KINDS:
        read_manifest(place)  # which says what is wrong
        raise AgentError(f"{place} is {what_is(kind)}, which this version does not know")
    if not KINDS[kind].agent:
        raise AgentError(f"{place} is {what_is(kind)}, which does not play")
    agent: Agent = named(KINDS[kind].agent)(text)
    return agent


def is_written(text: str) -> bool:
    """Whether the agent `text` is code in a file, as `mine.py:Agent` is."""
    return text not in AGENTS and split_prefix(text)[0] is None and text.rpartition(":")[0].endswith(".py")


def has_written(text: str) -> bool:
    """Whether code from a file plays in the agent `text`, alone or as one of several: `switch:mine.py:Agent@...`."""
    prefix, rest = split_prefix(text)
    if prefix is None:
        return is_written(text)
    return any(has_written(part) for what, part in prefix.parts(rest) if what == AGENT)


def absolute_agent(text: str) -> str:
    """`text` with the whole path of what it names, for those who load it in another folder or on another machine.

    >>> absolute_agent("always-call")
    'always-call'
    """
    prefix, rest = split_prefix(text)
    if prefix is not None:
        whole: dict[str, Callable[[str], str]] = {AGENT: absolute_agent, FILE: os.path.abspath}
        parts = [whole[what](part) if what in whole else part for what, part in prefix.parts(rest)]
        return f"{text.removesuffix(rest)}{''.join(parts)}"
    written = is_written(text)
    path, mark, rest = text.rpartition(":") if written else text.partition(",")
    if text in AGENTS or not os.path.exists(path):
        return text
    whole_path = os.path.abspath(path)  # links keep their names, which are those of agents
    # Settings begin at the first comma, so a folder above with one in its name cannot be written in front of them.
    return text if "," in whole_path and not written else f"{whole_path}{mark}{rest}"


def agent_files(text: str) -> list[Path]:
    """The files that make the agent `text` what it is; none for an agent by name."""
    if text in AGENTS:
        return []
    prefix, rest = split_prefix(text)
    if prefix is not None:
        found = []
        for what, part in prefix.parts(rest):
            found += agent_files(part) if what == AGENT else [Path(part)] * (what == FILE)
        return found
    if is_written(text):
        return [Path(text.rpartition(":")[0])]
    path = Path(text.partition(",")[0])
    if not path.is_dir():
        return [path]
    return files_of(path) if kind_of(path) in KINDS else []


def agent_content(text: str) -> str:
    """What the agent `text` is wherever its files lie: their names in it are replaced by what is in them."""
    prefix, rest = split_prefix(text)
    if prefix is not None:
        content: dict[str, Callable[[str], str]] = {AGENT: agent_content, FILE: lambda path: file_sha256(Path(path))}
        parts = [content[what](part) if what in content else part for what, part in prefix.parts(rest)]
        return f"{text.removesuffix(rest)}{''.join(parts)}"
    path, mark, rest = text.rpartition(":") if is_written(text) else text.partition(",")
    if text in AGENTS or not os.path.exists(path):
        return text
    if kind_of(Path(path)) in KINDS:
        return f"{fingerprint_of(path)}{mark}{rest}"
    return f"{fingerprint(*(file_sha256(file) for file in agent_files(text) if file.is_file()))}{mark}{rest}"


def game_of(text: str) -> Game | None:
    """The game that the agent `text` was made for, by the manifest of its strategy; None where none is told."""
    for file in agent_files(text):
        if file.suffix == ".json":  # before anything is imported: most agents have none
            from kibitz.plans import MANIFEST
            from kibitz.strategy.files import read_solved

            with suppress(KibitzError):
                if file.name == MANIFEST:
                    return read_solved(file.parent).game
    return None


def game_of_agents(game: str | None, agents: Iterable[str]) -> tuple[Game, str]:
    """The rules, and what the game is called: `game` where it is given, else what the agents' manifests say."""
    if game is not None:
        return load_game(game), game
    made_for = {agent: found for agent in agents if (found := game_of(agent)) is not None}
    names = {format_gamedef(found): (agent, found) for agent, found in made_for.items()}
    if len(names) > 1:
        said = ", ".join(f"{agent} plays {found.name or 'a game without a name'}" for agent, found in names.values())
        raise KibitzError(
            f"{said}: agents at one table play the same game; leave one out, or name the game", settings=("game",)
        )
    found = next(iter(made_for.values()), None) or load_game(DEFAULT_GAME)
    return found, found.name or "the agents' game"
