"""Sampled deals: one real deal at a time, as the private states or buckets of 2 to 10 players in every round.

`SampledDeal` is all that sampled solvers ask of the cards: they never see a card, only states and who would win.
`ListedDeal`, made by `sampled_deal`, is the lossless one of small games: it draws cards and looks their states up.

A deal of a large game (buckets of hold'em) is another class with the same members. Its `draw` takes deals by number,
as `_kernels.draw` does, then finds a bucket per (round, player) from hole cards and board, for instance by
`IsomorphismIndex.index_batch` into an array of buckets, and strengths by `evaluate_batch`. Its `counts` are the numbers
of buckets and its `fingerprint` names the card abstraction. Nothing in the solvers has to change.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.deals.matrix import matrix_deal
from kibitz.deals.naming import Labels, Namer, list_states
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate
from kibitz.files import fingerprint
from kibitz.games import Game

MAX_ENTRIES = 20_000_000
Ints = npt.NDArray[np.int32]


class Draws(NamedTuple):
    """Deals, one a row.

    states    : int32[count, rounds, players], private states or buckets
    strengths : int32[count, players], showdown strengths, larger wins; equal ones tie
    """

    states: Ints
    strengths: Ints


class SampledDeal(Protocol):
    """What sampled solvers ask of the cards."""

    @property
    def game(self) -> Game:
        """The game dealt."""

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Card states: int64[rounds, players]."""

    @property
    def fingerprint(self) -> str:
        """A hash of what the states mean."""

    def draw(self, seed: int, first: int, count: int) -> Draws:
        """Deals number first .. first + count - 1 of `seed`; a deal depends on its number and the seed alone."""


@dataclass(frozen=True, eq=False)
class ListedDeal:
    """Every state of a small game listed, found by the cards seen.

    labels      [round][player][state], the text of every state
    fingerprint equal to that of the matrix deal with the same states, where there is one
    begin       : int64[rounds, players], where a player's states in a round begin in `tables`
    tables      : int32, states by the cards seen (hole cards, then board) as digits of base deck size; -1 if impossible
    strength    : int32, showdown strengths by the cards of hand and board, in the same way
    """

    game: Game
    suits_merged: bool
    labels: tuple[Labels, ...]
    fingerprint: str
    begin: npt.NDArray[np.int64]
    tables: Ints
    strength: Ints

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """Card states: int64[rounds, players]."""
        return np.array([[len(states) for states in labels] for labels in self.labels], dtype=np.int64)

    def draw(self, seed: int, first: int, count: int) -> Draws:
        """Deals number first .. first + count - 1 of `seed`, every order of the deck equally likely."""
        from kibitz.deals import _kernels

        game = self.game
        key = np.random.SeedSequence((seed, 0)).generate_state(1, np.uint64)[0]
        states = np.empty((count, game.rounds, game.players), dtype=np.int32)
        strengths = np.empty((count, game.players), dtype=np.int32)
        ends, size = np.array(game.board_ends), len(game.deck)
        layout = (self.begin, self.tables, self.strength, np.arange(size))
        _kernels.draw(key, first, game.hole_cards, ends, size, *layout, states, strengths)
        return Draws(states, strengths)

    def state(self, player: int, round_: int, hole: tuple[int, ...], board: tuple[int, ...]) -> int:
        """The card state of `player` in a round, who holds `hole` with `board` on the table."""
        return int(self.tables[self.begin[round_, player] + self._place(hole + board)])

    def look_up(self, hole: tuple[tuple[int, ...], ...], board: tuple[int, ...]) -> Draws:
        """The one deal of these cards, as a row of `draw`."""
        ends = self.game.board_ends
        states = [[self.state(p, r, cards, board[:end]) for p, cards in enumerate(hole)] for r, end in enumerate(ends)]
        strengths = [self.strength[self._place(cards + board)] for cards in hole]
        return Draws(np.array([states], dtype=np.int32), np.array([strengths], dtype=np.int32))

    @cached_property
    def _digits(self) -> dict[int, int]:
        return {card: i for i, card in enumerate(self.game.deck)}

    def _place(self, cards: tuple[int, ...]) -> int:
        """Where `cards` stand in the tables, less where the table begins."""
        place = 0
        for card in cards:
            place = len(self._digits) * place + self._digits[card]
        return place


def sampled_deal(game: Game, suits_merged: bool = True) -> ListedDeal:
    """The lossless sampled deal of a small game, with the states of `matrix_deal` for any number of players.

    suits_merged: identify states that differ in the names of suits only, which loses nothing.
    """
    entries = len(game.deck) ** (game.hole_cards + game.board_ends[-1])
    if entries > MAX_ENTRIES:
        raise KibitzError(
            f"{entries:,} hands of {game.hole_cards} hole and {game.board_ends[-1]} board cards are too many to list "
            f"(at most {MAX_ENTRIES:,}): the game needs buckets"
        )
    if game.players == 2:
        matrix = matrix_deal(game, suits_merged)
        labels: tuple[Labels, ...] = tuple(each.labels for each in matrix.rounds)
        fingerprint = matrix.fingerprint
    else:
        labels = list_states(game, suits_merged)
        fingerprint = _fingerprint(labels)
    begin, tables, strength = _tables(game, Namer(game, suits_merged), labels)
    return ListedDeal(game, suits_merged, labels, fingerprint, begin, tables, strength)


def _fingerprint(labels: tuple[Labels, ...]) -> str:
    """A hash of the states; with the game, which the betting tree's fingerprint holds, they say everything."""
    return fingerprint("\n\n".join("\n".join(states) for round_ in labels for states in round_))


def _tables(game: Game, namer: Namer, labels: tuple[Labels, ...]) -> tuple[npt.NDArray[np.int64], Ints, Ints]:
    """(begin, tables, strength) of a deal."""
    size = len(game.deck)
    begin = np.zeros((game.rounds, game.players), dtype=np.int64)
    tables: list[Ints] = []
    total = 0
    for r, end in enumerate(game.board_ends):
        length = game.hole_cards + end
        digits = np.array(list(permutations(range(size), length)), dtype=np.int64)
        places = digits @ size ** np.arange(length - 1, -1, -1)
        hands = np.array(game.deck, dtype=np.uint8)[digits]
        _classes, first, which = np.unique(namer.classes(hands, r), return_index=True, return_inverse=True)
        examples = [tuple(map(int, hands[row])) for row in first]
        for looks in sorted(set(game.sighted)):
            player = game.sighted.index(looks)
            number = {label: i for i, label in enumerate(labels[r][player])}
            names = [_name(namer, cards, r, looks) for cards in examples]
            table = np.full(size**length, -1, dtype=np.int32)
            table[places] = np.array([number[name] for name in names], dtype=np.int32)[which]
            begin[r, [p for p in range(game.players) if game.sighted[p] == looks]] = total
            tables.append(table)
            total += len(table)
    values = np.array([evaluate(cards, game.hand_ranking) for cards in examples])
    strength = np.full(size**length, -1, dtype=np.int32)
    strength[places] = np.unique(values, return_inverse=True)[1][which]  # dense: 0 for the worst hand
    return begin, np.concatenate(tables), strength


def _name(namer: Namer, cards: tuple[int, ...], round_: int, looks: bool) -> str:
    """The state of a player who holds the first of `cards` with the others on the board."""
    hole, board = cards[: namer.game.hole_cards], cards[namer.game.hole_cards :]
    return namer.text(namer.hand(hole, board, round_)) if looks else namer.unseen(board, round_)
