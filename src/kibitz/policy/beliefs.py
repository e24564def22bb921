"""What a player may believe about the betting, as one who knows its strategy, but not its cards or randomness, can say.

A local best response asks for it. Most players know where they are. One who plays a strategy of an abstract betting
tree, and translates bets that the tree does not have, may believe to be at one of several places; only the player knows
which.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.games import Game, State
from kibitz.policy.base import Cards, Floats, Policy
from kibitz.translation import Reader, write

if TYPE_CHECKING:
    from kibitz.policy.base import Action
    from kibitz.strategy import Strategy

Chances = Callable[[Hashable], npt.NDArray[Any]]
Uniform = Callable[[], float]
Hypothesis = TypeVar("Hypothesis")
NOWHERE = -1  # the key of one who has no place left, and calls


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


class Certain:
    """The belief of a player that knows what it sees: one hypothesis, whatever happens."""

    hypotheses = 1

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def update(self, state: State, action: str) -> tuple[Belief, Floats | None]:
        return self, None

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        key = self._policy.key(state)
        found: dict[str, list[Transition]] = {}
        for number, action in enumerate(self._policy.actions(state)):
            found.setdefault(_drawn(action, uniform), []).append(Transition(0, 0, key, number))
        return [Answer(text, self, transitions) for text, transitions in found.items()]


def _drawn(action: Action, uniform: Uniform) -> str:
    """The action, or one of the raises that it stands for."""
    if action.sizes is None:
        return action.text
    low, high = action.sizes
    return f"r{low + int(uniform() * (high - low + 1))}"


class Hypotheses(ABC, Generic[Hypothesis]):
    """The belief of a player that translates bets: a numbered hypothesis for each way in which it may have done so."""

    def __init__(self, members: Iterable[Hypothesis] = ()) -> None:
        self._number: dict[Hashable, int] = {}
        self.members: list[Hypothesis] = []
        for each in members:
            self.add(each)

    @property
    def hypotheses(self) -> int:
        return len(self.members)

    def add(self, hypothesis: Hypothesis) -> int:
        """The number of the hypothesis, which may have come about in another way before."""
        number = self._number.setdefault(self.key_of(hypothesis), len(self.members))
        if number == len(self.members):
            self.members.append(hypothesis)
        return number

    def update(self, state: State, action: str) -> tuple[Self, Floats | None]:
        after = self.empty()
        ways = [
            (after.add(read), before, chance)
            for before, each in enumerate(self.members)
            for read, chance in self.translations(each, state, action)
        ]
        if len(ways) == 1:
            return after, None
        matrix = np.zeros((after.hypotheses, self.hypotheses))
        for number, before, chance in ways:
            matrix[number, before] += chance
        return after, matrix

    def empty(self) -> Self:
        """A belief of the same player without any hypothesis yet."""
        return type(self)()

    @abstractmethod
    def key_of(self, hypothesis: Hypothesis) -> Hashable:
        """What tells hypotheses apart for all that follows."""

    @abstractmethod
    def translations(self, hypothesis: Hypothesis, state: State, action: str) -> Iterable[tuple[Hypothesis, float]]:
        """What may become of a hypothesis when somebody does `action` in `state`, with chances."""


class Places(Hypotheses[Reader]):
    """The belief of one who plays a strategy of a betting tree: a hypothesis for each place at which it may stand."""

    def key_of(self, hypothesis: Reader) -> Hashable:
        return hypothesis.key

    def translations(self, hypothesis: Reader, state: State, action: str) -> Iterable[tuple[Reader, float]]:
        return ((read, read.chance) for read in hypothesis.read(state, action))

    def nodes(self, state: State) -> list[int]:
        """The node of each hypothesis at which the player to act in `state` acts; NOWHERE where it has no place."""
        places = [copy(reader).tree_place(state) for reader in self.members]
        return [NOWHERE if place is None else place.node for place in places]

    def answers(self, state: State, uniform: Uniform) -> list[Answer]:
        found: dict[str, tuple[Places, list[Transition]]] = {}
        for before, reader in enumerate(self.members):
            for action, after, key, number in _choices(reader, state):
                belief, transitions = found.setdefault(action, (Places(), []))
                transitions.append(Transition(before, belief.add(after), key, number))
        return [Answer(action, belief, transitions) for action, (belief, transitions) in found.items()]

    def chosen(self, state: State, action: str, strategy: Strategy) -> tuple[Places, list[Transition]]:
        """The same for the player's own `action` alone, and only choices that `strategy` makes with some hand."""
        after, transitions = Places(), []
        for before, reader in enumerate(self.members):
            for text, read, node, number in _choices(reader, state):
                if text == action and (node == NOWHERE or strategy.at(node)[number].any()):
                    transitions.append(Transition(before, after.add(read), node, number))
        return after, transitions


def _choices(reader: Reader, state: State) -> Iterator[tuple[str, Reader, int, int]]:
    """What the player may do: the action, the reader after it, the node, and the number of the choice there."""
    place = copy(reader).tree_place(state)
    if place is None:  # it calls, and nothing else
        after = copy(reader)
        after.follow(state, "c")
        yield "c", after, NOWHERE, 0
        return
    for number in range(place.call + 1 + len(place.raises.sizes)):
        after, action = copy(reader), write(place, number, state)
        after.choose(action, number)
        after.follow(state, action)
        yield action, after, place.node, number
