"""A strategy of two-player hold'em as it plays real hands: the probabilities of all 1,326 on any board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction, build_abstraction
from kibitz.abstraction.features.boards import pair_cards
from kibitz.abstraction.manifests import read_cards
from kibitz.deals.bucketed import bucketed_deal
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.strategy import Layout, Strategy
from kibitz.tree import Tree

Cards = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]
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
    """A strategy and what its card states mean, one abstraction for each seat.

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
            raise KibitzError(f"the strategy has card states {layout.cards}, these abstractions make {found}")

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
        """The card states of many hands: int32[n] from uint8[n, 2] and uint8[n, >= cards of the round]."""
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
    """The card states of a layout in words."""
    return f"fingerprint {layout.cards}, states per round {layout.counts.tolist()}"


def blind_layout(tree: Tree) -> tuple[Layout, CardAbstraction]:
    """The layout of players who never look at their cards, and its abstraction."""
    abstraction = build_abstraction("one-bucket")
    counts = np.ones((tree.game.rounds, tree.game.players), dtype=np.int64)
    return Layout(tree, counts, abstraction.fingerprint), abstraction
