"""Board deals: hold'em hands of two ranges on every board that can follow a given one.

A *state* of a player on a board is a hand of that player's range that shares no card with it. On boards of the last
round the states stand in order of strength, which is what makes a showdown of all hands against all a matter of sums.

Boards that suits alone tell apart are dealt once where the ranges do not tell them apart either: their values are read
off the one dealt, by exchanging suits in the hands. Nothing is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask, format_cards
from kibitz.equity import Range
from kibitz.errors import CardError
from kibitz.files import fingerprint

LANES = 16  # vectors of states are filled up to whole LANES
Suits = tuple[int, int, int, int]  # suit s becomes suits[s]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

SUITS: tuple[Suits, ...] = tuple(permutations(range(4)))  # type: ignore[arg-type]  # the identity is the first


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a round.

    above    : number, in the round before, of the board without the last card (0 in the first round)
    children : numbers, in the next round, of the boards with one card more: from, to
    copies   : suit changes that make the boards it stands for out of it, the identity among them
    suits    : suit changes that change nothing: not the board, nor the ranges
    """

    cards: tuple[int, ...]
    above: int
    children: tuple[int, int]
    copies: tuple[Suits, ...]
    suits: tuple[Suits, ...]


@dataclass(frozen=True, eq=False)
class RoundStates:
    """The states of one round, every board filled up to the same width. The last state of a board is always empty.

    width   : of each player
    count   : int64[boards, 2]       states there are
    hands   : uint8[boards, width, 2] per player, the two cards; 0 in empty states
    parent  : int32[boards, width] per player, the state on the board above; empty states have its last
    same    : int32[boards, width] per player, the opponent's state of the same two cards; his last where there is none
    groups  : per board int32[g, 2], where each strength ends among the states of both players; the last round only
    """

    width: tuple[int, int]
    count: Ints
    hands: tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]
    parent: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
    same: tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
    groups: tuple[npt.NDArray[np.int32], ...]


@dataclass(frozen=True, eq=False)
class BoardDeal:
    """Two ranges on a board of three to five cards, and all cards that can follow it.

    suits_merged: deal boards once that differ in suits only, where the ranges allow it.
    """

    board: tuple[int, ...]
    ranges: tuple[Range, Range]
    suits_merged: bool = True

    def __post_init__(self) -> None:
        if not 3 <= len(self.board) <= 5 or len(set(self.board)) != len(self.board):
            raise CardError(f"the board {format_cards(self.board)!r}: three, four or five different cards")
        for player, hands in enumerate(self.ranges):
            if not any(set(hand).isdisjoint(self.board) for hand in hands.hands):
                raise CardError(
                    f"player {player}'s range {hands}: none of its hands is possible on {format_cards(self.board)}"
                )
        if self.mass <= 0:
            raise CardError("the ranges cannot be dealt together: every choice of hands uses a card twice")

    @property
    def rounds(self) -> int:
        """Betting rounds from here to the showdown."""
        return 6 - len(self.board)

    @cached_property
    def weights(self) -> Floats:
        """The ranges as float64[2, 52, 52], symmetric, 0 where the board blocks a hand."""
        weights = np.zeros((2, 52, 52))
        for table, each in zip(weights, self.ranges, strict=True):
            for (high, low), weight in zip(each.hands, each.weights, strict=True):
                if high not in self.board and low not in self.board:
                    table[high, low] = table[low, high] = weight
        return weights

    @cached_property
    def mass(self) -> float:
        """The sum of the products of weights over all pairs of hands without a common card; 0 where there is none."""
        one, two = (np.triu(table) for table in self.weights)
        holds = [np.eye(52)[np.argwhere(table)].sum(axis=1) for table in (one, two)]  # float64[hands, 52], 1 twice
        # Pair by pair: of a sum less the pairs that share a card, rounding may leave a crumb where there are no others.
        apart = holds[0] @ holds[1].T == 0
        return float(one[one > 0] @ (apart @ two[two > 0]))

    @cached_property
    def chances(self) -> tuple[float, ...]:
        """The probability of one board of each round, given the hands of both players."""
        chances = [1.0]
        for dealt in range(len(self.board), 5):
            chances.append(chances[-1] / (48 - dealt))
        return tuple(chances)

    @cached_property
    def boards(self) -> tuple[tuple[Board, ...], ...]:
        """The boards of every round, in the order of the boards above them."""
        rounds: list[tuple[Board, ...]] = []
        level = [Board(self.board, 0, (0, 0), (SUITS[0],), tuple(self._symmetries()))]
        while True:
            below: list[Board] = []
            done = []
            for number, board in enumerate(level):
                start = len(below)
                if len(board.cards) < 5:
                    for card, copies, kept in next_cards(board.cards, board.suits):
                        below.append(Board((*board.cards, card), number, (0, 0), copies, kept))
                done.append(Board(board.cards, board.above, (start, len(below)), board.copies, board.suits))
            rounds.append(tuple(done))
            if not below:
                return tuple(rounds)
            level = below

    def _symmetries(self) -> Iterator[Suits]:
        for suits in SUITS if self.suits_merged else SUITS[:1]:
            cards = [change_suits(card, suits) for card in range(52)]
            if {cards[card] for card in self.board} == set(self.board) and all(
                np.array_equal(table[np.ix_(cards, cards)], table) for table in self.weights
            ):
                yield suits

    def find(self, cards: tuple[int, ...]) -> int:
        """The number, in its round, of the board that ends in `cards`; an error names the one that stands for it."""
        if len(cards) >= self.rounds:
            raise CardError(
                f"{format_cards(cards)!r} after {format_cards(self.board)}: the board has five cards at most"
            )
        number = 0
        for round_, card in enumerate(cards, 1):
            above = self.boards[round_ - 1][number]
            for number in range(*above.children):
                board = self.boards[round_][number]
                if card in (change_suits(board.cards[-1], suits) for suits in board.copies):
                    break
            else:
                raise CardError(
                    f"{format_cards((card,))} after {format_cards(above.cards)}: it is on the table already"
                )
            if card != board.cards[-1]:
                dealt, asked = format_cards(board.cards[-1:]), format_cards((card,))
                raise CardError(f"{asked} after {format_cards(above.cards)}: look at {dealt}, only suits differ")
        return number

    @cached_property
    def widths(self) -> tuple[tuple[int, int], ...]:
        """States of each player on a board of each round, filled up to whole LANES."""
        result = []
        for boards in self.boards:
            most = [0, 0]
            for board in boards:
                live = [card not in board.cards for card in range(52)]
                for player in range(2):
                    count = int(np.count_nonzero(self.weights[player][np.ix_(live, live)])) // 2
                    most[player] = max(most[player], count)
            result.append((_filled(most[0]), _filled(most[1])))
        return tuple(result)

    @cached_property
    def states(self) -> tuple[RoundStates, ...]:
        """The states of every round."""
        found: list[RoundStates] = []
        for round_, boards in enumerate(self.boards):
            found.append(_list_states(self, boards, found[-1] if found else None, self.widths[round_]))
        return tuple(found)

    @cached_property
    def counts(self) -> Ints:
        """States of each player in each round, all boards together: int64[rounds, 2]."""
        return np.array([each.count.sum(axis=0) for each in self.states], dtype=np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the boards, the hands and their weights."""
        rounds = (" ".join(format_cards(board.cards) for board in boards) for boards in self.boards)
        return fingerprint(self.weights, *rounds)

    def labels(self, round_: int, board: int, player: int) -> tuple[str, ...]:
        """The text of every state on a board, such as `AhKs`, the higher card first."""
        each = self.states[round_]
        hands = each.hands[player][board, : each.count[board, player]]
        return tuple(format_cards((max(hand), min(hand))) for hand in hands.tolist())

    def copy_maps(self, round_: int, board: int, player: int) -> Iterator[npt.NDArray[np.int32]]:
        """For every board that this one stands for, the states above that its values belong to: int32[width]."""
        each, here = self.states[round_], self.boards[round_][board]
        parent, count = each.parent[player][board], int(each.count[board, player])
        above = self.states[round_ - 1].hands[player][here.above]
        above = above[: self.states[round_ - 1].count[here.above, player]]
        where = np.empty((52, 52), dtype=np.int32)
        where[above[:, 0], above[:, 1]] = where[above[:, 1], above[:, 0]] = np.arange(len(above))
        for suits in here.copies:
            changed = np.array([change_suits(card, suits) for card in range(52)])[above[parent[:count]]]
            mapped = parent.copy()
            mapped[:count] = where[changed[:, 0], changed[:, 1]]
            yield mapped


def _filled(count: int) -> int:
    """`count` states and at least one empty one, in whole LANES."""
    return -(-(count + 1) // LANES) * LANES


def change_suits(card: int, suits: Suits) -> int:
    """The card with suits exchanged."""
    return card & ~3 | suits[card & 3]


class NextCard(NamedTuple):
    """A card that may follow a board.

    copies   suit changes that make the cards it stands for out of it, the identity first
    kept     suit changes that leave the board and the card as they are
    """

    card: int
    copies: tuple[Suits, ...]
    kept: tuple[Suits, ...]


def next_cards(board: Sequence[int], kept: Sequence[Suits]) -> Iterator[NextCard]:
    """The cards that may follow, one for all that the suit changes `kept` make of each other."""
    seen = set(board)
    for card in range(52):
        if card in seen:
            continue
        copies: dict[int, Suits] = {}
        for suits in kept:
            copies.setdefault(change_suits(card, suits), suits)
        seen |= copies.keys()
        left = tuple(suits for suits in kept if change_suits(card, suits) == card)
        yield NextCard(card, tuple(copies.values()), left)


def group_ends(ranked: npt.NDArray[np.integer[Any]]) -> tuple[npt.NDArray[np.int32], Ints]:
    """Where equal numbers end in rows [m, n] of ascending ones: int32[m, n], and how many ends a row has: int64[m]."""
    last = np.ones(ranked.shape, dtype=bool)
    last[:, :-1] = ranked[:, 1:] != ranked[:, :-1]
    ends = np.zeros(ranked.shape, dtype=np.int32)
    for row, found in zip(ends, last, strict=True):
        row[: found.sum()] = np.flatnonzero(found) + 1
    return ends, last.sum(axis=1)


def _list_states(
    deal: BoardDeal, boards: tuple[Board, ...], above: RoundStates | None, width: tuple[int, int]
) -> RoundStates:
    count = np.zeros((len(boards), 2), dtype=np.int64)
    hands = tuple(np.zeros((len(boards), w, 2), dtype=np.uint8) for w in width)
    parent = tuple(np.zeros((len(boards), w), dtype=np.int32) for w in width)
    same = tuple(np.zeros((len(boards), w), dtype=np.int32) for w in width)
    groups = []
    for b, board in enumerate(boards):
        lists = []
        for p in range(2):
            own, came = _hands_on(deal, board, above, p)
            lists.append((own, came, _strengths(own, board)))
        if len(board.cards) == 5:
            for p, (own, came, strength) in enumerate(lists):
                order = np.argsort(strength, kind="stable")
                lists[p] = own[order], came[order], strength[order]
            values = np.union1d(lists[0][2], lists[1][2])
            ends = [np.searchsorted(strength, values, side="right") for _own, _came, strength in lists]
            groups.append(np.column_stack(ends).astype(np.int32))
        where = np.full((2, 52, 52), -1)
        for p, (own, came, _strength) in enumerate(lists):
            count[b, p] = len(own)
            hands[p][b, : len(own)] = own
            parent[p][b] = above.width[p] - 1 if above else width[p] - 1
            parent[p][b, : len(own)] = came
            where[p, own[:, 0], own[:, 1]] = np.arange(len(own))
        for p, (own, _came, _strength) in enumerate(lists):
            same[p][b] = width[1 - p] - 1
            found = where[1 - p, own[:, 0], own[:, 1]]
            same[p][b, : len(own)] = np.where(found >= 0, found, width[1 - p] - 1)
    return RoundStates(width, count, hands, parent, same, tuple(groups))  # type: ignore[arg-type]  # tuples of two


def _hands_on(
    deal: BoardDeal, board: Board, above: RoundStates | None, player: int
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """The hands possible on a board, uint8[n, 2] with the lower card first, and their states on the board above."""
    if above is None:
        own = np.argwhere(np.triu(deal.weights[player]) > 0).astype(np.uint8)
        return own, np.arange(len(own), dtype=np.int32)
    before = above.hands[player][board.above, : above.count[board.above, player]]
    came = np.flatnonzero((before != board.cards[-1]).all(axis=1)).astype(np.int32)
    return before[came], came


def _strengths(hands: npt.NDArray[np.uint8], board: Board) -> npt.NDArray[np.int32]:
    if len(board.cards) < 5 or not len(hands):
        return np.zeros(len(hands), dtype=np.int32)
    from kibitz.evaluator import evaluate_boards

    holes = (np.uint64(1) << (16 * (hands & 3) + (hands >> 2)).astype(np.uint64)).sum(axis=1, dtype=np.uint64)
    table = np.array([cards_to_mask(board.cards)], dtype=np.uint64)
    return evaluate_boards(table, holes)[:, 0]
