"""Agents that play a strategy of a betting tree in the real game: they read bets, draw an action, and write it.

A folder with one for each seat (see `kibitz.strategy.seats`) is an agent that plays one in each position.

>>> from kibitz.agents.strategic import StrategyAgent
>>> from kibitz.games import load_game
>>> from kibitz.solvers.problem import Problem
>>> from kibitz.strategy import Strategy
>>> problem = Problem(load_game("leduc-nolimit"), "fcpa")
>>> StrategyAgent(Strategy.uniform(problem.vector.layout), problem.sampled.deal, name="anything-goes").name
'anything-goes'
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from kibitz.agents.base import Agent, Named
from kibitz.agents.settings import read_folder
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.plans import MANIFEST, kind_of
from kibitz.policy.card_states import card_states
from kibitz.policy.strategies import CardStates, StrategyPolicy
from kibitz.random import Dice
from kibitz.strategy import Strategy, load_strategy
from kibitz.strategy.seats import seat_folders
from kibitz.translation import Reading, Tracker, TreePlace, write


class StrategyAgent(Named):
    """Plays `strategy`, translating bets that its tree does not have by `reading`.

    Where the abstract hand has nothing left to say (see `kibitz.translation.tracker`), the agent calls.
    """

    policy: StrategyPolicy  # what it does, see `known_policy`

    def __init__(
        self, strategy: Strategy, states: CardStates, reading: Reading | None = None, name: str = "strategy"
    ) -> None:
        self.policy = StrategyPolicy(strategy, states, reading, name)
        self.name = name

    @property
    def strategy(self) -> Strategy:
        """What it plays."""
        return self.policy.strategy

    def plays(self, game: Game) -> bool:
        """Whether `game` is the one the strategy was made for, whatever it is called."""
        return self.policy.plays(game)

    def reset(self, game: Game, seed: int) -> None:
        self.policy.check(game)
        self._dice = Dice(seed)
        self._tracker = Tracker(self.policy.root, self.policy.reading, self._dice.uniform)

    def place(self, state: State) -> TreePlace | None:
        """Where the hand stands in the strategy's own tree, as the agent has read it; None where it has no place left.

        Asked again in the same state, before or after `act`, it says the same.
        """
        place = self._tracker.catch_up(state)
        assert place is None or isinstance(place, TreePlace)
        return place

    def act(self, state: State) -> str:
        place = self.place(state)
        if place is None:
            return "c"
        number = draw_action(self.probabilities(place.node, state), self._dice.uniform())
        action = write(place, number, state)
        self._tracker.choose(action, number)
        return action

    def probabilities(self, node: int, state: State) -> list[float]:
        """How likely each action is at `node` for the player to act in `state`."""
        player = state.player
        card_state = self.policy.states.state(player, state.round, state.hole[player], state.board)
        chances: list[float] = self.strategy.at(node)[:, card_state].tolist()
        return chances

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()
        self._tracker.restart()


def draw_action(chances: list[float], uniform: float) -> int:
    """The number of the action at `uniform` (in [0, 1)) of chances that need not sum to 1."""
    target = uniform * sum(chances)
    for number, chance in enumerate(chances):
        target -= chance
        if target < 0:
            return number
    return max(range(len(chances)), key=chances.__getitem__)  # rounding ate the last of it


def load_strategy_agent(text: str) -> StrategyAgent:
    """The agent written FOLDER,mapping=rand-psharmonic,measure=pots,all_in=size,tiny=check,threshold=0,name=...

    Only the folder is needed; `threshold` drops actions less likely than it (see `Strategy.thresholded`).
    """
    folder, settings = read_folder(text, (*Reading.__dataclass_fields__, "threshold", "name"))
    written = (folder / MANIFEST).stat().st_mtime_ns if kind_of(folder) else 0
    strategy, states = _load(folder, written)
    least = settings.pop("threshold", "0")
    try:
        strategy = strategy.thresholded(float(least)) if float(least) else strategy
    except ValueError:  # which StrategyError is too
        raise AgentError(f"threshold={least} in {text!r}: a number from 0 to 1") from None
    whole = Path(os.path.abspath(folder))  # "." has no name, and links keep theirs
    name = settings.pop("name", whole.parent.name if whole.name == "strategy" else whole.name)
    return StrategyAgent(strategy, states, Reading(**settings), name)


def strategy_agent(strategy: Strategy, name: str = "strategy") -> StrategyAgent:
    """The agent that plays a strategy whose manifest says what its card states are."""
    return StrategyAgent(strategy, card_states(strategy), name=name)


class SeatedAgent(Named):
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


def load_seated_agent(text: str) -> SeatedAgent:
    """The agent written FOLDER,mapping=...: settings are those of `load_strategy_agent` and go to every position."""
    path, comma, settings = text.partition(",")
    agents = [load_strategy_agent(f"{folder}{comma}{settings}") for folder in seat_folders(Path(path))]
    names = {agent.name for agent in agents}
    return SeatedAgent(agents, names.pop() if len(names) == 1 else Path(path).name)


@lru_cache(maxsize=8)
def _load(folder: Path, _written: int) -> tuple[Strategy, CardStates]:
    """What is in `folder`, kept for the next match; `_written` tells another strategy there from this one."""
    strategy = load_strategy(folder)
    return strategy, card_states(strategy)
