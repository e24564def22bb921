"""Games of perfect-recall buckets as matrix deals: the joint distribution of every two bucket sequences, and who wins.

The matrices of the last round are added up board by board, all pairs of hands on each with card removal exact; those of
earlier rounds are sums of them, because a sequence tells all that came before. With all boards they are exact; with a
sample they are exact for a deck that deals those boards, and `provenance` says how many.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.core import CardAbstraction
from kibitz.abstraction.features.boards import pair_cards
from kibitz.abstraction.features.strength import pair_masks
from kibitz.amounts import available_bytes
from kibitz.cards import cards_to_mask
from kibitz.deals import MatrixDeal, RoundDeal
from kibitz.deals.bucketed import bucketed_deal
from kibitz.errors import KibitzError
from kibitz.evaluator import evaluate_boards
from kibitz.games import Game
from kibitz.isomorphism import IsomorphismIndex
from kibitz.parallel.threads import run_slices
from kibitz.progress import Progress, silent

__all__ = ["Boards", "bucket_label", "bucket_matrices", "tied_showdowns"]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Cards = npt.NDArray[np.uint8]
States = npt.NDArray[np.int32]
Look = Callable[[Cards], tuple[States, States]]

MOST_STATES = 32_768  # per player in the last round: two matrices of eight gigabytes
BATCH = 64  # boards looked up together
PAIRS_ON_BOARD = 1081 * 990  # ordered pairs of hands that share no card with the board or each other


@dataclass(frozen=True)
class Boards:
    """Full boards, streets in order, and how many each stands for: uint8[m, 5], float64[m]."""

    cards: Cards
    weights: Floats

    @classmethod
    def sampled(cls, count: int, seed: int) -> Boards:
        """`count` boards drawn at random, all alike likely."""
        if count < 1:
            raise KibitzError(f"{count} boards: at least one")
        generator = np.random.default_rng(seed)
        cards = generator.permuted(np.broadcast_to(np.arange(52, dtype=np.uint8), (count, 52)), axis=1)[:, :5]
        return cls(np.ascontiguousarray(cards), np.ones(count))

    @classmethod
    def all(cls) -> Boards:
        """One of every class of isomorphic boards, with the size of the class."""
        index = IsomorphismIndex("3|1|1")
        numbers = np.arange(index.sizes[-1])
        return cls(index.unindex_batch(numbers), index.orbit_size_batch(numbers).astype(np.float64))


def bucket_matrices(
    game: Game,
    abstractions: CardAbstraction | Sequence[CardAbstraction],
    boards: Boards,
    threads: int = 1,
    progress: Progress = silent,
) -> MatrixDeal:
    """The matrix deal of two-player hold'em in perfect-recall buckets, over `boards`.

    abstractions   one for both players, or one each
    """
    deal = bucketed_deal(game, abstractions)
    if game.players != 2 or game.board_ends[-1] != 5:
        raise KibitzError(f"{game.name or 'the game'}: bucket matrices are for two players and five board cards")
    for each in deal.abstractions:
        if each.parents is None:
            raise KibitzError(f"{each.name} has imperfect recall or is too large: bucket matrices need perfect recall")
        if each.counts[-1] > MOST_STATES:
            raise KibitzError(f"{each.name} has {each.counts[-1]:,} last states: at most {MOST_STATES:,}")
    look, shape, same = _states_of(deal.abstractions)
    weight, sign = count_meetings(boards, look, shape, same, threads, progress)
    total = weight.sum()
    weight /= total  # in place: they may take gigabytes
    sign /= total
    return MatrixDeal(game, True, _all_rounds(deal.abstractions, weight, sign), deal.fingerprint)


def count_meetings(
    boards: Boards, look: Look, shape: tuple[int, int], same: bool, threads: int, progress: Progress
) -> tuple[Floats, Floats]:
    """Pairs of hands in every two states, float64[shape], and those player 0 wins less those he loses.

    look   gives both players' states of all pairs on boards: uint8[n, 5] -> int32[n, 1326] twice, anything if blocked
    same   whether both have the same states
    """
    from kibitz.deals.joint import _kernels

    def add(on: OnBoards, sums: Floats) -> None:
        _kernels.add_boards(on.cards, on.weights, on.holes, on.strengths, *look(on.cards), same, sums[0], sums[1])

    weight, sign = _add_up(boards, (2, *shape), add, threads, progress)
    return weight, sign


def tied_showdowns(abstractions: Sequence[CardAbstraction], boards: Boards, threads: int = 1) -> Floats:
    """The weight of ties on `boards`, which the matrices of a deal do not tell, as a part of all deals.

    float64[states of 0, states of 1] of the last round
    abstractions   of perfect recall, one for each of two players
    """
    from kibitz.deals.joint import _kernels

    look, shape, _same = _states_of(abstractions)

    def add(on: OnBoards, ties: Floats) -> None:
        _kernels.add_ties(on.cards, on.weights, on.holes, on.strengths, *look(on.cards), ties)

    return np.asarray(_add_up(boards, shape, add, threads) / (PAIRS_ON_BOARD * boards.weights.sum()))


def _states_of(abstractions: Sequence[CardAbstraction]) -> tuple[Look, tuple[int, int], bool]:
    """What gives the last states of two players on boards, how many there are, and whether they are the same."""
    first, second = abstractions
    same = first is second

    def look(cards: Cards) -> tuple[States, States]:
        states = first.board_buckets(cards, 3)
        return states, states if same else second.board_buckets(cards, 3)

    return look, (int(first.counts[-1]), int(second.counts[-1])), same


class OnBoards(NamedTuple):
    """Some boards, what they stand for, and the strength of every pair of hole cards on each: int32[boards, 1326]."""

    cards: Cards
    weights: Floats
    holes: Cards
    strengths: npt.NDArray[np.int32]


def _add_up(
    boards: Boards,
    shape: tuple[int, ...],
    add: Callable[[OnBoards, Floats], None],
    threads: int,
    progress: Progress = silent,
) -> Floats:
    """The sum, float64[shape], of what `add` adds for all boards: whole numbers below 2^53, in any order the same."""
    threads = max(1, min(threads, available_bytes() // 2 // (8 * prod(shape))))
    idle = deque(np.zeros(shape) for _ in range(threads))  # whoever works adds to sums of his own
    holes, masks = pair_cards(), pair_masks()

    def work(start: int, stop: int) -> None:
        sums, cards = idle.pop(), boards.cards[start:stop]
        on = np.array([cards_to_mask(board) for board in cards.tolist()], dtype=np.uint64)
        strengths = np.ascontiguousarray(evaluate_boards(on, masks).T)
        add(OnBoards(cards, boards.weights[start:stop], holes, strengths), sums)
        idle.append(sums)

    run_slices(work, len(boards.cards), BATCH, threads, "meeting buckets", progress)
    total = idle.pop()
    for each in idle:
        total += each
    return total


def _all_rounds(abstractions: tuple[CardAbstraction, ...], weight: Floats, sign: Floats) -> tuple[RoundDeal, ...]:
    """The rounds, from the last back to the first."""
    rounds: list[RoundDeal] = []
    for r in range(len(abstractions[0].rounds) - 1, -1, -1):
        parents = [(each.parents or ())[r] for each in abstractions]
        edges = [np.array([0, len(parent)]) for parent in parents]
        labels = [
            tuple(bucket_label(each, r, state) for state in range(len(parent)))
            for each, parent in zip(abstractions, parents, strict=True)
        ]
        rounds.append(
            RoundDeal(
                (labels[0], labels[1]),
                (parents[0], parents[1]),
                (edges[0], edges[1]),
                np.array([0, weight.size]),
                weight.ravel(),
                sign.ravel(),
            )
        )
        weight, sign = (_summed(each, parents) for each in (weight, sign))
    return tuple(reversed(rounds))


def _summed(matrix: Floats, parents: list[Ints]) -> Floats:
    """Rows and columns added up by parent."""
    rows = np.add.reduceat(matrix, np.flatnonzero(np.diff(parents[0], prepend=-1)), axis=0)
    return np.asarray(np.add.reduceat(rows, np.flatnonzero(np.diff(parents[1], prepend=-1)), axis=1))


def bucket_label(abstraction: CardAbstraction, round_: int, state: int) -> str:
    """A bucket as people read it: 4-0-2 is the best bucket, then the worst within it, then the middle one."""
    if abstraction.parents is None:
        return str(state)
    digits = []
    for r in range(round_, -1, -1):
        parent = int(abstraction.parents[r][state])
        above = int(abstraction.counts[r - 1]) if r else 1
        digits.append(state - parent * (int(abstraction.counts[r]) // above))
        state = parent
    return "-".join(map(str, reversed(digits)))
