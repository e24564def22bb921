"""Agents that change their style in mid-match: opponents for those who adapt.

>>> from kibitz.agents import load_agent
>>> load_agent("switch:tight-passive@1500@loose-aggressive").name
'tight-passive-1500-loose-aggressive'
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from kibitz.agents.base import Agent, Named
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.random import derive_seed

MARK = "@"  # a semicolon would end a shell's command


class SwitchingAgent(Named):
    """Plays `agents[0]` for the first `hands[0]` hands of a match, then `agents[1]` up to hand `hands[1]`, and so on.

    Hands are counted from the beginning of the match; the last agent plays to its end.
    """

    def __init__(self, agents: Sequence[Agent], hands: Sequence[int], name: str = "switching") -> None:
        if len(agents) != len(hands) + 1 or list(hands) != sorted(set(hands)) or (hands and hands[0] < 1):
            raise AgentError(
                f"{len(agents)} agents that change after {list(hands)} hands: one more than ascending hands"
            )
        self.name, self.agents, self.hands = name, tuple(agents), tuple(hands)
        self._hand = 0

    @property
    def current(self) -> Agent:
        """Who plays this hand."""
        return self.agents[bisect_right(self.hands, self._hand)]

    def reset(self, game: Game, seed: int) -> None:
        self._hand = 0
        for number, agent in enumerate(self.agents):
            agent.reset(game, derive_seed(seed, number))

    def act(self, state: State) -> str:
        return self.current.act(state)

    def observe(self, state: State, position: int) -> None:
        for agent in self.agents:  # all count the hands
            agent.observe(state, position)
        self._hand += 1


def switching_parts(text: str) -> list[str]:
    """Agents and hands in turn of `AGENT@HANDS@AGENT@...`."""
    parts = text.split(MARK)
    if len(parts) % 2 == 0 or len(parts) < 3 or not all(part.isdecimal() for part in parts[1::2]):
        raise AgentError(f"'switch:{text}': write switch:AGENT@HANDS@AGENT, as in switch:always-call@1000@always-raise")
    return parts


def load_switching_agent(text: str, load: Callable[[str], Agent]) -> SwitchingAgent:
    """The agent written `AGENT@HANDS@AGENT@...`; `load` makes the agents in it."""
    parts = switching_parts(text)
    agents = [load(part) for part in parts[::2]]
    words = [agents[0].name]
    for hands, agent in zip(parts[1::2], agents[1:], strict=True):
        words += [hands, agent.name]
    return SwitchingAgent(agents, [int(hands) for hands in parts[1::2]], "-".join(words))
