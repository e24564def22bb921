"""Strategies of a betting tree, played in the real game: bets that the tree does not have are translated."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.policy.base import FEW, Action, Cards, Floats, Policy, fingerprint_of, free_hands, normalised
from kibitz.strategy import Strategy
from kibitz.translation import Reader, Reading, TreePlace, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from kibitz.policy.beliefs import Chances, Places, Transition
    from kibitz.policy.hands import HandPolicy
    from kibitz.tree import Tree

    # A belief before and after an action: chances float64[hypotheses then, now] of a translation (None: one way only),
    # or the player's own choices.
    Step = tuple[Places, Floats | list[Transition] | None]


class CardStates(Protocol):
    """What tells a player which card state he is in. One who can also tell many at once has a method `states`:
    `states(player, round_, hands, board)` gives int[n] of hands uint8[n, hole cards] on one board.
    """

    @property
    def fingerprint(self) -> str:
        """A hash of what the states mean."""

    def state(self, player: int, round_: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """The state of `player`, who holds `hole` with `board` on the table."""


class StrategyPolicy(Policy):
    """What `strategy` does, averaged over all that the player may believe about the betting.

    A bet off the menu may be translated in more than one way, each with the chance that `reading` gives it. And what
    the player did itself may have been written for several choices (all of them too small to be legal, or a call for
    want of a legal raise). Each hand makes each of these hypotheses as likely as the mapping and the strategy do, given
    that it acted as it did. Where the abstract hand has nothing left to say, the player calls.
    """

    def __init__(
        self, strategy: Strategy, states: CardStates, reading: Reading | None = None, name: str = "strategy"
    ) -> None:
        if states.fingerprint != strategy.layout.cards:
            raise AgentError(f"the strategy has private states {strategy.layout.cards}, these are {states.fingerprint}")
        self.name, self.strategy, self.states, self.reading = name, strategy, states, reading or Reading()
        self.root = TreePlace(strategy.layout.tree)
        self._followed: tuple[str, list[Step]] = "", []

    @property
    def fingerprint(self) -> str:  # type: ignore[override]
        return fingerprint_of("strategy", self.strategy.values, self.strategy.layout.cards, self.reading)

    def plays(self, game: Game) -> bool:
        """Whether `game` is the one the strategy was made for, whatever it is called."""
        own = self.strategy.layout.tree.game
        return all(getattr(own, name) == getattr(game, name) for name in own.__dataclass_fields__ if name != "name")

    def check(self, game: Game) -> None:
        if not self.plays(game):
            own = self.strategy.layout.tree.game
            raise AgentError(f"{self.name} plays {own.name or 'another game'}, not {game.name or 'this one'}")

    def actions(self, state: State) -> tuple[Action, ...]:
        return tuple(self._written(state))

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        @cache
        def states(round_: int) -> npt.NDArray[Any]:
            return self.card_states(state.player, round_, hands, board[: state.game.board_ends[round_]])

        free = free_hands(hands, board)
        if not free.all():
            found = np.zeros((len(self.actions(state)), len(hands)))
            found[:, free] = self.probabilities(state, hands[free], board)
            return found
        written = self._written(state)
        found = np.zeros((len(written), len(hands)))
        weights = self._weights(self._follow(state), states, len(hands))
        for row, choices in zip(found, written.values(), strict=True):
            for hypothesis, node, number in choices:
                share = 1.0 if node < 0 else self.strategy.at(node)[number, states(state.round)]
                row += weights[hypothesis] * share
        return found

    def places(self, state: State) -> list[int | None]:
        """The nodes at which the player to act in `state` may believe to stand; None stands for no place left."""
        return [None if node < 0 else node for node in self._follow(state)[-1][0].nodes(state)]

    def card_states(self, player: int, round_: int, hands: Cards, board: tuple[int, ...]) -> npt.NDArray[Any]:
        """The private states of hands uint8[n, hole cards] on one board: int[n]."""
        many = getattr(self.states, "states", None) if len(hands) > FEW else None
        if many is not None:
            return np.asarray(many(player, round_, hands, board))
        return np.array([self.states.state(player, round_, tuple(hand), board) for hand in hands.tolist()], dtype=int)

    def _written(self, state: State) -> dict[Action, list[tuple[int, int, int]]]:
        """Every action that may be taken in `state`, with the (hypothesis, node, number) of the choices it stands for.

        A hypothesis without a place calls, and so does one who never comes here.
        """
        found: dict[Action, list[tuple[int, int, int]]] = {}
        for hypothesis, reader in enumerate(self._follow(state)[-1][0].members):
            place = reader.tree_place(state)
            if place is None:
                found.setdefault(Action("c"), []).append((hypothesis, -1, 0))
                continue
            for number in range(place.call + 1 + len(place.raises.sizes)):
                action = Action(write(place, number, state))
                found.setdefault(action, []).append((hypothesis, place.node, number))
        return found or {Action("c"): [(0, -1, 0)]}

    def _follow(self, state: State) -> list[Step]:
        """What the player to act may believe, at the start and after each action so far, and how it comes about.

        Nothing is left to believe after an action that it would not have taken with any hand.
        """
        from kibitz.policy.beliefs import Places

        if self._followed[1] and self._followed[0] == state.history:
            return self._followed[1]
        belief = Places([Reader(self.root, self.reading)])
        steps: list[Step] = [(belief, None)]
        for real, action in state.past():
            how: Floats | list[Transition] | None
            if real.player == state.player:
                belief, how = belief.chosen(real, action, self.strategy)
            else:
                belief, how = belief.update(real, action)
            steps.append((belief, how))
        self._followed = state.history, steps
        return steps

    def _weights(self, steps: list[Step], states: Callable[[int], npt.NDArray[Any]], count: int) -> Floats:
        """How likely each hypothesis of the last step is with each hand: float64[hypotheses, hands].

        states   gives the private states of all hands in a round
        """
        weights = np.ones((1, count))
        if steps[-1][0].hypotheses <= 1:  # nearly always: cards of earlier rounds need not be looked at
            return weights
        rounds = self.strategy.layout.tree.round
        for belief, how in steps[1:]:
            if isinstance(how, list):
                before, weights = weights, np.zeros((belief.hypotheses, count))
                for hypothesis, after, key, number in how:
                    node = int(key)  # type: ignore[call-overload]
                    share = 1.0 if node < 0 else self.strategy.at(node)[number, states(int(rounds[node]))]
                    weights[after] += before[hypothesis] * share
            elif how is not None:
                weights = (how[:, :, None] * weights).sum(axis=1)
        return normalised(weights)

    def start(self, game: Game, position: int) -> Places:
        from kibitz.policy.beliefs import Places

        self.check(game)
        return Places([Reader(self.root, self.reading)])

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        round_ = self.strategy.layout.tree.game.board_ends.index(len(board))
        states = self.card_states(position, round_, holes, board)

        @lru_cache(maxsize=1)  # a node is asked for each of its actions in turn
        def at(node: Any) -> npt.NDArray[np.float32]:
            if node < 0:
                return np.ones((1, 1), dtype=np.float32)
            return self.strategy.at(node).take(states, axis=1).astype(np.float32)

        return at

    def on_tree(self, tree: Tree) -> HandPolicy:
        """As it is: a strategy has a tree of its own, which must be of the same game."""
        return self.in_game(tree.game)

    def in_game(self, game: Game, menu: str = "") -> HandPolicy:
        from kibitz.policy.hands import HandPolicy, check_real_hands

        check_real_hands(game)
        self.check(game)
        return HandPolicy.of(self.strategy)
