"""A strategy of two-player hold'em as it plays real hands: the probabilities of all 1,326 on any board.

Any policy that tells few classes of hands apart can be written as one, for those who respond to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction, build_abstraction
from kibitz.abstraction.features.boards import pair_cards
from kibitz.abstraction.manifests import read_cards
from kibitz.deals.bucketed import bucketed_deal
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.policy.base import Action, Cards, Floats, Policy
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, Tree

HOLES: Cards = pair_cards()
"""All hole hands, in the order in which vectors of all hands have them: uint8[1326, 2]."""


class HandClasses(Protocol):
    """What tells hands apart: a `CardAbstraction`, or whatever else sorts hands into few classes, suits alike."""

    @property
    def fingerprint(self) -> str:
        """A hash of what the classes mean."""

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Classes in each round."""

    def buckets(self, hole: Cards, board: Cards, round_: int) -> npt.NDArray[Any]:
        """The classes of hands uint8[n, 2] on boards uint8[n, k] in a round."""


@dataclass(frozen=True, eq=False)
class HandPolicy:
    """A strategy and what its buckets mean, one abstraction for each seat.

    Nothing asks an abstraction to remember: what a player has done with every hand is multiplied up hand by hand.
    """

    strategy: Strategy
    abstractions: tuple[HandClasses, HandClasses]

    def __post_init__(self) -> None:
        game, layout = self.tree.game, self.strategy.layout
        check_real_hands(game)
        # Only counts and fingerprints are looked at, which all classes have.
        found = bucketed_deal(game, cast("tuple[CardAbstraction, CardAbstraction]", self.abstractions)).fingerprint
        if found != layout.cards:
            raise KibitzError(f"the strategy has buckets {layout.cards}, these abstractions make {found}")

    @classmethod
    def of(cls, strategy: Strategy, abstraction: HandClasses | None = None) -> HandPolicy:
        """A strategy whose two seats see the cards alike; without an abstraction, those that its manifest names."""
        if abstraction is not None:
            return cls(strategy, (abstraction, abstraction))
        check_real_hands(strategy.layout.tree.game)
        told = read_cards(strategy.manifest)
        if told is None:
            raise KibitzError(f"the strategy names no card abstraction: {layout_text(strategy.layout)}")
        first, second = told.load(2)
        return cls(strategy, (first, second))

    @property
    def tree(self) -> Tree:
        """The betting tree."""
        return self.strategy.layout.tree

    def states(self, player: int, round_: int, holes: Cards, boards: Cards) -> npt.NDArray[np.int32]:
        """The buckets of many hands: int32[n] from uint8[n, 2] and uint8[n, >= cards of the round]."""
        abstraction = self.abstractions[player]
        if abstraction.counts[round_] == 1:
            return np.zeros(len(holes), dtype=np.int32)
        return abstraction.buckets(holes, boards, round_).astype(np.int32)

    def at(self, node: int, board: Sequence[int]) -> Floats:
        """The probabilities at a decision for all hands of `HOLES`: float64[actions, 1326], 0 for those of `board`.

        board : at least the cards that the round of the decision has
        """
        player, round_ = int(self.tree.player[node]), int(self.tree.round[node])
        cards = np.array(board[: self.tree.game.board_ends[round_]], dtype=np.uint8)
        there = ~np.isin(HOLES, cards).any(axis=1)
        found = np.zeros((int(self.tree.children[node]), len(HOLES)))
        boards = np.broadcast_to(cards, (int(there.sum()), len(cards)))
        found[:, there] = self.strategy.at(node)[:, self.states(player, round_, HOLES[there], boards)]
        return found


def check_real_hands(game: Game) -> None:
    """Refuse games of which no `HandPolicy` can be made, which need not build their betting tree for that."""
    if game.players != 2 or game.rounds != 4:
        raise KibitzError(f"{game.name or 'the game'}: real hands are for two players of hold'em with four rounds")
    if len(set(game.antes_paid)) > 1:
        raise KibitzError(f"antes {game.antes}: with unequal antes a showdown is not symmetric")


def layout_text(layout: Layout) -> str:
    """The buckets of a layout in words."""
    return f"fingerprint {layout.cards}, buckets per round {layout.counts.tolist()}"


def blind_layout(tree: Tree) -> tuple[Layout, CardAbstraction]:
    """The layout of players who never look at their cards, and its abstraction."""
    abstraction = build_abstraction("one-bucket")
    counts = np.ones((tree.game.rounds, tree.game.players), dtype=np.int64)
    return Layout(tree, counts, abstraction.fingerprint), abstraction


def tabulate(policy: Policy, tree: Tree, classes: HandClasses, probabilities: Callable[[State], Floats]) -> HandPolicy:
    """`policy` on a tree that has all its bets, which in limit games every tree has.

    classes        of hands that the policy does not tell apart
    probabilities  of the actions of a state: float64[actions, classes of its round]
    """
    layout = Layout(tree, np.repeat(classes.counts[:, None], tree.game.players, axis=1), classes.fingerprint)
    values = np.zeros(layout.size)
    for node, state in decisions(tree):
        found = on_menu(policy, state, probabilities(state), tree.offered(node))
        values[layout.offset[node] : layout.offset[node + 1]] = found.ravel()
    return HandPolicy.of(Strategy(layout, values, {"algorithm": policy.name}), classes)


@cache
def one_class() -> HandClasses:
    """All hands alike."""
    return build_abstraction("one-bucket")


def decisions(tree: Tree) -> Iterator[tuple[int, State]]:
    """The decisions of a tree with their states, parents first."""
    states = {0: State.start(tree.game)}
    for node in tree.decisions.tolist():
        state = states.pop(node)
        yield node, state
        for child in range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node])):
            if tree.kind[child] == DECISION:
                states[child] = state.apply(tree.actions[child])


def on_menu(policy: Policy, state: State, chances: Floats, offered: tuple[str, ...]) -> Floats:
    """The probabilities of a policy's actions as those of the actions of a tree: float64[offered, n].

    AgentError where it plays a bet that the tree does not have: on it, it would be another player.
    """
    found = np.zeros((len(offered), chances.shape[1]))
    for action, row in zip(policy.actions(state), chances, strict=True):
        texts = _texts(action)
        if set(texts) <= set(offered):
            for text in texts:
                found[offered.index(text)] += row / len(texts)
        elif row.any():
            raise _not_in_tree(policy, action, state, offered)
    return found


def _texts(action: Action) -> list[str]:
    if action.sizes is None:
        return [action.text]
    low, high = action.sizes
    return [f"r{size}" for size in range(low, high + 1)]


def _not_in_tree(policy: Policy, action: Action, state: State, offered: tuple[str, ...]) -> AgentError:
    played = action.text if action.sizes is None else f"anything from r{action.sizes[0]} to r{action.sizes[1]}"
    return AgentError(
        f"{policy.name} plays {played} after {state.history!r}, the tree has {', '.join(offered)}: give menus with "
        "all its bets, or a model of its logged hands by `kibitz hands model build` with this menu, which translates; "
        "`kibitz measure lbr` takes it as it is"
    )
