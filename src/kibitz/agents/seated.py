"""Agents that play a strategy of their own in each position, as bet sizes learnt for one player need it.

A folder with the strategies `seat-0`, `seat-1`, ... is such an agent: seat 0 is the first player after the button.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile
from pathlib import Path

from kibitz.agents.base import Agent
from kibitz.agents.strategic import is_strategy, load_strategy_agent
from kibitz.errors import AgentError
from kibitz.games import Game, State


class SeatedAgent:
    """Plays `agents[position]` in each position."""

    def __init__(self, agents: Sequence[Agent], name: str = "seated") -> None:
        self.name = name
        self.agents = tuple(agents)

    def reset(self, game: Game, seed: int) -> None:
        if game.players != len(self.agents):
            raise AgentError(f"{self.name} plays {len(self.agents)} positions, not the {game.players} of this game")
        for agent in self.agents:
            agent.reset(game, seed)

    def act(self, state: State) -> str:
        return self.agents[state.player].act(state)

    def observe(self, state: State, position: int) -> None:
        for agent in self.agents:  # all count the hands
            agent.observe(state, position)


def is_seated(folder: Path) -> bool:
    """Whether `folder` holds a strategy for each position."""
    return is_strategy(folder / "seat-0")


def load_seated_agent(text: str) -> SeatedAgent:
    """The agent written FOLDER,mapping=...: settings are those of `load_strategy_agent` and go to every position."""
    path, comma, settings = text.partition(",")
    folders = takewhile(is_strategy, (Path(path) / f"seat-{seat}" for seat in count()))
    agents = [load_strategy_agent(f"{folder}{comma}{settings}") for folder in folders]
    names = {agent.name for agent in agents}
    return SeatedAgent(agents, names.pop() if len(names) == 1 else Path(path).name)
