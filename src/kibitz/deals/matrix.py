"""Matrix deals: two players, every private state listed, one matrix entry per pair of states.

A *private state* is what a player knows of the cards in a round. States of one round refine those of the round
before (perfect recall). Two matrices per round say everything the solvers need:

    weight[i, j]   probability that player 0 is in state i and player 1 in state j
    sign[i, j]     the same, counting +1 where player 0 would win the showdown, -1 where he would lose, 0 for ties

Public cards are common to both players, so the matrices are block diagonal, one block per public state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.deals.naming import Namer, list_boards
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.files import fingerprint
from kibitz.games import Game

MAX_DEALS = 50_000_000
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RoundDeal:
    """The private states of one round and how they meet.

    labels   : per player, the text of every state
    parent   : int64[states] per player, the state of the round before that this one refines (0 in the first round)
    edges    : int64[blocks + 1] per player; block b has states edges[b] .. edges[b + 1]
    start    : int64[blocks + 1]; block b's matrix is the row-major slice start[b] .. start[b + 1]
    weight, sign : float64[start[-1]]
    """

    labels: tuple[tuple[str, ...], tuple[str, ...]]
    parent: tuple[Ints, Ints]
    edges: tuple[Ints, Ints]
    start: Ints
    weight: Floats
    sign: Floats

    def dense(self, entries: Floats) -> Floats:
        """`weight` or `sign` as one matrix: float64[states of 0, states of 1]; a view where there is one block."""
        if len(self.start) == 2:
            return entries.reshape(len(self.labels[0]), len(self.labels[1]))
        matrix = np.zeros((len(self.labels[0]), len(self.labels[1])))
        rows, columns = self.edges
        for b in range(len(self.start) - 1):
            block = entries[self.start[b] : self.start[b + 1]]
            width = columns[b + 1] - columns[b]
            matrix[rows[b] : rows[b + 1], columns[b] : columns[b + 1]] = block.reshape(-1, width)
        return matrix

    def margin(self, entries: Floats, player: int) -> Floats:
        """`weight` or `sign` of each of `player`'s states, summed over the other's: float64[states]."""
        found = np.zeros(len(self.labels[player]))
        own, (rows, columns) = self.edges[player], self.edges
        for b in range(len(self.start) - 1):
            block = entries[self.start[b] : self.start[b + 1]]
            block = block.reshape(rows[b + 1] - rows[b], columns[b + 1] - columns[b])
            found[own[b] : own[b + 1]] = block.sum(axis=1 - player)
        return found


@dataclass(frozen=True, eq=False)
class MatrixDeal:
    """All rounds of a two-player deal.

    cards   a fingerprint of what the states mean, where they mean more than these matrices say (card buckets)
    """

    game: Game
    suits_merged: bool
    rounds: tuple[RoundDeal, ...]
    cards: str = ""

    @cached_property
    def counts(self) -> Ints:
        """Private states: int64[rounds, 2]."""
        return np.array([[len(states) for states in each.labels] for each in self.rounds], dtype=np.int64)

    def swapped(self, cards: str = "") -> MatrixDeal:
        """The deal with the players exchanged, for rounds of one block; `cards` is the new fingerprint."""
        rounds = []
        for each in self.rounds:
            weight, sign = (np.ascontiguousarray(each.dense(entries).T).ravel() for entries in (each.weight, each.sign))
            labels, parent, edges = each.labels[::-1], each.parent[::-1], each.edges[::-1]
            rounds.append(RoundDeal(labels, parent, edges, each.start, weight, -sign))
        return MatrixDeal(self.game, self.suits_merged, tuple(rounds), cards)

    @cached_property
    def fingerprint(self) -> str:
        """`cards`, or a hash of states and matrices."""
        if self.cards:
            return self.cards
        parts: list[str | npt.NDArray[Any]] = []
        for each in self.rounds:
            parts += ["\n".join(each.labels[0] + each.labels[1]), *each.edges, each.weight, each.sign]
        return fingerprint(*parts)


def matrix_deal(game: Game, suits_merged: bool = True) -> MatrixDeal:
    """The deal of a small two-player game, by enumeration.

    suits_merged: identify states that differ in the names of suits only, which loses nothing.
    """
    if game.players != 2:
        raise KibitzError(f"matrix deals are for two players, not {game.players}: use a sampled solver")
    deals = count_deals(game)
    if deals > MAX_DEALS:
        raise KibitzError(f"{deals:,} deals are too many to list (at most {MAX_DEALS:,}): use a sampled solver")
    namer = Namer(game, suits_merged)
    tables = [_Table() for _ in range(game.rounds)]
    for board, multiplicity in list_boards(game, suits_merged):
        _add_board(game, namer, tables, board, multiplicity)
    total = tables[-1].total()
    rounds: list[RoundDeal] = []
    for table in tables:
        rounds.append(table.finish(total, rounds[-1] if rounds else None))
    return MatrixDeal(game, suits_merged, tuple(rounds))


def count_deals(game: Game) -> int:
    """Ordered pairs of hole hands times boards, street by street."""
    left, deals = len(game.deck), 1
    for count in (game.hole_cards, game.hole_cards, *game.board_cards):
        for i in range(count):
            deals = deals * (left - i) // (i + 1)
        left -= count
    return deals


class _Block:
    """One public state: the states of both players as they are met, and the deals for every pair of them."""

    def __init__(self) -> None:
        self.states: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.deals = np.zeros((2, 0, 0), dtype=np.int64)  # all of them, and those player 0 wins less those he loses

    def add(self, labels: Sequence[tuple[str, ...]], deals: Ints) -> None:
        """Add the deals, int64[2, holes, holes], of hole hands with these names for both players."""
        rows, columns = (
            np.array([states.setdefault(label[player], len(states)) for label in labels])
            for player, states in enumerate(self.states)
        )
        known = self.deals
        self.deals = np.zeros((2, len(self.states[0]), len(self.states[1])), dtype=np.int64)
        self.deals[:, : known.shape[1], : known.shape[2]] = known
        places = (rows[:, None] * len(self.states[1]) + columns).ravel()
        for total, added in zip(self.deals, deals, strict=True):
            np.add.at(total.reshape(-1), places, added.ravel())  # several hole hands may be one state


class _Table:
    """The matrices of one round while they are being filled, by public state."""

    def __init__(self) -> None:
        self.blocks: defaultdict[tuple[int, ...], _Block] = defaultdict(_Block)
        self.parents: tuple[dict[str, str], dict[str, str]] = ({}, {})

    def total(self) -> int:
        return sum(int(block.deals[0].sum()) for block in self.blocks.values())

    def finish(self, total: int, before: RoundDeal | None) -> RoundDeal:
        labels: tuple[list[str], list[str]] = ([], [])
        edges: tuple[list[int], list[int]] = ([0], [0])
        start, weight, sign = [0], [], []
        for public in sorted(self.blocks):
            block = self.blocks[public]
            for player, states in enumerate(block.states):
                labels[player].extend(states)
                edges[player].append(len(labels[player]))
            weight.append(block.deals[0].ravel() / total)
            sign.append(block.deals[1].ravel() / total)
            start.append(start[-1] + block.deals[0].size)
        parent = []
        for player in range(2):
            where = {label: i for i, label in enumerate(before.labels[player])} if before else {}
            names = self.parents[player]
            parent.append(np.array([where[names[label]] if before else 0 for label in labels[player]], dtype=np.int64))
        return RoundDeal(
            (tuple(labels[0]), tuple(labels[1])),
            (parent[0], parent[1]),
            (np.array(edges[0]), np.array(edges[1])),
            np.array(start),
            np.concatenate(weight),
            np.concatenate(sign),
        )


def _add_board(game: Game, namer: Namer, tables: list[_Table], board: tuple[int, ...], multiplicity: int) -> None:
    """Count every pair of hole hands on one board, in every round."""
    left = [card for card in game.deck if card not in board]
    holes = list(combinations(left, game.hole_cards))
    held = np.array([sum(1 << card for card in hole) for hole in holes])
    strength = np.array([evaluate(hole + board, game.hand_ranking) for hole in holes])
    disjoint = (held[:, None] & held[None, :] == 0) * multiplicity
    deals = np.stack((disjoint, disjoint * np.sign(strength[:, None] - strength[None, :])))
    before: list[tuple[str, ...]] = []
    for round_, table in enumerate(tables):
        labels = namer.labels(holes, board, round_)
        table.blocks[namer.board(board, round_)].add(labels, deals)
        for above, label in zip(before, labels, strict=False):  # the first round has nothing above
            for player, parents in enumerate(table.parents):
                parents[label[player]] = above[player]
        before = labels
