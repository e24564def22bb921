"""Agents that have learned (Sweeney 2012): folders that `kibitz train self-play` and `train best-response` leave.

>>> from kibitz.agents.learned import load_learned_agent
>>> agent = load_learned_agent("agent,name=mine")  # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from kibitz.agents.base import Named
from kibitz.agents.settings import read_folder
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.learning import Model, load_model
from kibitz.learning.explain import Explanation, explain
from kibitz.learning.policy import LearnedPolicy, LimitPolicy
from kibitz.learning.responses import load_response
from kibitz.random import Dice


class LimitAgent(Named):
    """Plays limit hold'em for 2 to 10 players by the probabilities of a policy."""

    policy: LimitPolicy  # what it does, see `known_policy`

    def __init__(self, policy: LimitPolicy) -> None:
        self.policy, self.name = policy, policy.name

    def plays(self, game: Game) -> bool:
        """Whether `game` is limit hold'em, at any stakes and for any number of players."""
        try:
            self.policy.check(game)
        except AgentError:
            return False
        return True

    def reset(self, game: Game, seed: int) -> None:
        self.policy.check(game)
        self._dice = Dice(seed)

    def act(self, state: State) -> str:
        actions = self.policy.actions(state)
        hole = np.array([state.hole[state.player]], dtype=np.uint8)
        chances = self.policy.probabilities(state, hole, state.board)[:, 0]
        drawn = self._dice.uniform()
        for action, chance in zip(actions, chances, strict=True):
            drawn -= chance
            if drawn < 0:
                return action.text
        return actions[-1].text

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()


class LearnedAgent(LimitAgent):
    """Plays by a learned model: `LearnedPolicy` says how."""

    policy: LearnedPolicy

    def __init__(self, model: Model, name: str = "self-play", observer: Model | None = None) -> None:
        super().__init__(LearnedPolicy(model, name, observer))

    def describe_beliefs(self, state: State, names: Sequence[str]) -> str:
        """What the observer believes of everybody, and what the agent would do in the place of the player to act."""
        found = explain(self.policy, state)
        width = max(map(len, names))
        lines = ["probabilities of the eight card-types"]
        lines += [
            f"{name:<{width}}  {' '.join(f'{each:.2f}' for each in belief)}"
            for name, belief in zip(names, found.beliefs, strict=True)
        ]
        shares = ", ".join(f"{name} {100 * share:.0f} %" for name, share in found.probabilities.items())
        return "\n".join([*lines, f"with these cards {self.name} would {shares}"])

    def explain(self, state: State) -> Explanation:
        """Why it acts as it does in `state`."""
        return explain(self.policy, state)


def load_learned_agent(text: str) -> LearnedAgent:
    """The agent written FOLDER or FOLDER,name=..."""
    path, settings = read_folder(text, ("name",))
    name = settings.pop("name", path.resolve().name)
    return LearnedAgent(_load(path, (path / "manifest.json").stat().st_mtime_ns), name)


@lru_cache(maxsize=8)
def _load(path: Path, _written: int) -> Model:
    """The model in `path`, kept for the next match; `_written` tells another one there from this one."""
    return load_model(path)


def load_responding_agent(text: str) -> LearnedAgent:
    """The agent written FOLDER or FOLDER,name=..., the folder being one that `kibitz train best-response` leaves."""
    path, settings = read_folder(text, ("name",))
    model, observer = load_response(path)
    return LearnedAgent(model, settings.pop("name", path.resolve().name), observer)
