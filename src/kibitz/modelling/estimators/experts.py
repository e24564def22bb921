"""Several strategies of one betting tree, asked together: the experts of a portfolio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError
from kibitz.games import Game
from kibitz.policy.base import Cards, Floats
from kibitz.policy.strategies import StrategyPolicy
from kibitz.tree import Tree


class Experts:
    """Strategies whose betting trees are the same, and that translate bets alike; their cards may differ.

    One tree, so that all of them stand at the same place whatever was bet: what one did, all could have done, and their
    chances to do it can be compared. AgentError where one has another tree or another translation.
    """

    def __init__(self, policies: Sequence[StrategyPolicy]) -> None:
        if not policies:
            raise AgentError("a portfolio without experts: at least one is needed")
        first = policies[0]
        for other in policies[1:]:
            _check_alike(first, other)
        self.policies = tuple(policies)
        self.names = tuple(policy.name for policy in policies)
        self._values = [np.asarray(policy.strategy.values) for policy in policies]  # views without the map's overhead
        groups: dict[str, list[int]] = {}
        for number, policy in enumerate(policies):
            groups.setdefault(policy.strategy.layout.cards, []).append(number)
        self._groups = [np.array(group) for group in groups.values()]

    def __len__(self) -> int:
        return len(self.policies)

    @property
    def tree(self) -> Tree:
        """The betting tree of all."""
        return self.policies[0].strategy.layout.tree

    def check(self, game: Game) -> None:
        """AgentError unless all of them play `game`."""
        for policy in self.policies:
            policy.check(game)

    def of_hand(self, node: int, hole: tuple[int, ...], board: tuple[int, ...]) -> Floats:
        """What each expert does with one hand at a decision: float64[experts, actions].

        board   the cards of the decision's round
        """
        player, round_ = int(self.tree.player[node]), int(self.tree.round[node])
        found = np.empty((len(self), int(self.tree.children[node])))
        for group in self._groups:
            state = self.policies[group[0]].states.state(player, round_, hole, board)
            for expert in group:
                found[expert] = self._block(expert, node)[:, state]
        return found

    def states(self, player: int, round_: int, hands: Cards, board: tuple[int, ...]) -> list[npt.NDArray[Any]]:
        """The private states of hands uint8[n, hole cards] that share no card with the board: int[n] for every kind of
        cards that the experts have.
        """
        return [self.policies[group[0]].card_states(player, round_, hands, board) for group in self._groups]

    def row(self, node: int, number: int, states: list[npt.NDArray[Any]]) -> Floats:
        """How likely each expert takes action `number` with hands of these `states`: float64[experts, n]."""
        found = np.empty((len(self), len(states[0])))
        for group, of_hands in zip(self._groups, states, strict=True):
            for expert in group:
                found[expert] = self._block(expert, node)[number][of_hands]
        return found

    def _block(self, expert: int, node: int) -> npt.NDArray[Any]:
        offset = self.policies[expert].strategy.layout.offset
        return self._values[expert][offset[node] : offset[node + 1]].reshape(int(self.tree.children[node]), -1)


def _check_alike(one: StrategyPolicy, other: StrategyPolicy) -> None:
    mine, theirs = one.strategy.layout.tree, other.strategy.layout.tree
    if mine.fingerprint != theirs.fingerprint:
        raise AgentError(
            f"{one.name} has {_betting(mine)}, {other.name} has {_betting(theirs)}: the experts of a portfolio need "
            "one game and one betting abstraction"
        )
    if one.reading != other.reading:
        raise AgentError(
            f"{one.name} translates bets by {one.reading.mapping}, {other.name} by {other.reading.mapping}: the "
            "experts of a portfolio translate alike"
        )


def _betting(tree: Tree) -> str:
    menus = " and ".join(dict.fromkeys(map(str, tree.menus))) or "learnt bet sizes"
    return f"the menu {menus} of {tree.game.name or 'its game'} ({len(tree):,} nodes)"
