"""Flops and the cards that follow them, as the kernels take them.

Boards that suits alone tell apart are dealt once: card abstractions do not know suits by name, so what a hand is worth
on the one, the hand with suits exchanged is worth on the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.deals.board import SUITS, Suits, change_suits, group_ends, next_cards
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards
from kibitz.isomorphism import IsomorphismIndex
from kibitz.policy.base import Cards
from kibitz.policy.boards import BoardPolicy
from kibitz.policy.hands import HOLES, HandPolicy
from kibitz.policy.strengths import hole_masks
from kibitz.responses.real.compiled import LANES

Order = npt.NDArray[np.int32]
Known = HandPolicy | BoardPolicy  # what the opponent does, by bucket or by board


@dataclass(frozen=True, eq=False)
class Flops:
    """Flops up to the names of suits.

    cards  : uint8[n, 3]
    halves : float64[2, n]; of a sample, how often each flop was drawn in the first and in the second half of the draws;
             of all flops, half the number that each stands for, twice
    exact  : whether these are all
    """

    cards: npt.NDArray[np.uint8]
    halves: npt.NDArray[np.float64]
    exact: bool

    def __len__(self) -> int:
        return len(self.cards)

    @property
    def weights(self) -> npt.NDArray[np.float64]:
        """Both halves together."""
        return np.asarray(self.halves.sum(axis=0))

    @classmethod
    def all(cls) -> Flops:
        """One of each of the 1,755 classes of isomorphic flops."""
        index = IsomorphismIndex("3")
        numbers = np.arange(index.sizes[-1])
        half = index.orbit_size_batch(numbers) / 2
        return cls(index.unindex_batch(numbers), np.stack((half, half)), exact=True)

    @classmethod
    def sampled(cls, draws: int, seed: int) -> Flops:
        """Flops drawn independently, all alike likely; a class that is drawn again counts twice."""
        if draws < 2:
            raise KibitzError(f"{draws} flops: at least two, or all")
        every = cls.all()
        drawn = np.random.default_rng(seed).choice(len(every), draws, p=every.weights / every.weights.sum())
        classes = np.unique(drawn)
        halves = [np.bincount(part, minlength=len(every))[classes] for part in np.array_split(drawn, 2)]
        return cls(every.cards[classes], np.array(halves, dtype=np.float64), exact=False)


class Rivers(NamedTuple):
    """The boards that follow a turn board, uint8[b, 5], and what `_kernels.branch` takes of them."""

    cards: Cards
    orders: Order
    groups: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int64]
    changes: npt.NDArray[np.int32]
    change_of: npt.NDArray[np.int64]


def kept_by(board: Sequence[int]) -> tuple[Suits, ...]:
    """The suit changes that make a flop of the same cards out of it."""
    return tuple(suits for suits in SUITS if {change_suits(card, suits) for card in board} == set(board))


@dataclass(frozen=True, eq=False)
class BoardHands:
    """The hands that fit the first cards of a board; all vectors of hands are in their order.

    board : the cards that no hand may have
    """

    board: tuple[int, ...]

    @cached_property
    def numbers(self) -> npt.NDArray[np.int64]:
        """Where the hands stand among all of `HOLES`."""
        return np.flatnonzero(~np.isin(HOLES, np.array(self.board, dtype=np.uint8)).any(axis=1))

    @cached_property
    def cards(self) -> Cards:
        """uint8[hands, 2]."""
        return HOLES[self.numbers]

    @cached_property
    def width(self) -> int:
        """Length of vectors: the hands filled up to whole LANES."""
        return -(-len(self.cards) // LANES) * LANES

    @cached_property
    def _place(self) -> npt.NDArray[np.int32]:
        place = np.full((52, 52), -1, dtype=np.int32)
        one, two = self.cards.T
        place[one, two] = place[two, one] = np.arange(len(self.cards))
        return place

    def changed(self, suits: Suits) -> npt.NDArray[np.int32]:
        """For every hand, the place of the one that `suits` makes it out of: int32[width]."""
        images = np.array([change_suits(card, suits) for card in range(52)])[self.cards]
        places = np.arange(self.width, dtype=np.int32)
        places[self._place[images[:, 0], images[:, 1]]] = np.arange(len(self.cards))
        return places

    def order(self, places: npt.NDArray[np.int64], states: npt.NDArray[np.int32]) -> Order:
        """Hands in the order of `places`, with the card state of each."""
        one, two = self.cards[places].T
        return np.stack((places, one, two, states)).astype(np.int32) * LANES

    def left_by(self, cards: Sequence[int]) -> npt.NDArray[np.int64]:
        """The hands that have none of `cards`."""
        return np.flatnonzero(~np.isin(self.cards, np.array(cards, dtype=np.uint8)).any(axis=1))

    def order_early(self, policy: Known, player: int, board: Sequence[int]) -> Order:
        """The hands on a board of a round before the last."""
        round_ = {0: 0, 3: 1, 4: 2}[len(board)]
        places = self.left_by(board)
        boards = np.broadcast_to(np.array(board, dtype=np.uint8), (len(places), len(board)))
        return self.order(places, policy.states(player, round_, self.cards[places], boards))

    def rank(self, boards: Cards) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Hands by strength on full boards uint8[m, 5]: places int64[m, 1081], and group ends with their counts."""
        masks = np.array([cards_to_mask(board) for board in boards.tolist()], dtype=np.uint64)
        strengths = np.ascontiguousarray(evaluate_boards(masks, hole_masks()[self.numbers]).T)
        blocked = int((strengths[0] < 0).sum())  # the same number on every board, and they come first
        places = np.argsort(strengths, axis=1, kind="stable")[:, blocked:]
        return places, *group_ends(np.take_along_axis(strengths, places, axis=1))

    def order_last(self, policy: Known, player: int, boards: Cards, places: npt.NDArray[np.int64]) -> Order:
        """int32[m, 4, 1081] of hands that `rank` has ordered."""
        cards = self.cards[places]
        repeated = np.repeat(boards, places.shape[1], axis=0)
        states = policy.states(player, 3, cards.reshape(-1, 2), repeated).reshape(places.shape)
        found = np.stack((places, cards[..., 0], cards[..., 1], states), axis=1).astype(np.int32) * LANES
        return np.ascontiguousarray(found)

    def rivers(self, policy: Known, player: int, turn: Sequence[int], kept: Sequence[Suits]) -> Rivers:
        """All boards that follow a turn board, for one who responds to `player`."""
        following = list(next_cards(turn, kept))
        boards = np.array([(*turn, each.card) for each in following], dtype=np.uint8)
        places, groups, counts = self.rank(boards)
        changes = [self.changed(suits) for each in following for suits in each.copies[1:]]
        change_of = np.cumsum([0, *(len(each.copies) - 1 for each in following)])
        return Rivers(
            boards,
            self.order_last(policy, player, boards, places),
            groups,
            counts,
            np.array(changes, dtype=np.int32).reshape(-1, self.width),
            change_of,
        )
