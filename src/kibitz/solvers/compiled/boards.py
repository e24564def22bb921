"""A betting tree and the boards of hold'em laid out for walks with vectors over all hands of a board."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction import CardAbstraction
from kibitz.abstraction.features.boards import PAIRS
from kibitz.abstraction.features.strength import pair_masks
from kibitz.cards import cards_to_mask
from kibitz.deals.board import group_ends
from kibitz.deals.bucketed import BucketedDeal
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards
from kibitz.policy.base import Cards
from kibitz.policy.hands import HOLES
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.tree import DECISION, FOLD
from kibitz.tree.columns import FURTHER, node_table

HANDS = 47 * 46 // 2  # that a full board leaves
LANES = 4  # vectors of reach that kernels hold side by side
DEPTH, ACTION, FOLDING, SHOWING = range(FURTHER, FURTHER + 4)  # columns of nodes
MASKS = pair_masks()
SHUFFLED = np.random.default_rng(0).permutation(PAIRS)
"""The order of equal hands, any in which neighbours seldom share a card: sums by card would wait for each other."""
Ints = npt.NDArray[np.int64]
Arrays = tuple[npt.NDArray[np.generic], ...]


class Ranked(NamedTuple):
    """Full boards and their hands, weakest first.

    cards  : uint8[m, 1081, 2]          the hands
    ends   : int32[m, 1081]             where hands of equal strength end, `groups` : int64[m], how many ends there are
    states : int32[m, rounds, 2, 1081]  the bucket of each hand, by round and player; more with further abstractions
    """

    cards: Cards
    ends: npt.NDArray[np.int32]
    groups: Ints
    states: npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class BoardGame:
    """What `board_sampling._kernels` works on, from the game as all sampled solvers take it."""

    sampled: SampledGame

    def __post_init__(self) -> None:
        game = self.sampled.tree.game
        if not isinstance(self.sampled.deal, BucketedDeal) or game.players != 2 or game.board_ends[-1] != 5:
            raise KibitzError(
                f"{game.name or 'the game'}: boards are sampled for two players of hold'em with five board cards"
            )
        if len(set(game.antes_paid)) > 1:
            raise KibitzError(f"antes {game.antes}: with unequal antes a showdown is not symmetric")

    @property
    def deal(self) -> BucketedDeal:
        """The cards."""
        assert isinstance(self.sampled.deal, BucketedDeal)  # see above
        return self.sampled.deal

    @cached_property
    def tree(self) -> Arrays:
        """(nodes, chips, visits, after), the betting as the kernels walk it.

        nodes  : int64[n, 11]  see `kibitz.tree.columns`; then depth, the action that leads here, and the actions
                               after which the hand ends with a fold and with a showdown, or -1
        chips  : float64[n, 2] what he who acts loses by that fold, and what is won at that showdown
        visits : int64[v]      decisions in the order of a walk, depth first; -1 - node where it is left again
        after  : int64[v]      the visit that follows when all below this one is passed over
        """
        tree = self.sampled.tree
        depth, action = (np.zeros(len(tree), dtype=np.int64) for _ in range(2))
        ends, chips = np.full((len(tree), 2), -1, dtype=np.int64), np.zeros((len(tree), 2))
        for node in range(1, len(tree)):
            above = int(tree.parent[node])
            depth[node] = depth[above] + 1
            action[node] = node - tree.first_child[above]
            if tree.kind[node] != DECISION:
                end = 0 if tree.kind[node] == FOLD else 1
                ends[above, end] = action[node]
                chips[above, end] = tree.stakes[node]
        nodes = node_table(tree, self.sampled.layout.offset[:-1], depth, action, *ends.T)
        return nodes, chips, *self._visits()

    def _visits(self) -> tuple[Ints, Ints]:
        tree = self.sampled.tree
        visits: list[int] = []
        entered: dict[int, int] = {}
        after = np.zeros(2 * len(tree.decisions), dtype=np.int64)
        pending = [0]
        while pending:
            node = pending.pop()
            if node < 0:
                after[entered[-1 - node]] = len(visits) + 1
            else:
                entered[node] = len(visits)
                first = int(tree.first_child[node])
                children = range(first + int(tree.children[node]) - 1, first - 1, -1)
                pending += [-1 - node, *(child for child in children if tree.kind[child] == DECISION)]
            visits.append(node)
        return np.array(visits, dtype=np.int64), after

    def boards(self, seed: int, first: int, count: int) -> Cards:
        """Boards first .. first + count - 1 of `seed`, uint8[count, 5]; each depends on seed and number alone."""
        return np.ascontiguousarray(self.deal.deal(seed, first, count)[:, 0, 2:])

    def rank(self, boards: Cards, *further: CardAbstraction) -> Ranked:
        """The hands on full boards uint8[m, 5]; buckets of further abstractions come after those of the players."""
        places, ends, groups = _order(boards)
        abstractions = (*self.deal.abstractions, *further)
        states = np.empty((len(boards), self.sampled.tree.game.rounds, len(abstractions), HANDS), dtype=np.int32)
        for which, each in enumerate(abstractions):
            same = next(before for before in range(which + 1) if abstractions[before] is each)
            for r in range(states.shape[1]):
                if same < which:
                    states[:, r, which] = states[:, r, same]
                else:
                    states[:, r, which] = np.take_along_axis(each.board_buckets(boards, r), places, axis=1)
        return Ranked(HOLES[places], ends, groups, states)

    def scratch(self) -> Arrays:
        """Buffers of one thread: see `_kernels`."""
        tree = self.sampled.tree
        depths, actions, rounds = int(self.tree[0][:, DEPTH].max()) + 1, int(tree.children.max()), tree.game.rounds
        numbers = np.full(int(self.deal.counts.max()), -1, dtype=np.int32)
        local, found = (np.zeros((rounds, 2, HANDS), dtype=np.int32) for _ in range(2))
        vectors = (np.ones((depths, 2, HANDS)), np.zeros((depths, 2, HANDS)))
        buckets = (np.zeros((depths, actions, HANDS)), np.zeros((depths, actions, HANDS)), np.zeros(HANDS))
        places = (np.zeros((depths, 2), dtype=np.int64), np.ones((depths, 2), dtype=np.bool_))
        lanes = (np.zeros(HANDS * LANES), np.zeros(HANDS * LANES), np.zeros(52 * LANES))
        return (numbers, local, found, np.zeros((rounds, 2), dtype=np.int64), *vectors, *buckets, *places, *lanes)


def _order(boards: Cards) -> tuple[Ints, npt.NDArray[np.int32], Ints]:
    """The pairs that boards leave, weakest first: int64[m, 1081], and as in `Ranked` the ends of equal ones."""
    masks = np.array([cards_to_mask(board) for board in boards.tolist()], dtype=np.uint64)
    strengths = evaluate_boards(masks, MASKS).T.astype(np.int64)
    places = np.argsort(strengths * PAIRS + SHUFFLED, axis=1)[:, PAIRS - HANDS :]  # blocked ones come first
    return places, *group_ends(np.take_along_axis(strengths, places, axis=1))
