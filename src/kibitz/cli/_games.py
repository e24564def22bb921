"""The game that agents play: the one that is asked for, or else the one that they were made for."""

from __future__ import annotations

from collections.abc import Iterable

from kibitz.errors import KibitzError
from kibitz.games import Game, format_gamedef, load_game

DEFAULT = "holdem-nolimit-2p"
HELP = f"Game, by name or file.  [default: that of an agent's folder, else {DEFAULT}]"


def game_of_agents(game: str | None, agents: Iterable[str]) -> tuple[Game, str]:
    """The rules, and what the game is called: `game` where it is given, else what the agents' manifests say."""
    if game is not None:
        return load_game(game), game
    from kibitz.agents.registry import game_of

    made_for = {agent: found for agent in agents if (found := game_of(agent)) is not None}
    names = {format_gamedef(found): (agent, found) for agent, found in made_for.items()}
    if len(names) > 1:
        said = ", ".join(f"{agent} plays {found.name or 'a game without a name'}" for agent, found in names.values())
        raise KibitzError(
            f"{said}: agents at one table play the same game; leave one out, or name the game", settings=("game",)
        )
    found = next(iter(made_for.values()), None) or load_game(DEFAULT)
    return found, found.name or "the agents' game"
