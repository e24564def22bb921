"""The opponent of sampled CFR-BR on one turn board: regret matching in the trunk, a best response below it.

The *trunk* is the betting before and on the flop. There the opponent keeps regrets for every real hand: for classes of
isomorphic starting hands before the flop, for all hands of every flop on it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from kibitz.deals.board import NextCard, change_suits
from kibitz.policy.base import Floats
from kibitz.policy.hands import HandPolicy
from kibitz.responses.real.boards import BoardHands, kept_by
from kibitz.responses.real.preflop import starting_classes
from kibitz.tree import DECISION, FOLD, Tree

Ints = npt.NDArray[np.int64]
Singles = npt.NDArray[np.float32]
TRUNK, LAST = 2, 3  # rounds of the trunk; the last round
HANDS_ON_FLOP = 1176


def starts_of(tree: Tree, player: int) -> Ints:
    """Where the actions of a player's decisions before the last round stand, one decision after the other: int64[n].

    -1 at all other nodes. Decisions of the first rounds come first.
    """
    mine = [node for node in tree.decisions.tolist() if tree.player[node] == player and tree.round[node] < LAST]
    mine.sort(key=lambda node: int(tree.round[node]))
    starts = np.full(len(tree), -1, dtype=np.int64)
    starts[mine] = np.cumsum([0, *(int(tree.children[node]) for node in mine)])[:-1]
    return starts


def rows_of(tree: Tree, player: int) -> list[int]:
    """How many (decision, action) pairs a player has up to the end of each round before the last."""
    counts = [0] * LAST
    for node in tree.decisions.tolist():
        if tree.player[node] == player and tree.round[node] < LAST:
            counts[int(tree.round[node])] += int(tree.children[node])
    return list(accumulate(counts))


@dataclass(frozen=True, eq=False)
class TrunkRegrets:
    """Regrets of one seat in the trunk.

    before : float64[rows, 169]           before the flop, by class of starting hands
    on     : float32[flops, rows, 1176]   on each flop, by hand in the order of `BoardHands`
    """

    before: Floats
    on: Singles

    @classmethod
    def zeros(cls, tree: Tree, player: int, flops: int) -> TrunkRegrets:
        first, second, _third = rows_of(tree, player)
        return cls(np.zeros((first, 169)), np.zeros((flops, second - first, HANDS_ON_FLOP), dtype=np.float32))


@dataclass(frozen=True, eq=False)
class TurnBoard:
    """A flop and a turn card, as both players need them.

    flop   : number of the flop among those of the solver
    hands  : those of the flop; vectors have them in this order
    turn   : the card
    """

    flop: int
    hands: BoardHands
    turn: int

    @property
    def board(self) -> tuple[int, ...]:
        """All four cards."""
        return (*self.hands.board, self.turn)

    @property
    def next_card(self) -> NextCard:
        """The turn card for itself alone, with the suit changes that rivers may be merged by."""
        kept = tuple(suits for suits in kept_by(self.hands.board) if change_suits(self.turn, suits) == self.turn)
        return NextCard(self.turn, kept[:1], kept)


class TrunkWalk:
    """One walk of the betting up to the end of the turn, for the opponent of a learner.

    plan : float64[rows, 1176]   what the opponent plays with every hand at its decisions before the last round
    """

    def __init__(self, policy: HandPolicy, learner: int, dealt: TurnBoard, below: Callable[[int], Floats]) -> None:
        """below(node) is what the opponent wins after the turn, float64[1176], times the probability of the turn."""
        self.tree, self.strategy, self.learner = policy.tree, policy.strategy, learner
        self.dealt, self.below = dealt, below
        cards, there = dealt.hands.cards, dealt.hands.left_by((dealt.turn,))
        self._here = np.zeros(len(cards))
        self._here[there] = 1.0
        self._cards = cards.T.astype(np.int64)
        self._states = []
        for round_, size in enumerate(self.tree.game.board_ends[:LAST]):
            found = np.zeros(len(cards), dtype=np.int64)
            boards = np.broadcast_to(np.array(dealt.board[:size], dtype=np.uint8), (len(there), size))
            found[there] = policy.states(learner, round_, cards[there], boards)
            self._states.append(found)
        self._classes = starting_classes()[dealt.hands.numbers]
        self._starts = starts_of(self.tree, 1 - learner)
        self.plan = np.zeros((rows_of(self.tree, 1 - learner)[-1], len(cards)))

    def walk(self, regrets: TrunkRegrets, weight: float, chance: float) -> None:
        """Fill the plan, and add to the regrets of the trunk.

        chance   of the turn card given both hands, by which folds are multiplied
        """
        self._regrets, self._weight, self._chance = regrets, weight, chance
        self._value(0, self._here)

    def _value(self, node: int, reach: Floats) -> Floats:
        """What the opponent wins with every hand, summed over the learner's hands times their reach."""
        tree = self.tree
        if tree.kind[node] == FOLD:
            won = tree.stakes[node] if tree.player[node] != self.learner else -tree.stakes[node]
            return np.asarray(self._chance * won * self._met(reach))
        if tree.kind[node] != DECISION or tree.round[node] == LAST:
            return self.below(node)
        first, actions, round_ = int(tree.first_child[node]), int(tree.children[node]), int(tree.round[node])
        if tree.player[node] == self.learner:
            shares = self.strategy.at(node)[:, self._states[round_]]
            return np.asarray(sum(self._value(first + a, reach * shares[a]) for a in range(actions)))
        below = np.array([self._value(first + a, reach) for a in range(actions)])
        rows = slice(int(self._starts[node]), int(self._starts[node]) + actions)
        if round_ < TRUNK:
            return self._match(round_, rows, below)
        self.plan[rows] = np.argmax(below, axis=0) == np.arange(actions)[:, None]
        return np.asarray(below.max(axis=0))

    def _met(self, reach: Floats) -> Floats:
        """The learner's hands that go with every hand of the opponent."""
        one, two = self._cards
        by_card = np.bincount(one, reach, 52) + np.bincount(two, reach, 52)
        return np.asarray((reach.sum() - by_card[one] - by_card[two] + reach) * self._here)

    def _match(self, round_: int, rows: slice, below: Floats) -> Floats:
        """The value of a decision in the trunk, whose regrets are matched and then added to."""
        shift = len(self._regrets.before)
        before = self._regrets.before[rows]
        on = self._regrets.on[self.dealt.flop, max(rows.start - shift, 0) : max(rows.stop - shift, 0)]
        positive = np.maximum(before[:, self._classes] if round_ == 0 else on.astype(np.float64), 0.0)
        total = positive.sum(axis=0)
        shares = np.where(total > 0, positive / np.where(total > 0, total, 1.0), 1.0 / len(positive))
        self.plan[rows] = shares
        value = np.asarray((shares * below).sum(axis=0))
        gained = self._weight * (below - value)
        if round_ == 0:
            before += [np.bincount(self._classes, gain, 169) for gain in gained]
        else:
            on += gained
        return value
