"""Matrix deals: two players, every private state listed, one matrix entry per pair of states.

A *private state* is what a player knows of the cards in a round. States of one round refine those of the round
before (perfect recall). Two matrices per round say everything the solvers need:

    weight[i, j]   probability that player 0 is in state i and player 1 in state j
    sign[i, j]     the same, counting +1 where player 0 would win the showdown, -1 where he would lose, 0 for ties

Public cards are common to both players, so the matrices are block diagonal, one block per public state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations

import numpy as np
import numpy.typing as npt

from kibitz.cards import RANKS, format_cards
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.games import Game
from kibitz.isomorphism import IsomorphismIndex

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
        """`weight` or `sign` as one matrix: float64[states of 0, states of 1]."""
        matrix = np.zeros((len(self.labels[0]), len(self.labels[1])))
        rows, columns = self.edges
        for b in range(len(self.start) - 1):
            block = entries[self.start[b] : self.start[b + 1]]
            width = columns[b + 1] - columns[b]
            matrix[rows[b] : rows[b + 1], columns[b] : columns[b + 1]] = block.reshape(-1, width)
        return matrix


@dataclass(frozen=True, eq=False)
class MatrixDeal:
    """All rounds of a two-player deal."""

    game: Game
    suits_merged: bool
    rounds: tuple[RoundDeal, ...]

    @cached_property
    def counts(self) -> Ints:
        """Private states: int64[rounds, 2]."""
        return np.array([[len(states) for states in each.labels] for each in self.rounds], dtype=np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of states and matrices."""
        digest = sha256()
        for each in self.rounds:
            digest.update("\n".join(each.labels[0] + each.labels[1]).encode())
            for array in (*each.edges, each.weight, each.sign):
                digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:16]


def matrix_deal(game: Game, suits_merged: bool = True) -> MatrixDeal:
    """The deal of a small two-player game, by enumeration.

    suits_merged: identify states that differ in the names of suits only, which loses nothing.
    """
    if game.players != 2:
        raise KibitzError(f"matrix deals are for two players, not {game.players}: use a sampled solver")
    deals = _count_deals(game)
    if deals > MAX_DEALS:
        raise KibitzError(f"{deals:,} deals are too many to list (at most {MAX_DEALS:,}): use a sampled solver")
    namer = _Namer(game, suits_merged)
    tables = [_Table() for _ in range(game.rounds)]
    for board, multiplicity in _boards(game, suits_merged):
        _add_board(game, namer, tables, board, multiplicity)
    total = tables[-1].total()
    rounds: list[RoundDeal] = []
    for table in tables:
        rounds.append(table.finish(total, rounds[-1] if rounds else None))
    return MatrixDeal(game, suits_merged, tuple(rounds))


def _count_deals(game: Game) -> int:
    """Ordered pairs of hole hands times boards, street by street."""
    left, deals = len(game.deck), 1
    for count in (game.hole_cards, game.hole_cards, *game.board_cards):
        for i in range(count):
            deals = deals * (left - i) // (i + 1)
        left -= count
    return deals


def _boards(game: Game, suits_merged: bool) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every board, streets in order, with the number of boards it stands for."""
    streets = tuple(count for count in game.board_cards if count)
    if not streets:
        yield (), 1
    elif suits_merged:
        index = IsomorphismIndex(streets, game.suits, game.ranks)
        for i in range(index.sizes[-1]):
            yield index.unindex(i), index.orbit_size(i)
    else:
        yield from ((board, 1) for board in _dealt(game.deck, streets))


def _dealt(deck: tuple[int, ...], streets: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not streets:
        yield ()
        return
    for cards in combinations(deck, streets[0]):
        rest = tuple(card for card in deck if card not in cards)
        for later in _dealt(rest, streets[1:]):
            yield cards + later


class _Namer:
    """Names private and public states so that equal names mean equal knowledge."""

    def __init__(self, game: Game, suits_merged: bool) -> None:
        self.game = game
        self.streets = tuple(count for count in game.board_cards if count)
        # Without straights and flushes a suit means nothing, and ranks alone tell hands apart.
        self.ranks_only = suits_merged and game.hand_ranking == "standard" and game.hole_cards + sum(self.streets) < 5
        self.index = (
            IsomorphismIndex((game.hole_cards, *self.streets), game.suits, game.ranks) if suits_merged else None
        )
        self.public = IsomorphismIndex(self.streets, game.suits, game.ranks) if suits_merged and self.streets else None

    def _cut(self, board: tuple[int, ...], round_: int) -> tuple[tuple[int, ...], int]:
        """The board of a round and the number of streets on it."""
        return board[: self.game.board_ends[round_]], sum(1 for count in self.game.board_cards[: round_ + 1] if count)

    def board(self, board: tuple[int, ...], round_: int) -> tuple[int, ...]:
        """A canonical representative of the public cards of a round."""
        cards, streets = self._cut(board, round_)
        if self.ranks_only:
            return self._sorted(tuple(card | 3 for card in cards))
        if self.public is not None and streets:
            return self.public.unindex(self.public.index(cards, streets - 1), streets - 1)
        return self._sorted(cards)

    def hand(self, hole: tuple[int, ...], board: tuple[int, ...], round_: int) -> tuple[int, ...]:
        """A canonical representative of what a player sees in a round: hole cards, then the board."""
        cards, streets = self._cut(board, round_)
        if self.ranks_only:
            return tuple(sorted((card | 3 for card in hole), reverse=True)) + self._sorted(tuple(c | 3 for c in cards))
        if self.index is not None:
            return self.index.unindex(self.index.index(hole + cards, streets), streets)
        return tuple(sorted(hole, reverse=True)) + self._sorted(cards)

    def _sorted(self, board: tuple[int, ...]) -> tuple[int, ...]:
        ordered: tuple[int, ...] = ()
        for count in self.streets:
            ordered += tuple(sorted(board[len(ordered) : len(ordered) + count], reverse=True))
        return ordered[: len(board)]

    def text(self, cards: tuple[int, ...]) -> str:
        """A state as people read it: hole cards, then "|" and the board of each street."""
        game = self.game
        suitless = self.ranks_only or game.suits == 1
        write = (lambda these: "".join(RANKS[card >> 2] for card in these)) if suitless else format_cards
        pieces, start = [write(cards[: game.hole_cards])], game.hole_cards
        for count in self.streets:
            if start < len(cards):
                pieces.append(write(cards[start : start + count]))
                start += count
        return "|".join(pieces)


class _Table:
    """The matrices of one round while they are being filled: public state -> states of both -> entries."""

    def __init__(self) -> None:
        self.blocks: dict[tuple[int, ...], tuple[dict[str, int], dict[str, int], dict[tuple[int, int], list[int]]]] = {}
        self.parents: tuple[dict[str, str], dict[str, str]] = ({}, {})

    def total(self) -> int:
        return sum(entry[0] for *_states, entries in self.blocks.values() for entry in entries.values())

    def finish(self, total: int, before: RoundDeal | None) -> RoundDeal:
        labels: tuple[list[str], list[str]] = ([], [])
        edges: tuple[list[int], list[int]] = ([0], [0])
        start, weight, sign = [0], [], []
        for public in sorted(self.blocks):
            rows, columns, entries = self.blocks[public]
            block = np.zeros((2, len(rows), len(columns)))
            for (i, j), (deals, signed) in entries.items():
                block[:, i, j] = deals, signed
            for player, states in enumerate((rows, columns)):
                labels[player].extend(states)
                edges[player].append(len(labels[player]))
            weight.append(block[0].ravel() / total)
            sign.append(block[1].ravel() / total)
            start.append(start[-1] + block[0].size)
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


def _add_board(game: Game, namer: _Namer, tables: list[_Table], board: tuple[int, ...], multiplicity: int) -> None:
    """Count every pair of hole hands on one board, in every round."""
    left = [card for card in game.deck if card not in board]
    holes = list(combinations(left, game.hole_cards))
    strength = [evaluate(hole + board, game.hand_ranking) for hole in holes]
    names: list[list[tuple[str, str]]] = []  # per round and hole hand, the names for both players
    for round_ in range(game.rounds):
        public = namer.board(board, round_)
        unseen = f"?|{format_cards(public)}" if public else "?"
        row = []
        for hole in holes:
            label = namer.text(namer.hand(hole, board, round_))
            row.append((label if game.sighted[0] else unseen, label if game.sighted[1] else unseen))
        names.append(row)
    for round_, table in enumerate(tables):
        rows, columns, entries = table.blocks.setdefault(namer.board(board, round_), ({}, {}, {}))
        for a in range(len(holes)):
            for player, states in enumerate((rows, columns)):
                label = names[round_][a][player]
                states.setdefault(label, len(states))
                if round_:
                    table.parents[player][label] = names[round_ - 1][a][player]
        for a, first in enumerate(holes):
            for b, second in enumerate(holes):
                if set(first) & set(second):
                    continue
                key = (rows[names[round_][a][0]], columns[names[round_][b][1]])
                entry = entries.setdefault(key, [0, 0])
                entry[0] += multiplicity
                entry[1] += multiplicity * ((strength[a] > strength[b]) - (strength[a] < strength[b]))
