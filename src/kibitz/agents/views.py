"""Agents seen from outside by one who knows how they play: what they would do with every hand, but not their dice.

These are the views that a local best response needs (`kibitz.solvers.real.local.AgentView`).
"""

from __future__ import annotations

from copy import copy
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.agents.base import Agent
from kibitz.agents.frequency import FOLD, FrequencyAgent, legal_policy
from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.solvers.real.check_down import free_hands
from kibitz.solvers.real.local import AgentView
from kibitz.solvers.real.policy import HOLES, Floats, HandPolicy
from kibitz.translation import Tracker, TreePlace, write
from kibitz.translation.reading import Readings


def view_of(agent: Agent) -> AgentView:
    """The view of an agent whose probabilities are known: one of fixed frequencies, or one that plays a strategy."""
    if isinstance(agent, FrequencyAgent):
        return FrequencyView(agent)
    if isinstance(agent, StrategyAgent):
        return StrategyView(agent)
    raise AgentError(f"{agent.name} does not tell its probabilities: give a strategy or an agent of fixed frequencies")


class FrequencyView:
    """An agent that never looks at its cards: whatever it does, all hands stay as likely as they were."""

    def __init__(self, agent: FrequencyAgent) -> None:
        self._agent = agent

    def restart(self, game: Game, position: int) -> None:
        self._rows = self._agent.policy(game).tolist()

    def follow(self, state: State, action: str) -> None:
        pass

    def weights(self) -> Floats:
        return np.ones(len(HOLES))

    def folding(self, state: State, action: str) -> Floats:
        after = state.apply(action)
        weights = legal_policy(self._rows[after.round][1 if after.to_call > 0 else 0], after.legal())
        total = sum(weights)
        return np.full(len(HOLES), weights[FOLD] / total if total > 0 else 0.0)


class _Reader(Tracker):
    """A tracker that reads a bet as it is told to, where more than one reading is possible.

    pick    which reading to take; `readings`, how many there were
    """

    pick = 0
    readings = 1

    def _draw(self, readings: Readings) -> int:
        self.readings = len(readings)
        number, self.chance = readings[self.pick]
        return number


class _Path(NamedTuple):
    """A way in which the agent may have read the hand, and how likely it got there with each of `HOLES`."""

    reader: _Reader
    reach: Floats

    @property
    def key(self) -> object:
        """What tells paths apart for all that follows."""
        reader = self.reader
        place, opened = reader.place, reader._open
        assert isinstance(place, TreePlace)
        if opened is None:
            return place.node, None
        assert isinstance(opened.place, TreePlace)
        return place.node, (opened.place.node, *opened[1:])


class StrategyView:
    """An agent that plays a strategy. Where it throws dice to read a bet, all readings are kept, each with its chance.

    policy   what the strategy's card states mean; by default what its manifest says
    """

    def __init__(self, agent: StrategyAgent, policy: HandPolicy | None = None) -> None:
        self._agent = agent
        self._policy = policy or HandPolicy.of(agent.strategy)
        self._root = TreePlace(agent.strategy.layout.tree)

    def restart(self, game: Game, position: int) -> None:
        self._position = position
        self._paths = [_Path(_Reader(self._root, self._agent.reading, _no_dice), np.ones(len(HOLES)))]
        self._states: dict[int, npt.NDArray[np.int32]] = {}

    def follow(self, state: State, action: str) -> None:
        if state.player == self._position:
            found = [after for path in self._paths for after in self._acted(path, state, action)]
        else:
            found = [after for path in self._paths for after in _read(path, state, action)]
        merged: dict[object, _Path] = {}
        for path in found:
            before = merged.get(path.key)
            merged[path.key] = path if before is None else _Path(path.reader, before.reach + path.reach)
        self._paths = [path for path in merged.values() if path.reach.any()]

    def weights(self) -> Floats:
        return np.sum([path.reach for path in self._paths], axis=0) if self._paths else np.zeros(len(HOLES))

    def folding(self, state: State, action: str) -> Floats:
        after = state.apply(action)
        total = np.zeros(len(HOLES))
        for path in self._paths:
            for read in _read(path, state, action):
                place = read.reader.place_of(after)
                if place is None:
                    continue
                assert isinstance(place, TreePlace)
                for number, chances in enumerate(self._chances(place, after)):
                    if write(place, number, after) == "f":
                        total += read.reach * chances
        return total

    def _acted(self, path: _Path, state: State, action: str) -> list[_Path]:
        """The ways in which the agent's own action can have come about."""
        place = path.reader.place_of(state)
        if place is None:  # it calls, and nothing else
            path.reader.follow(state, action)
            return [path] if action == "c" else []
        assert isinstance(place, TreePlace)
        found = []
        for number, chances in enumerate(self._chances(place, state)):
            if write(place, number, state) == action:
                reader = copy(path.reader)
                reader.choose(action, number)
                reader.follow(state, action)
                found.append(_Path(reader, path.reach * chances))
        return found

    def _chances(self, place: TreePlace, state: State) -> Floats:
        """How likely each action is with each of `HOLES`: float64[actions, 1326], 0 for hands that the board blocks."""
        round_ = state.round
        if round_ not in self._states:
            board = np.array(state.board, dtype=np.uint8)
            there = free_hands(set(state.board))
            boards = np.broadcast_to(board, (int(there.sum()), len(board)))
            states = np.full(len(HOLES), -1, dtype=np.int32)
            states[there] = self._policy.states(self._position, round_, HOLES[there], boards)
            self._states[round_] = states
        states = self._states[round_]
        return np.where(states >= 0, self._agent.strategy.at(place.node)[:, states], 0.0)


def _read(path: _Path, state: State, action: str) -> list[_Path]:
    """The ways in which the agent may read the other player's action."""
    found = []
    readings = pick = 0
    while pick == 0 or pick < readings:
        reader = copy(path.reader)
        reader.pick, reader.readings = pick, 1
        reader.follow(state, action)
        found.append(_Path(reader, path.reach * reader.chance))
        readings = reader.readings
        pick += 1
    return found


def _no_dice() -> float:
    raise AssertionError("a reader is told what to read")
