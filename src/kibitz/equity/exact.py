"""Equity over every deal of hole cards and every board.

Boards are dealt in blocks. The hands of all ranges are valued once per block, whoever holds them, and then every
deal (one hand per player, no card twice) is counted on the block: the work is boards x (hands + deals).
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, prod

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity import arrays
from kibitz.equity.ranges import Hand, Range
from kibitz.equity.result import Equity, summarise
from kibitz.errors import CardError
from kibitz.evaluator.arrays import boards_standard
from kibitz.parallel.threads import Check, stoppable_threads

Masks = npt.NDArray[np.uint64]
Kernel = Callable[..., object]

# Measured on one core; they only have to be right to a factor of two or so.
_SECONDS_PER_VALUE = 0.9e-9
_SECONDS_PER_PAIR = 0.15e-9
_SECONDS_PER_PLAYER = 2.5e-9
_SECONDS_IN_ARRAYS = (33e-9, 43e-9, 5e-9)  # a board, a value, a player of a deal: without the compiler
_LOADING = 0.6  # seconds that the compiler takes to load, the kernels being compiled already

_MOST_DEALS = 20_000_000  # deals of hole cards that are listed in memory at most
_LEAST_WEIGHT = 1e-150  # of the likeliest deal; below it, products of weights may have been rounded to 0
_SLICES = 16  # fixed, so that sums of weights round the same way on any number of threads
_BLOCK_VALUES = 1 << 19  # values of a block of boards at most, about: two megabytes
_PIECE_VALUES = 1 << 26  # values that are compared between two looks at whether to go on: a fifth of a second at most
_BLOCK_BOARDS = (512, 8192)  # its size; the evaluator works on 512 boards together


class BoardList:
    """The boards of five cards that complete `board` from `deck`, laid out for `_kernels.next_boards`.

    The last two cards come from a list of all pairs: the pairs that may follow a card are the end of that list, so most
    of the work of dealing is to join one prefix to a run of pairs.
    """

    def __init__(self, deck: Sequence[int], board: Sequence[int] = ()) -> None:
        self.missing = 5 - len(board)
        tail = min(2, self.missing)
        self.prefix = self.missing - tail
        fixed = cards_to_mask(board)
        bits = [cards_to_mask([card]) for card in deck]
        self.deck: npt.NDArray[np.uint64] = np.array(bits, dtype=np.uint64)
        self.tails: npt.NDArray[np.uint64] = np.array(
            [fixed | sum(cards) for cards in combinations(bits, tail)], dtype=np.uint64
        )
        size = len(deck)
        self.tail_starts: npt.NDArray[np.int64] = np.array(
            [len(self.tails) - comb(size - first, tail) for first in range(size + 1)], dtype=np.int64
        )

    def __len__(self) -> int:
        return comb(len(self.deck), self.missing)

    def state(self, number: int) -> npt.NDArray[np.int64]:
        """Where dealing stands before board `number`: int64[prefix + 1], the prefix's positions and the tail's number.

        >>> BoardList(range(6)).state(5).tolist()
        [1, 2, 3, 14]
        """
        size = len(self.deck)
        positions: list[int] = []
        position = 0
        while len(positions) < self.prefix:
            starting_here = comb(size - position - 1, self.missing - len(positions) - 1)
            if number < starting_here:
                positions.append(position)
            else:
                number -= starting_here
            position += 1
        return np.array([*positions, int(self.tail_starts[position]) + number], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Work:
    """What an exact answer takes, counted before anything is done (deals as if no two hands shared a card)."""

    boards: int
    hands: int
    deals: int
    players: int

    @property
    def seconds(self) -> float:
        """A rough forecast for one thread."""
        per_deal = _SECONDS_PER_PAIR if self.players == 2 else _SECONDS_PER_PLAYER * self.players
        return self.boards * (self.hands * _SECONDS_PER_VALUE + self.deals * per_deal)

    @property
    def seconds_in_arrays(self) -> float:
        """The same without the compiler."""
        board, value, player = _SECONDS_IN_ARRAYS
        return self.boards * (board + self.hands * value + self.deals * self.players * player)

    @property
    def fits(self) -> bool:
        """Whether the deals can be listed in memory."""
        return self.deals <= _MOST_DEALS

    def __str__(self) -> str:
        return f"{self.boards:,} boards x {self.deals:,} deals of hole cards (about {self.seconds:,.0f} s)"


def count_work(ranges: Sequence[Range], board: Sequence[int]) -> Work:
    """The size of the exact computation."""
    deck = _live_deck(ranges, board)
    return Work(
        boards=comb(len(deck), 5 - len(board)),
        hands=len({hand for hands in ranges for hand in hands.hands}),
        deals=prod(len(hands.hands) for hands in ranges),
        players=len(ranges),
    )


class _Steps:
    """With what this process computes: NumPy, until that has taken as long as the compiler takes to load."""

    def __init__(self) -> None:
        self.in_arrays = 0.0  # forecast seconds so far

    def choose(self, work: Work) -> tuple[Kernel, Kernel, Kernel]:
        """Functions that deal boards, value hands on them and count who wins; all give the same to the bit."""
        loaded = "kibitz.equity._kernels" in sys.modules
        if not loaded and self.in_arrays + work.seconds_in_arrays <= _LOADING:
            self.in_arrays += work.seconds_in_arrays
            counted = arrays.count_pairs if work.players == 2 else arrays.count_players
            return arrays.next_boards, boards_standard, counted
        from kibitz.equity import _kernels
        from kibitz.evaluator import evaluate_boards

        counted = _kernels.count_pairs if work.players == 2 else _kernels.count_players
        return _kernels.next_boards, evaluate_boards, counted


_steps = _Steps()


def exact_equity(ranges: Sequence[Range], board: Sequence[int], threads: int = 1) -> Equity:
    """Each player's equity over all deals and boards; `board` has 0 to 5 cards that no hand of a range uses."""
    next_boards, evaluate_boards, count = _steps.choose(count_work(ranges, board))
    holes, rows, weights = list_deals(ranges)
    players = len(ranges)
    boards = BoardList(_live_deck(ranges, board), board)
    block = int(np.clip(_BLOCK_VALUES // len(holes), *_BLOCK_BOARDS))
    piece = max(1, _PIECE_VALUES // (block * players))

    def count_slice(start: int, stop: int, check: Check = lambda: None) -> npt.NDArray[np.float64]:
        state = boards.state(start)
        dealt = np.empty(block, dtype=np.uint64)
        values = np.empty((len(holes), block), dtype=np.int32)
        shares = np.zeros((players, players + 1))
        for done in range(start, max(stop, start + 1), block):  # no boards at all still load the kernels
            size = min(block, stop - done)
            next_boards(boards.deck, boards.tails, boards.tail_starts, state, dealt[:size])
            evaluate_boards(dealt[:size], holes, values)
            for first in range(0, len(rows), piece):
                check()
                count(values, size, rows[first : first + piece], weights[first : first + piece], shares)
        return shares

    bounds = [len(boards) * i // _SLICES for i in range(_SLICES + 1)]
    count_slice(0, 0)
    with stoppable_threads(threads) as (pool, check):
        counted = pool.map(lambda start, stop: count_slice(start, stop, check), bounds[:-1], bounds[1:])
        shares = sum(counted, np.zeros((players, players + 1)))
    boards_per_deal = comb(52 - len(board) - 2 * players, 5 - len(board))
    return summarise(shares, float(weights.sum()) * boards_per_deal, len(rows) * boards_per_deal)


def list_deals(
    ranges: Sequence[Range],
) -> tuple[Masks, npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """All ways to give every player a hand of his range, no card twice.

    Returns the different hands as masks uint64[h], each deal's hands as indices into them int32[deals, players], and
    the deals' weights float64[deals], the product of the hands' weights, the largest of each range taken as 1
    (or the largest product, where all are tiny).
    """
    hands = sorted({hand for each in ranges for hand in each.hands})
    index = {hand: row for row, hand in enumerate(hands)}
    masks = np.array([cards_to_mask(hand) for hand in hands], dtype=np.uint64)
    rows = np.empty((1, 0), dtype=np.int32)
    used = np.zeros(1, dtype=np.uint64)
    weights = np.ones(1)
    for each in ranges:
        own = np.array([index[hand] for hand in each.hands], dtype=np.int32)
        deal, hand = np.nonzero((used[:, None] & masks[own][None, :]) == 0)
        rows = np.column_stack([rows[deal], own[hand]])
        used = used[deal] | masks[own[hand]]
        weights = weights[deal] * (np.array(each.weights) / max(each.weights))[hand]
    if not len(rows):
        raise CardError("the ranges cannot be dealt together: every choice of hands uses a card twice")
    if weights.max() < _LEAST_WEIGHT:
        weights = _relative_weights(ranges, index, rows)
    return masks, np.ascontiguousarray(rows), weights


def _relative_weights(
    ranges: Sequence[Range], index: dict[Hand, int], rows: npt.NDArray[np.int32]
) -> npt.NDArray[np.float64]:
    """The deals' weights, the largest taken as 1, by way of logarithms: for products too small for a float."""
    logs = np.zeros(len(rows))
    for each, column in zip(ranges, rows.T, strict=True):
        own = np.zeros(len(index))
        own[[index[hand] for hand in each.hands]] = np.log(each.weights)
        logs += own[column]
    return np.asarray(np.exp(logs - logs.max()))


def _live_deck(ranges: Sequence[Range], board: Sequence[int]) -> list[int]:
    """The cards that may still come: not on the board, and not in a hand that its player must have."""
    dead = set(board)
    for each in ranges:
        dead |= set(each.hands[0]).intersection(*each.hands)
    return [card for card in range(52) if card not in dead]
