"""What may be chosen on the page: games by kind and number of players, agents by name or inside the folder."""

from __future__ import annotations

from pathlib import Path

from kibitz.agents import Agent, load_agent
from kibitz.agents.registry import AGENTS, agent_files, game_of
from kibitz.errors import AgentError, GameError
from kibitz.games import Game, format_gamedef, load_game
from kibitz.games.named import MOST_PLAYERS
from kibitz.plans import kind_of
from kibitz.plans.kinds import KINDS
from kibitz.web.folder import existing, listed

HOLDEM = {"holdem-nolimit": "No-limit hold'em", "holdem-limit": "Limit hold'em"}
SMALL_GAMES = {
    "leduc": "Leduc hold'em (2 players)",
    "leduc-nolimit": "No-limit Leduc (2 players)",
    "rhode-island": "Rhode Island hold'em (2 players)",
    "kuhn": "Kuhn poker (2 players)",
    "kuhn-3p": "Kuhn poker (3 players)",
}
FAVOURITES = ("loose-aggressive", "tight-aggressive", "tight-passive", "loose-passive")  # listed first


def game_choices() -> dict[str, str]:
    """The kinds of games, each with its title."""
    return HOLDEM | SMALL_GAMES


def game_name(kind: str, players: int) -> str:
    """The name of the game of a kind; the number of players matters for hold'em only."""
    if kind not in game_choices():
        raise GameError(f"no game is called {kind!r}: there are {', '.join(game_choices())}")
    if kind in HOLDEM and not 2 <= players <= MOST_PLAYERS:
        raise GameError(f"{players} players: a table has 2 to {MOST_PLAYERS}")
    return f"{kind}-{players}p" if kind in HOLDEM else kind


def chosen_game(kind: str, players: int) -> Game:
    """The game of a kind."""
    return load_game(game_name(kind, players))


def built_in_agents() -> list[str]:
    """Names of agents that come with the package, the lively ones first."""
    known = [name for name in FAVOURITES if name in AGENTS]
    return known + [name for name in AGENTS if name not in known]


def agents_inside(folder: Path) -> list[str]:
    """Folders of strategies, models and portfolios and files of cases inside `folder`, three levels deep.

    Those made for the game that is offered first come first.
    """
    names: list[str] = []
    for name in listed(folder, "*", "*/*", "*/*/*"):
        within = any(name.startswith(f"{other}/") for other in names)
        if not within and "," not in name and _is_agent(folder.resolve() / name):
            names.append(name)
    return sorted(names, key=lambda name: not plays_first_game(folder, name))


def plays_first_game(folder: Path, name: str) -> bool:
    """Whether the agent `name` inside `folder` was made for the game that is offered first, with two players."""
    made_for = game_of(str(folder.resolve() / name))
    return made_for is not None and format_gamedef(made_for) == format_gamedef(chosen_game(next(iter(HOLDEM)), 2))


def _is_agent(path: Path) -> bool:
    if (kind := kind_of(path)) in KINDS:
        return bool(KINDS[kind].agent)
    return path.is_dir() and any(file.is_file() for file in agent_files(str(path)))


def chosen_agent(folder: Path, text: str) -> Agent:
    """A new agent; AgentError unless it has been offered, so that no request loads code or leaves the folder."""
    if text in AGENTS:
        return load_agent(text)
    if text not in agents_inside(folder):
        raise AgentError(f"no agent {text!r}: it is neither built in nor inside the folder that is served")
    return load_agent(str(existing(folder, text)))
