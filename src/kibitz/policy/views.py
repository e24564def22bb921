"""What one who knows an agent's strategy, but neither its cards nor its dice, can say of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy.typing as npt

from kibitz.games import Game, State
from kibitz.policy.hands import Cards, Floats

Chances = Callable[[Hashable], npt.NDArray[Any]]
Uniform = Callable[[], float]


class Transition(NamedTuple):
    """How a hypothesis goes on with an action: it is action `number` of `key`, which `AgentView.chances` explains."""

    before: int
    after: int
    key: Hashable
    number: int


class Answer(NamedTuple):
    """An action that the agent may take, and what it may think then."""

    action: str
    belief: Belief
    transitions: Sequence[Transition]


class Belief(Protocol):
    """What an agent may make of the betting so far, whatever its hand: one or more *hypotheses*.

    An agent that throws dice to read a bet may have taken it for one or for another; only the agent knows.
    """

    @property
    def hypotheses(self) -> int:
        """How many."""

    def update(self, state: State, action: str) -> tuple[Belief, Floats | None]:
        """The other player does `action` in `state`: chances float64[hypotheses then, now]; None: as before."""

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        """All that the agent may do in `state`, each action once.

        Where it has too many sizes to look at all, one that is drawn with `uniform` stands for them.
        """


class AgentView(Protocol):
    """An agent as others may know it."""

    @property
    def draws_sizes(self) -> bool:
        """Whether beliefs ever draw a size: then the betting must be looked at anew for every sample."""

    def start(self, game: Game, position: int) -> Belief:
        """A hand begins; the agent sits at `position`."""

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        """What turns keys into probabilities of actions for hands uint8[n, 2]: float[actions, n], or [actions, 1]."""
