"""Agents seen from outside by one who knows how they play: what they would do with every hand, but not their dice.

These are the views that a local best response needs (`kibitz.solvers.real.local.AgentView`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.agents.base import Agent, plays_as
from kibitz.agents.frequency import ANY, CALL, FOLD, FrequencyAgent, legal_policy, raise_size
from kibitz.agents.preflop import preflop_equity
from kibitz.agents.rules import RuleAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.solvers.real.local import AgentView, Answer, Chances, Link, Stand, Uniform
from kibitz.solvers.real.policy import HOLES, Cards, Floats, HandPolicy
from kibitz.solvers.real.strengths import hand_strengths
from kibitz.translation import Reader, TreePlace, write

KNOWN = "the folder of a strategy, fixed frequencies such as always-call, or rules such as tight-passive"


def view_of(agent: Agent) -> AgentView:
    """The view of an agent whose probabilities are known: it plays a strategy, fixed frequencies or rules."""
    if plays_as(agent, FrequencyAgent):
        return FrequencyView(agent)
    if plays_as(agent, RuleAgent):
        return RuleView(agent)
    if isinstance(agent, StrategyAgent):
        return StrategyView(agent)
    raise unknown_probabilities(agent)


def unknown_probabilities(agent: Agent) -> AgentError:
    """The error of one who asks for the probabilities of an agent that only plays."""
    return AgentError(
        f"{agent.name} only plays, it cannot say how likely it does what with another hand: give {KNOWN}; "
        "against others there is `kibitz match`"
    )


class _OneThought(ABC):
    """The stand of an agent that knows what it sees."""

    thoughts = 1

    def hear(self, state: State, action: str) -> tuple[Stand, Floats | None]:
        return self, None

    @abstractmethod
    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        """What it may do, as `Stand` has it."""

    def _answer(self, action: str, key: Hashable, number: int) -> Answer:
        return Answer(action, self, (Link(0, 0, key, number),))


class FrequencyView(_OneThought):
    """An agent that never looks at its cards."""

    def __init__(self, agent: FrequencyAgent) -> None:
        self._agent = agent
        self.drawn = bool(agent.table[..., ANY].any())

    def start(self, game: Game, position: int) -> Stand:
        self._rows = self._agent.policy(game).tolist()
        return self

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        legal = state.legal()
        weights = legal_policy(self._rows[state.round][1 if state.to_call > 0 else 0], legal)
        if sum(weights) <= 0:
            weights[CALL] = 1.0
        found: dict[str, float] = {}
        for move, weight in enumerate(weights):
            if weight > 0:
                action = {FOLD: "f", CALL: "c"}.get(move) or self._raise(move, state, uniform)
                found[action] = found.get(action, 0.0) + weight / sum(weights)
        chances = tuple(found.values())
        return [self._answer(action, chances, number) for number, action in enumerate(found)]

    def _raise(self, move: int, state: State, uniform: Uniform) -> str:
        legal = state.legal()
        if legal.limit:
            return "r"
        if move == ANY:
            low, high = legal.min_raise_to, legal.max_raise_to
            return f"r{low + int(uniform() * (high - low + 1))}"
        return f"r{raise_size(move, state, legal, 0)}"

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        return lambda key: np.array(key, dtype=np.float32)[:, None]


@dataclass(frozen=True, eq=False)
class _Asked:
    """A point at which a rule agent acts, as a key: no two are the same, so that none need be compared."""

    state: State


class RuleView(_OneThought):
    """An agent that plays by the strength of its hand."""

    drawn = False

    def __init__(self, agent: RuleAgent) -> None:
        self._agent = agent

    def start(self, game: Game, position: int) -> Stand:
        return self

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        key, legal = _Asked(state), state.legal()
        possible = state.to_call > 0, True, legal.max_raise_to > 0
        actions = enumerate(self._agent.actions(state))
        return [self._answer(action, key, number) for number, action in actions if possible[number]]

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        strengths = rule_strengths(board)[hand_numbers(holes)]

        @lru_cache(maxsize=1)
        def at(key: _Asked) -> npt.NDArray[Any]:
            return self._agent.probabilities(key.state, strengths).astype(np.float32)

        return at


def rule_strengths(board: tuple[int, ...]) -> Floats:
    """What a rule agent takes for the strength of each of `HOLES`: float64[1326]."""
    return hand_strengths(board) if board else _starting_strengths()


@lru_cache(maxsize=1)
def _starting_strengths() -> Floats:
    return np.array([preflop_equity(hand) for hand in HOLES.tolist()])


def hand_numbers(holes: Cards) -> npt.NDArray[np.int64]:
    """Where hands uint8[n, 2] stand among `HOLES`."""
    low, high = np.sort(holes.astype(np.int64), axis=1).T
    return np.asarray(high * (high - 1) // 2 + low)


class _Readers:
    """The stand of an agent that reads bets: one thought for each way in which it may have read the hand."""

    def __init__(self, readers: Iterable[Reader]) -> None:
        self._number: dict[Hashable, int] = {}
        self._readers: list[Reader] = []
        for reader in readers:
            self.add(reader)

    @property
    def thoughts(self) -> int:
        return len(self._readers)

    def add(self, reader: Reader) -> int:
        """The number of the thought, which may have come about in another way before."""
        number = self._number.setdefault(reader.key, len(self._readers))
        if number == len(self._readers):
            self._readers.append(reader)
        return number

    def hear(self, state: State, action: str) -> tuple[Stand, Floats | None]:
        after = _Readers(())
        ways = [
            (after.add(read), before, read.chance)
            for before, reader in enumerate(self._readers)
            for read in reader.read(state, action)
        ]
        if len(ways) == 1:
            return after, None
        matrix = np.zeros((after.thoughts, self.thoughts))
        for number, before, chance in ways:
            matrix[number, before] += chance
        return after, matrix

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        found: dict[str, tuple[_Readers, list[Link]]] = {}
        for before, reader in enumerate(self._readers):
            for action, after, key, number in _choices(reader, state):
                stand, links = found.setdefault(action, (_Readers(()), []))
                links.append(Link(before, stand.add(after), key, number))
        return [Answer(action, stand, links) for action, (stand, links) in found.items()]


def _choices(reader: Reader, state: State) -> Iterator[tuple[str, Reader, Hashable, int]]:
    """What the agent may do: the action, the reader after it, the node, -1 for none, and the number there."""
    place = copy(reader).tree_place(state)
    if place is None:  # it calls, and nothing else
        after = copy(reader)
        after.follow(state, "c")
        yield "c", after, -1, 0
        return
    for number in range(place.call + 1 + len(place.raises.sizes)):
        after, action = copy(reader), write(place, number, state)
        after.choose(action, number)
        after.follow(state, action)
        yield action, after, place.node, number


class StrategyView:
    """An agent that plays a strategy. Where it throws dice to read a bet, all readings are kept, each with its chance.

    policy   what the strategy's card states mean; by default what its manifest says
    """

    drawn = False

    def __init__(self, agent: StrategyAgent, policy: HandPolicy | None = None) -> None:
        self._agent = agent
        self._policy = policy or HandPolicy.of(agent.strategy)
        self._root = TreePlace(agent.strategy.layout.tree)

    def start(self, game: Game, position: int) -> Stand:
        if not self._agent.plays(game):
            own = self._agent.strategy.layout.tree.game
            raise AgentError(f"{self._agent.name} plays {own.name or 'another game'}, not {game.name or 'this one'}")
        return _Readers([Reader(self._root, self._agent.reading)])

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        strategy, tree = self._agent.strategy, self._agent.strategy.layout.tree
        boards = np.broadcast_to(np.array(board, dtype=np.uint8), (len(holes), len(board)))
        states = self._policy.states(position, tree.game.board_ends.index(len(board)), holes, boards)

        @lru_cache(maxsize=1)
        def at(node: int) -> npt.NDArray[Any]:
            if node < 0:
                return np.ones((1, 1), dtype=np.float32)
            return strategy.at(node).take(states, axis=1).astype(np.float32)

        return at
