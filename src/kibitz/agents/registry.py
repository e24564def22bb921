"""Agents by name."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kibitz.agents.base import Agent
from kibitz.agents.frequency import always_call, always_fold, always_raise, example_player, probe, random_agent
from kibitz.agents.jam_fold import JamFoldAgent
from kibitz.agents.making import agent_of, load_from_file
from kibitz.agents.meta import PREFIX as META
from kibitz.agents.meta import is_meta, load_meta_agent, meta_parts
from kibitz.agents.portfolios import is_portfolio, portfolio_files
from kibitz.agents.rules import STYLES, RuleAgent, parse_rules
from kibitz.agents.switching import MARK, PREFIX, is_switching, load_switching_agent, switching_parts
from kibitz.arguments import did_you_mean
from kibitz.errors import AgentError, KibitzError
from kibitz.games import GAMES, Game

if TYPE_CHECKING:
    from kibitz.strategy import Strategy

EXPLICIT = "explicit:"  # before the folder of a portfolio whose opponents are models
EXPLORE = "explore:"  # before the agent that explores
OBSERVER = "observer"  # folder in that of a learned response
POPULATION = "population:"  # before the name of a bot
ROLLOUT = "rollout:"  # before the folder of a model from self-play whose decisions are rolled out
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
    if text.partition(":")[0] == "rules":
        return parse_rules(text)
    if is_switching(text):
        return load_switching_agent(text, load_agent)
    if is_meta(text):
        return load_meta_agent(text, load_agent)
    if text.startswith(EXPLICIT):
        from kibitz.agents.explicit import load_explicit_agent

        return load_explicit_agent(text.removeprefix(EXPLICIT))
    if text.startswith(EXPLORE):
        from kibitz.agents.exploring import load_exploring_agent

        return load_exploring_agent(text.removeprefix(EXPLORE), load_agent)
    if text.startswith(ROLLOUT):
        from kibitz.agents.rollouts import load_rollout_agent

        return load_rollout_agent(text.removeprefix(ROLLOUT))
    if text.startswith(POPULATION):
        from kibitz.agents.population import load_population_agent

        return load_population_agent(text.removeprefix(POPULATION))
    if is_written(text):
        path, _, attribute = text.rpartition(":")
        return load_from_file(Path(path), attribute)
    folder = Path(text.partition(",")[0])
    if folder.is_dir():
        from kibitz.agents.strategic import is_seated, load_seated_agent, load_strategy_agent

        if is_portfolio(folder):
            from kibitz.agents.implicit import load_portfolio_agent

            return load_portfolio_agent(text)
        from kibitz.learning.files import is_model

        if is_model(folder):
            return _load_from_model(folder, text)
        from kibitz.learning.player_types.files import is_typed

        if is_typed(folder):
            raise AgentError(f"{folder} is a model of player types, not one player's: an exploiter of it is an agent")
        return load_seated_agent(text) if is_seated(folder) else load_strategy_agent(text)
    if folder.is_file() and folder.suffix != ".py":
        from kibitz.agents.case_based import load_case_agent

        return load_case_agent(text)
    near = " (it is a game: give it as game=)" if text in GAMES else did_you_mean(text, AGENTS)
    raise AgentError(
        f"no agent {text!r}{near}: give file.py:Class, a strategy's folder, a file of cases, rules:..., switch:..., "
        f"meta:..., or one of {', '.join(AGENTS)}"
    )


def _load_from_model(folder: Path, text: str) -> Agent:
    """The agent of a learned model: an exploiter, a response with an observer beside it, or the model by itself."""
    from kibitz.learning.exploiters.files import is_exploiter
    from kibitz.learning.responses import is_response

    if is_exploiter(folder):
        from kibitz.agents.exploiting import load_exploiting_agent

        return load_exploiting_agent(text)
    if is_response(folder):
        from kibitz.agents.responding import load_responding_agent

        return load_responding_agent(text)
    from kibitz.agents.learned import load_learned_agent

    return load_learned_agent(text)


def is_written(text: str) -> bool:
    """Whether the agent `text` is code in a file, as `mine.py:Agent` is."""
    return text not in AGENTS and not (is_switching(text) or is_meta(text)) and text.rpartition(":")[0].endswith(".py")


def has_written(text: str) -> bool:
    """Whether code from a file plays in the agent `text`, alone or as one of several: `switch:mine.py:Agent@...`."""
    if is_switching(text) or is_meta(text):
        parts = switching_parts(text) if is_switching(text) else meta_parts(text)
        return any(map(has_written, parts[::2]))
    return is_written(text)


def absolute_agent(text: str) -> str:
    """`text` with the whole path of what it names, for those who load it in another folder or on another machine.

    >>> absolute_agent("always-call")
    'always-call'
    """
    if is_switching(text) or is_meta(text):
        parts = switching_parts(text) if is_switching(text) else meta_parts(text)
        parts[::2] = map(absolute_agent, parts[::2])
        return (PREFIX if is_switching(text) else META) + MARK.join(parts)
    if text.startswith(EXPLICIT):
        return EXPLICIT + absolute_agent(text.removeprefix(EXPLICIT))
    if text.startswith(ROLLOUT):
        return ROLLOUT + absolute_agent(text.removeprefix(ROLLOUT))
    if text.startswith(POPULATION):
        return "".join([*text.partition("=")[:2], *(os.path.abspath(file) for file in agent_files(text))])
    if text.startswith(EXPLORE):
        explorer, comma, settings = text.removeprefix(EXPLORE).partition(",")
        return f"{EXPLORE}{absolute_agent(explorer)}{comma}{settings}"
    written = is_written(text)
    path, mark, rest = text.rpartition(":") if written else text.partition(",")
    if not agent_files(text) or not os.path.exists(path):
        return text
    whole = os.path.abspath(path)  # links keep their names, which are those of agents
    # Settings begin at the first comma, so a folder above with one in its name cannot be written in front of them.
    return text if "," in whole and not written else f"{whole}{mark}{rest}"


def agent_files(text: str) -> list[Path]:
    """The files that make the agent `text` what it is; none for an agent by name."""
    if text in AGENTS or text.partition(":")[0] == "rules":
        return []
    if text.startswith(POPULATION):
        return [Path(place)] if (place := text.partition("=")[2]) else []
    if is_switching(text):
        return [file for part in switching_parts(text)[::2] for file in agent_files(part)]
    if text.startswith(EXPLICIT):
        folder = Path(text.removeprefix(EXPLICIT).partition(",")[0])
        return portfolio_files(folder, explicit=True) if is_portfolio(folder) else [folder]
    if text.startswith(ROLLOUT):
        return agent_files(text.removeprefix(ROLLOUT))
    if text.startswith(EXPLORE):
        return agent_files(text.removeprefix(EXPLORE).partition(",")[0])
    if is_meta(text):
        return [file for part in meta_parts(text)[::2] for file in agent_files(part)]
    if is_written(text):
        return [Path(text.rpartition(":")[0])]
    path = Path(text.partition(",")[0])
    if not path.is_dir():
        return [path]
    from kibitz.strategy.files import MANIFEST, TREE, VALUES

    if is_portfolio(path):
        return portfolio_files(path)
    from kibitz.learning.exploiters.files import exploiter_files, is_exploiter
    from kibitz.learning.files import is_model, model_files
    from kibitz.learning.responses import is_response

    if is_exploiter(path):
        return exploiter_files(path)
    if is_model(path):
        observer = path / OBSERVER
        return [*model_files(path), *(model_files(observer) if is_response(path) else [])]
    folders = [path, path / "strategy", *sorted(path.glob("seat-*"))]
    return [file for folder in folders for name in (MANIFEST, VALUES, TREE) if (file := folder / name).is_file()]


def game_of(text: str) -> Game | None:
    """The game that the agent `text` was made for, by the manifest of its strategy; None where none is told."""
    for file in agent_files(text):
        if file.suffix == ".json":  # before anything is imported: most agents have none
            from kibitz.strategy.files import MANIFEST, read_solved

            with suppress(KibitzError):
                if file.name == MANIFEST:
                    return read_solved(file.parent).game
    return None
