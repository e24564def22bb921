"""Places: the abstract betting as a reader of bets sees it, one point at a time.

A place knows who acts and which sizes are on the menu there, as fractions of its pot. Its children are made when
somebody goes there, so that betting too large for a tree (six players) can still be walked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from kibitz.games import Game, State
from kibitz.tree import DECISION, Menu, Tree
from kibitz.tree.build import resolve_menus
from kibitz.tree.menus import Limited, Used, offered, pot_after_call

MOST_KEPT = 100_000  # places of a betting without a tree that are kept for the next hand, about 1 kB each


class Raises(NamedTuple):
    """What may be raised at a place, in ascending order.

    bet      chips to match, over the whole hand
    pot      chips in the middle once the player has called, as `pot_or_bet` counts them
    amounts  what may be raised to, in chips over the whole hand
    sizes    the same in pots: (amount - bet) / pot
    all_in   whether the last of them is everything
    """

    bet: int
    pot: int
    amounts: Sequence[int]
    sizes: Sequence[float]
    all_in: bool


class Place(ABC):
    """A point of the abstract betting.

    Children are numbered: folding is 0 where somebody must pay to stay, calling is `call` (1 or 0), and raises follow.

    player  who acts; -1 when the hand is over
    round   the betting round
    """

    __slots__ = ("_children", "_raises", "call", "player", "round")

    def __init__(self, player: int, round_: int, fold: bool) -> None:
        self.player = player
        self.round = round_
        self.call = int(fold)
        self._raises: Raises | None = None
        self._children: dict[int, Place] = {}

    @property
    def raises(self) -> Raises:
        """The raises on the menu."""
        if self._raises is None:
            self._raises = self._measure()
        return self._raises

    def child(self, number: int) -> Place:
        """The place after action `number`."""
        return self._children.get(number) or self._grow(number)

    @abstractmethod
    def _measure(self) -> Raises:
        """The raises on the menu, worked out when they are first asked for."""

    @abstractmethod
    def _grow(self, number: int) -> Place:
        """The place after action `number`, made when somebody goes there."""


def pot_or_bet(game: Game, pot: int) -> int:
    """What bets are measured in: the pot, or where nobody has paid anything yet the smallest bet."""
    return pot or game.smallest_bet


def real_pot(state: State) -> int:
    """The pot once the player to act has called, as a measure of bets."""
    return pot_or_bet(state.game, pot_after_call(state))


def _raises(bet: int, pot: int, amounts: Sequence[int], most: int) -> Raises:
    all_in = bool(amounts) and amounts[-1] == most
    return Raises(bet, pot, amounts, [(amount - bet) / pot for amount in amounts], all_in)


class TreePlace(Place):
    """A node of a tree."""

    __slots__ = ("_tree", "node")

    def __init__(self, tree: Tree, node: int = 0) -> None:
        over = tree.kind[node] != DECISION
        fold = not over and tree.actions[tree.first_child[node]] == "f"
        super().__init__(-1 if over else int(tree.player[node]), int(tree.round[node]), fold)
        self._tree = tree
        self.node = node

    def _measure(self) -> Raises:
        tree, node, player = self._tree, self.node, self.player
        spent, most = tree.spent[node].tolist(), tree.game.limits[self.player]
        # At a TDA table a short blind does not lower what there is to match.
        bet = max(*spent, *tree.game.blinds) if tree.game.rules == "tda" else max(spent)
        first = int(tree.first_child[node])
        pot = sum(spent) + sum(tree.game.antes_paid) + min(bet, most) - spent[player]
        amounts = tree.spent[first + self.call + 1 : first + int(tree.children[node]), player].tolist()
        return _raises(bet, pot_or_bet(tree.game, pot), amounts, most)

    def _grow(self, number: int) -> Place:
        child = self._children[number] = TreePlace(self._tree, int(self._tree.first_child[self.node]) + number)
        return child


class _Menus:
    """Betting by rules and menus, and how many of its places are kept."""

    def __init__(self, game: Game, menus: tuple[Menu, ...]) -> None:
        self.game = game
        self.menus = menus
        self.kept = 0


class MenuPlace(Place):
    """A point of betting without a tree; `state` is the abstract hand so far."""

    __slots__ = ("_menus", "_offers", "_used", "state")

    def __init__(self, menus: _Menus, state: State, used: Used) -> None:
        super().__init__(state.player, state.round, state.player >= 0 and state.to_call > 0)
        self._menus = menus
        self.state = state
        self._used = used
        self._offers: list[tuple[str, Limited | None]] = []

    def _measure(self) -> Raises:
        state = self.state
        self._offers = offered(self._menus.menus[state.player], state, self._used)
        limit = self._menus.game.betting == "limit"
        amounts = [state.legal().max_raise_to if limit else int(action[1:]) for action, _limited in self._offers]
        return _raises(state.bet, real_pot(state), amounts, self._menus.game.limits[state.player])

    def _grow(self, number: int) -> Place:
        state, used = self.state, self._used
        if number <= self.call:
            after = state.apply("f" if number < self.call else "c")
        else:
            _ = self.raises  # finds the offers
            action, limited = self._offers[number - self.call - 1]
            after = state.apply(action)
            if limited is not None:
                used = (*used, (limited, state.player))
        child = MenuPlace(self._menus, after, used if after.round == state.round else ())
        if self._menus.kept < MOST_KEPT:
            self._menus.kept += 1
            self._children[number] = child
        return child


def menu_places(game: Game, menus: str | Menu | Sequence[str | Menu]) -> MenuPlace:
    """The first place of `game` when every player keeps to a menu; no tree is built."""
    return MenuPlace(_Menus(game, resolve_menus(game, menus)), State.start(game), ())
