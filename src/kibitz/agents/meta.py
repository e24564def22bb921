"""Agents that watch for one kind of opponent, and play somebody else against it (Bard 2016, section 6.2).

>>> from kibitz.agents import load_agent
>>> load_agent("meta:tight-aggressive@always-call@loose-aggressive").name
'tight-aggressive-always-call-loose-aggressive'
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from kibitz.agents.base import Agent, Named
from kibitz.agents.switching import MARK
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.random import derive_seed

ENOUGH = 20  # decisions of one kind before an opponent is taken for one who does nothing else
MIN_BETS = 0.01  # share of hands with smallest bets from which on an opponent is one who makes them


class Detector(ABC):
    """Says after every hand whether the opponent is of one kind."""

    def __init__(self) -> None:
        self.hands = 0

    @property
    @abstractmethod
    def found(self) -> bool:
        """Whether it is, as far as was seen."""

    @abstractmethod
    def see(self, state: State, action: str) -> None:
        """The opponent did `action` in `state`, of a hand that is over."""


class AlwaysDetector(Detector):
    """One who always does the same where there is a choice: at least `ENOUGH` times, and never anything else.

    letter   c or r; where raising is not possible, one who always raises has no choice
    """

    def __init__(self, letter: str) -> None:
        super().__init__()
        self.letter, self._same, self._others = letter, 0, 0

    @property
    def found(self) -> bool:
        return self._same >= ENOUGH and not self._others

    def see(self, state: State, action: str) -> None:
        legal = state.legal()
        if self.letter == "r" and not legal.max_raise_to:
            return
        if action[0] == self.letter:
            self._same += 1
        else:
            self._others += 1


class MinBetDetector(Detector):
    """One who bets or raises the smallest amount in at least 1 % of the hands; the first bet of a hand does not count.

    In limit games, where every bet is the smallest one, nobody is.
    """

    def __init__(self) -> None:
        super().__init__()
        self._with, self._last = 0, -1

    @property
    def found(self) -> bool:
        return self._with > 0 and self._with >= MIN_BETS * self.hands

    def see(self, state: State, action: str) -> None:
        legal = state.legal()
        is_first = "r" not in state.history
        smallest = action[0] == "r" and not legal.limit and int(action[1:]) == legal.min_raise_to < legal.max_raise_to
        if smallest and not is_first and self._last != self.hands:
            self._with, self._last = self._with + 1, self.hands


# Name -> what watches for it.
DETECTORS: dict[str, Callable[[], Detector]] = {
    "always-call": lambda: AlwaysDetector("c"),
    "always-raise": lambda: AlwaysDetector("r"),
    "min-bets": MinBetDetector,
}


class MetaAgent(Named):
    """Plays `default`, but `agents[i]` as long as `detectors[i]` finds its kind of opponent; the first one counts.

    All agents see all hands, so that one who adapts knows the opponent when its turn comes.
    """

    def __init__(self, default: Agent, detectors: Sequence[str], agents: Sequence[Agent], name: str = "meta") -> None:
        if unknown := [each for each in detectors if each not in DETECTORS]:
            raise AgentError(f"nothing detects {unknown[0]!r}: there are {', '.join(DETECTORS)}")
        if len(detectors) != len(agents) or not agents:
            raise AgentError(f"{len(detectors)} detectors for {len(agents)} agents: one for each, at least one")
        self.name, self.agents, self.kinds = name, (default, *agents), tuple(detectors)
        self._now = 0

    @property
    def current(self) -> Agent:
        """Who plays this hand."""
        return self.agents[self._now]

    def reset(self, game: Game, seed: int) -> None:
        if game.players != 2:
            raise AgentError(f"{self.name} watches one opponent, {game.name or 'this game'} has {game.players} players")
        self._detectors = [DETECTORS[kind]() for kind in self.kinds]
        self._now = 0
        for number, agent in enumerate(self.agents):
            agent.reset(game, derive_seed(seed, number))

    def act(self, state: State) -> str:
        return self.current.act(state)

    def observe(self, state: State, position: int) -> None:
        for agent in self.agents:
            agent.observe(state, position)
        for real, action in state.past():
            if real.player != position:
                for detector in self._detectors:
                    detector.see(real, action)
        for detector in self._detectors:
            detector.hands += 1
        self._now = next((number for number, each in enumerate(self._detectors, 1) if each.found), 0)


def meta_parts(text: str) -> list[str]:
    """Agents and what is watched for in turn of `AGENT@DETECTOR@AGENT@...`."""
    parts = text.split(MARK)
    if len(parts) % 2 == 0 or len(parts) < 3:
        raise AgentError(f"'meta:{text}': write meta:AGENT@KIND@AGENT, where KIND is one of {', '.join(DETECTORS)}")
    return parts


def load_meta_agent(text: str, load: Callable[[str], Agent]) -> MetaAgent:
    """The agent written `AGENT@KIND@AGENT@...`; `load` makes the agents in it."""
    parts = meta_parts(text)
    agents = [load(part) for part in parts[::2]]
    words = [agents[0].name]
    for kind, agent in zip(parts[1::2], agents[1:], strict=True):
        words += [kind, agent.name]
    return MetaAgent(agents[0], parts[1::2], agents[1:], "-".join(words))
