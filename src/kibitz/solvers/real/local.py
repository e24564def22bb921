"""Local best response (Lisý and Bowling 2017): who knows what an agent does with every hand, and looks one bet ahead.

At each of its decisions it knows the agent's range: all hands, weighted by how likely the agent would have acted as it
did. It believes that after its action and the agent's answer nobody bets any more, and takes the best of folding,
calling and some bet sizes. What it wins in play is, on average, no more than a best response would: a lower bound on
how much the agent can be beaten by.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from kibitz.errors import AgentError
from kibitz.games import Game, State, split_actions
from kibitz.solvers.real.check_down import equities, free_hands
from kibitz.solvers.real.policy import Floats
from kibitz.tree.build import resolve_menus
from kibitz.tree.menus import Menu, offered


class AgentView(Protocol):
    """What an onlooker who knows an agent's strategy, but neither its cards nor its dice, can say of it."""

    def restart(self, game: Game, position: int) -> None:
        """A hand begins; the agent sits at `position`."""

    def follow(self, state: State, action: str) -> None:
        """The player to act in `state`, whoever that is, does `action`."""

    def weights(self) -> Floats:
        """How likely the agent would have acted as it did with each of `HOLES`: float64[1326]."""

    def folding(self, state: State, action: str) -> Floats:
        """How likely it would have acted so, and would fold if the other player now did `action` in `state`."""


class LocalBestResponder:
    """An agent that plays against the one it has a view of.

    menu         the bet sizes it looks at, in the language of menus; words like `once` have no meaning here
    calm_rounds  it only calls in so many rounds first; patient responders often win more
    """

    def __init__(self, view: AgentView, menu: str | Menu = "fcpa", calm_rounds: int = 0) -> None:
        self.name = "local best response"
        self._view = view
        self._menu_text = menu
        self._calm_rounds = calm_rounds

    def reset(self, game: Game, seed: int) -> None:
        """A match begins; there is no randomness here."""
        if game.players != 2 or game.hole_cards != 2 or game.board_ends != (0, 3, 4, 5) or len(game.deck) != 52:
            raise AgentError(f"{self.name} plays two-player hold'em, not {game.name or 'this game'}")
        self._menu = resolve_menus(game, self._menu_text)[0]
        self._seen: State | None = None
        self._equities: tuple[object, Floats] = ((), np.zeros(0))

    def observe(self, state: State, position: int) -> None:
        """A hand is over."""
        self._seen = None

    def act(self, state: State) -> str:
        self._catch_up(state)
        if state.round < self._calm_rounds:
            return "c"
        values = self.values(state)
        return max(values, key=values.__getitem__)

    def values(self, state: State) -> dict[str, float]:
        """Chips that each action is worth, if nobody bets after it and its answer; folding is worth 0."""
        hole, board = state.hole[state.player], state.board
        range_ = self._view.weights() * free_hands({*hole, *board})
        if range_.sum() <= 0:
            raise AgentError(f"in {state} the agent has acted as it never does with any hand")
        wins = self._wins(hole, board)
        pot, asked = state.pot, state.to_call
        win = float(range_ @ wins / range_.sum())
        values = {"f": 0.0} if state.legal().fold and asked else {}
        values["c"] = win * pot - (1 - win) * asked
        for action, _limited in offered(self._menu, state, ()):
            values[action] = self._raise_value(state, action, range_, wins)
        return values

    def _raise_value(self, state: State, action: str, range_: Floats, wins: Floats) -> float:
        after = state.apply(action)
        folds = self._view.folding(state, action) * (range_ > 0)
        stays = np.maximum(range_ - folds, 0.0)
        folded = float(folds.sum() / range_.sum())
        win = float(stays @ wins / stays.sum()) if stays.sum() > 0 else 0.0
        paid = after.spent[state.player] - state.spent[state.player]
        return folded * state.pot + (1 - folded) * (win * (state.pot + after.to_call) - (1 - win) * paid)

    def _wins(self, hole: tuple[int, ...], board: tuple[int, ...]) -> Floats:
        if self._equities[0] != (hole, board):
            self._equities = (hole, board), equities(hole, board)
        return self._equities[1]

    def _catch_up(self, state: State) -> None:
        """Tell the view what has happened since it was last told."""
        seen = self._seen
        if seen is None or not state.history.startswith(seen.history):
            self._view.restart(state.game, 1 - state.player)
            seen = State.start(state.game)
        seen = seen._replace(deal=state.deal)
        for action in split_actions(state.history[len(seen.history) :]):
            self._view.follow(seen, action)
            seen = seen.apply(action)
        self._seen = seen
