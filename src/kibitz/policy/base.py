"""The one question about a player: what does it do with each of these hands here?

Whoever can answer it is a `Policy`: two methods, and everything that measures players takes it. Agents have theirs as
their attribute `policy`; a policy with dice and a memory is an agent.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError
from kibitz.files import fingerprint
from kibitz.games import Game, State

if TYPE_CHECKING:
    from kibitz.policy.beliefs import Belief, Chances
    from kibitz.policy.boards import BoardPolicy
    from kibitz.policy.hands import HandPolicy
    from kibitz.tree import Tree

Cards = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
FEW = 8  # hands that are faster looked up one by one
KNOWN = (
    "the folder of a strategy, a file of cases, fixed frequencies such as always-call, or rules such as tight-passive"
)


class Action(NamedTuple):
    """Something that a player may do.

    text   the action, as in ACPC's protocol; of many raises one of them
    sizes  the smallest and the largest of many raises, all amounts between being equally likely; None for one action
    """

    text: str
    sizes: tuple[int, int] | None = None


class Asked:
    """A point of the betting at which a player is asked, as a key: no two are the same, so none need be compared."""

    __slots__ = ("state",)

    def __init__(self, state: State) -> None:
        self.state = state


class Policy(ABC):
    """What a player does with each hand. A new kind of player has `actions` and `probabilities`; the rest follows.

    name         of the player, in messages
    fingerprint  a hash of all that decides the probabilities
    draws_sizes  whether some action stands for many raises
    blind        whether it never looks at its cards, and `rows` says all that it does
    """

    name: str
    fingerprint: str
    draws_sizes = False
    blind = False

    @abstractmethod
    def actions(self, state: State) -> tuple[Action, ...]:
        """All that the player to act in `state` may do, whatever it holds: single actions first, each once.

        state   the betting; its cards are not looked at
        """

    @abstractmethod
    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        """How likely each of `actions(state)` is with each hand: float64[actions, n].

        Columns sum to 1; those of hands that share a card with the board are 0.

        hands  : uint8[n, hole cards]
        board  : the cards of the round of `state`
        """

    def check(self, game: Game) -> None:  # noqa: B027 - by default it plays every game
        """AgentError unless the player plays `game`."""

    def for_game(self, game: Game) -> Policy:
        """The policy as `game` has it, so that its fingerprint is of nothing else; AgentError unless it plays that."""
        self.check(game)
        return self

    def rows(self, game: Game) -> Floats:
        """The frequencies of one who is `blind`: float64[rounds, 2, moves], see `kibitz.policy.frequencies.MOVES`."""
        raise AgentError(f"{self.name} looks at its cards: it has no table of frequencies")

    # What a local best response asks (`kibitz.policy.beliefs.AgentView`): the betting is laid out once, with keys
    # in the place of probabilities, and the keys are looked up on every board.

    def start(self, game: Game, position: int) -> Belief:
        """What the player makes of the betting as a hand begins; by default it always knows where it is."""
        from kibitz.policy.beliefs import Certain

        self.check(game)
        return Certain(self)

    def key(self, state: State) -> Hashable:
        """What `chances` turns into the probabilities of `actions(state)`."""
        return Asked(state)

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        """What turns keys into probabilities of actions for hands uint8[n, 2]: float32[actions, n], or [actions, 1]."""

        @lru_cache(maxsize=1)  # a point is asked for each of its actions in turn
        def at(key: Any) -> npt.NDArray[np.float32]:
            return self.probabilities(key.state, holes, board).astype(np.float32)

        return at

    # What a real best response asks.

    def on_tree(self, tree: Tree) -> HandPolicy:
        """The policy as a strategy of a betting tree that has all its bets, with classes of hands for buckets."""
        raise AgentError(f"{self.name} tells apart more hands than a best response to all of them can")

    def in_game(self, game: Game, menu: str = "fcpa") -> HandPolicy | BoardPolicy:
        """The policy as a strategy of `game`, on a betting tree with the sizes of `menu` unless it has its own.

        Where hands share no classes, it has a table for every board.
        """
        from kibitz.policy.hands import check_real_hands
        from kibitz.tree import build_tree

        check_real_hands(game)
        return self.on_tree(build_tree(game, menu))


def free_hands(hands: Cards, board: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Which of `hands`, uint8[n, hole cards], share no card with the board: bool[n]."""
    return np.asarray(~(hands[:, :, None] == np.array(board, dtype=np.uint8)).any(axis=(1, 2)))


def normalised(weights: Floats) -> Floats:
    """What hypotheses weigh with each hand, float64[hypotheses, hands], as chances.

    A hand without any weight is not here: what it does counts for nothing, and all hypotheses are alike.
    """
    weights = np.where(weights.sum(axis=0) == 0, 1.0, weights)
    return np.asarray(weights / weights.sum(axis=0))


def known_policy(agent: object) -> Policy | None:
    """The policy of an agent that has one and acts by it; None where nothing is known.

    Whoever has replaced a method of the class that names the policy, as a property or by its type, may do anything.
    """
    policy = getattr(agent, "policy", None)
    if not isinstance(policy, Policy):  # to other agents the word may mean something else
        return None
    owner = next((kind for kind in type(agent).__mro__ if _names_policy(kind)), type(agent))
    methods = {name for name, value in vars(owner).items() if callable(value) and not name.startswith("__")}
    replaced = methods & vars(agent).keys() or any(
        getattr(type(agent), name) is not getattr(owner, name) for name in methods
    )
    return None if replaced else policy


def _names_policy(kind: type) -> bool:
    return "policy" in vars(kind) or "policy" in vars(kind).get("__annotations__", {})


def standing_policy(agent: object) -> Policy | None:
    """The policy of an agent that plays every hand of a match by it; None of one that learns from the hands before.

    What such an agent would do now is not what it would have done in a hand that is over.
    """
    return None if getattr(agent, "remembers", False) else known_policy(agent)


def policy_of(agent: Any, game: Game | None = None) -> Policy:
    """The policy of an agent, which must play `game` where one is given; AgentError where nothing is known of it."""
    policy = known_policy(agent)
    if policy is None:
        raise AgentError(
            f"{agent.name} only plays, it cannot say how likely it does what with another hand: give {KNOWN}; "
            "against others there is `kibitz match`"
        )
    return policy if game is None else policy.for_game(game)


def fingerprint_of(*parts: object) -> str:
    """Sixteen digits that change when anything in `parts` does; arrays count with all their entries."""
    told = (part if isinstance(part, np.ndarray) else repr(part) for part in parts)
    return fingerprint(*(piece for part in told for piece in (part, b"\0")))
