"""What players know of their cards, made once for all solvers and measures: every hand told apart, or buckets.

Both kinds answer the same questions: the matrix deal and the sampled deal, the names of their states, how many there
are, and what of it is in reach. Nothing is built before it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from kibitz.abstraction import CardAbstraction, load_abstraction, parse_notation
from kibitz.abstraction.features.boards import STREETS
from kibitz.abstraction.manifests import DescribedCards
from kibitz.deals.bucketed import bucketed_deal
from kibitz.deals.joint import Boards, bucket_label, bucket_matrices
from kibitz.deals.matrix import MatrixDeal, matrix_deal
from kibitz.deals.sampled import SampledDeal, sampled_deal
from kibitz.errors import KibitzError
from kibitz.games import Game
from kibitz.progress import Progress, silent

ALL_BOARDS = 22_100 * 49 * 48  # flops, turns and rivers in the order in which they come
_BOARD_BYTES = 52 + 5 + 8  # of a board as it is drawn: a shuffled deck, the cards taken from it, and a weight


class PrivateCards(Protocol):
    """What a problem asks of the cards."""

    @property
    def name(self) -> str:
        """The card abstractions in words; empty where all hands are told apart."""

    @property
    def abstractions(self) -> tuple[CardAbstraction, ...]:
        """The card abstraction of every seat; none where all hands are told apart."""

    @property
    def matrix(self) -> MatrixDeal:
        """The cards, for two players."""

    @property
    def sampled(self) -> SampledDeal:
        """The cards as they are dealt, for any number of players."""

    @property
    def fingerprint(self) -> str:
        """A hash of what the states mean."""

    @property
    def counts(self) -> Sequence[Sequence[int]] | None:
        """Buckets, [round][player]; None for the private states that lose nothing."""

    @property
    def has_all_rounds(self) -> bool:
        """Whether the joint distribution of states is that of whole boards."""

    @property
    def is_measurable(self) -> bool:
        """Whether best responses can be found."""

    @property
    def board_bytes(self) -> int:
        """Approximate memory for sampling boards; 0 where none are sampled."""

    def prepare(self, threads: int, progress: Progress) -> None:
        """Make what takes long, on several threads and with progress."""

    def label(self, round_: int, player: int, state: int) -> str:
        """A private state or bucket as people read it."""

    def describe(self) -> dict[str, Any]:
        """What identifies the states in a file."""


class LosslessCards:
    """Every hand of a small game told apart, or all but the names of suits."""

    name = ""
    abstractions: tuple[CardAbstraction, ...] = ()
    counts = None
    has_all_rounds = is_measurable = True
    board_bytes = 0

    def __init__(self, game: Game, suits_merged: bool) -> None:
        self.game, self.suits_merged = game, suits_merged

    @cached_property
    def matrix(self) -> MatrixDeal:
        return matrix_deal(self.game, self.suits_merged)

    @cached_property
    def sampled(self) -> SampledDeal:
        return sampled_deal(self.game, self.suits_merged)

    @property
    def fingerprint(self) -> str:
        return self.matrix.fingerprint if self.game.players == 2 else self.sampled.fingerprint

    def prepare(self, threads: int, progress: Progress) -> None:
        """Small games are made soon enough."""

    def label(self, round_: int, player: int, state: int) -> str:
        if self.game.players == 2:
            return self.matrix.rounds[round_].labels[player][state]
        return sampled_deal(self.game, self.suits_merged).labels[round_][player][state]

    def describe(self) -> dict[str, Any]:
        return {"suits": "merged" if self.suits_merged else "kept"}


class BucketedCards:
    """Hold'em in buckets, by the notation of every seat; seats with the same one share it.

    boards   on how many the joint bucket distribution is counted, 0 for all of them
    seed     of those boards, and of clustering
    """

    def __init__(self, game: Game, notations: tuple[str, ...], boards: int, seed: int) -> None:
        for name in dict.fromkeys(notations):
            check_holdem(game, name)
        if boards > ALL_BOARDS:
            raise KibitzError(f"{boards:,} boards: there are no more than {ALL_BOARDS:,}; 0 takes all of them")
        self.game, self.notations, self.boards, self.seed = game, notations, boards, seed
        self._abstractions: tuple[CardAbstraction, ...] | None = None
        self._matrix: MatrixDeal | None = None
        self._sampled: SampledDeal | None = None

    @property
    def name(self) -> str:
        return " and ".join(dict.fromkeys(self.notations))

    @property
    def abstractions(self) -> tuple[CardAbstraction, ...]:
        return self._abstractions or self._load(1, silent)

    @property
    def matrix(self) -> MatrixDeal:
        """Its states are a rectangle where the seats have different abstractions."""
        return self._matrix or self._meet(1, silent)

    @property
    def sampled(self) -> SampledDeal:
        return self._sampled or self._deal(1)

    def prepare(self, threads: int, progress: Progress) -> None:
        if self._abstractions is None:
            self._load(threads, progress)
        if self.is_measurable and self._matrix is None:
            self._meet(threads, progress)
        self._deal(threads)

    def _load(self, threads: int, progress: Progress) -> tuple[CardAbstraction, ...]:
        each = {name: load_abstraction(name, self.seed, threads, progress) for name in dict.fromkeys(self.notations)}
        self._abstractions = tuple(each[name] for name in self.notations)
        return self._abstractions

    def _meet(self, threads: int, progress: Progress) -> MatrixDeal:
        boards = Boards.sampled(self.boards, self.seed) if self.boards else Boards.all()
        self._matrix = bucket_matrices(self.game, self.abstractions, boards, threads, progress)
        for each in set(self.abstractions):  # solvers ask the matrices, and need the room
            each.release()
        return self._matrix

    def _deal(self, threads: int) -> SampledDeal:
        self._sampled = bucketed_deal(self.game, self.abstractions, threads)
        return self._sampled

    @property
    def fingerprint(self) -> str:
        return self.sampled.fingerprint

    @property
    def counts(self) -> list[tuple[int, ...]]:
        each = [parse_notation(name).counts[: self.game.rounds] for name in self.notations]
        return list(zip(*each, strict=True))

    @property
    def has_all_rounds(self) -> bool:
        """In hold'em of four rounds."""
        return self.game.board_ends == STREETS

    @property
    def is_measurable(self) -> bool:
        """With two players, four rounds and perfect recall."""
        perfect = all(parse_notation(name).recall == "PR" for name in self.notations)
        return self.game.players == 2 and self.has_all_rounds and perfect

    @property
    def board_bytes(self) -> int:
        return _BOARD_BYTES * self.boards if self.is_measurable else 0

    def label(self, round_: int, player: int, state: int) -> str:
        return bucket_label(self.abstractions[player], round_, state)

    def describe(self) -> dict[str, Any]:
        return DescribedCards(self.notations, self.boards, self.seed).describe()


def check_holdem(game: Game, cards: str) -> None:
    """Refuse a card abstraction in a game that it knows no hands of."""
    ends = game.board_ends
    if game.hole_cards != 2 or len(game.deck) != 52 or ends != STREETS[: len(ends)] or not all(game.sighted):
        raise KibitzError(
            f"the cards {cards} in {game.name or 'this game'}: card abstractions are for hold'em, two hole cards from "
            "52 and 0, 3, 4, 5 on the board; small games need none"
        )
