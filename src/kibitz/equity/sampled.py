"""Equity by sampling deals and boards.

A sample's cards are a function of the seed and the sample's number, so the answer depends on neither the number of
threads nor the order in which they work.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from time import perf_counter
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity.ranges import Range
from kibitz.equity.result import Equity, effective_samples, summarise
from kibitz.errors import CardError
from kibitz.evaluator import evaluate_masks
from kibitz.parallel.threads import Check, stoppable_threads

Masks = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

PLAIN_DEALS = 32  # that a trial must bring, or the deals are weighted
WEIGHTED_DEALS = 4  # that a trial must bring then, or the ranges are refused

_TRIAL = 1 << 12  # tries that show how often a deal succeeds
_NO_LIMIT = (1 << 63) - 1
_FEWEST = 64  # samples dealt together at first
_PIECE_SECONDS = 0.1
Counted = TypeVar("Counted")

_CHUNK = 1 << 14  # samples dealt and counted together


@dataclass(frozen=True, slots=True)
class Trial:
    """How dealing went: `deals` in `tries`, of the `wanted` that end it early."""

    deals: int
    tries: int
    wanted: int

    @property
    def succeeds(self) -> bool:
        """Whether deals are common enough to be drawn by the million."""
        return self.deals == self.wanted

    def __str__(self) -> str:
        return f"{self.deals:,} of {self.tries:,} tries"


class Dealer:
    """Ranges and a board as `_kernels` wants them; `board` has 0 to 5 cards that no hand of a range uses."""

    def __init__(self, ranges: Sequence[Range], board: Sequence[int]) -> None:
        self.players = len(ranges)
        self._hole_cards = np.array([cards_to_mask(hand) for each in ranges for hand in each.hands], dtype=np.uint64)
        self._cumulative = np.concatenate([_cumulative(each) for each in ranges])
        self._weights = np.concatenate([np.array(each.weights) / max(each.weights) for each in ranges])
        self._starts = np.cumsum([0, *(len(each.hands) for each in ranges)], dtype=np.int64)
        live_hands = comb(52 - len(board), 2)
        free = np.array([len(each.hands) == live_hands and len(set(each.weights)) == 1 for each in ranges])
        self._rest = free, np.uint64(cards_to_mask(board)), 5 - len(board)
        self._ranges = ranges

    def deal(self, seed: int, start: int, size: int, check: Check = lambda: None) -> Masks:
        """Hole cards and board of every player, uint64[players, size], for samples start, start + 1, ..."""
        hands = np.empty((self.players, size), dtype=np.uint64)
        for begin, end in _pieces(size, check):
            piece = np.empty((self.players, end - begin), dtype=np.uint64)
            self._deal_plain(seed, start + begin, _NO_LIMIT, piece)
            hands[:, begin:end] = piece
        return hands

    def deal_weighted(self, seed: int, start: int, size: int, check: Check = lambda: None) -> tuple[Masks, Floats]:
        """As `deal`, from fewer tries, and the logarithms float64[size] of what the samples have to count."""
        hands, log_weights = np.empty((self.players, size), dtype=np.uint64), np.empty(size)
        for begin, end in _pieces(size, check):
            piece = np.empty((self.players, end - begin), dtype=np.uint64)
            self._deal_weighted(seed, start + begin, _NO_LIMIT, piece, log_weights[begin:end])
            hands[:, begin:end] = piece
        return hands, log_weights

    def try_plain(self) -> Trial:
        """How often hands drawn from all ranges share no card; always the same tries, whatever the seed."""
        hands = np.empty((self.players, PLAIN_DEALS), dtype=np.uint64)
        return Trial(*self._deal_plain(0, 0, _TRIAL, hands), PLAIN_DEALS)

    def try_weighted(self) -> Trial:
        """How often every player gets a hand that the cards dealt before have left."""
        hands, log_weights = np.empty((self.players, WEIGHTED_DEALS), dtype=np.uint64), np.empty(WEIGHTED_DEALS)
        return Trial(*self._deal_weighted(0, 0, _TRIAL, hands, log_weights), WEIGHTED_DEALS)

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """Who draws first, second, ... of weighted deals: who needs one card most, so that fewer end in nothing."""
        return np.argsort([-_most_common_card(each) for each in self._ranges], kind="stable")

    def _deal_plain(self, seed: int, start: int, tries: int, hands: Masks) -> tuple[int, int]:
        from kibitz.equity import _kernels

        dealt: tuple[int, int] = _kernels.deal_samples(
            np.uint64(seed % 2**64),
            start,
            self._hole_cards,
            self._cumulative,
            self._starts,
            *self._rest,
            tries,
            hands,
        )
        return dealt

    def _deal_weighted(self, seed: int, start: int, tries: int, hands: Masks, log_weights: Floats) -> tuple[int, int]:
        from kibitz.equity import _kernels

        dealt: tuple[int, int] = _kernels.deal_weighted(
            np.uint64(seed % 2**64),
            start,
            self._hole_cards,
            self._weights,
            self._starts,
            self.order,
            *self._rest,
            tries,
            hands,
            log_weights,
        )
        return dealt


def _pieces(size: int, check: Check) -> Iterator[tuple[int, int]]:
    """Bounds that together cover 0 .. size - 1, of as many samples as are dealt in a tenth of a second or so.

    A sample may take a thousand tries. It depends on its number alone, not on the piece that it comes in.
    """
    begin, count = 0, _FEWEST
    while begin < size:
        check()
        started, end = perf_counter(), min(begin + count, size)
        yield begin, end
        begin = end
        count = 2 * count if perf_counter() - started < _PIECE_SECONDS else max(1, count // 2)


def _cumulative(hands: Range) -> Floats:
    """The distribution function over a range's hands, ending in exactly 1."""
    sums = np.cumsum(hands.weights)
    return np.asarray(sums / sums[-1])


def _most_common_card(hands: Range) -> float:
    """The share of a range's weight that needs the card which most of it needs."""
    weights = np.array(hands.weights) / max(hands.weights)
    needed = np.bincount(np.array(hands.hands).reshape(-1), weights.repeat(2))
    return float(needed.max() / weights.sum())


def sampled_equity(
    ranges: Sequence[Range],
    board: Sequence[int],
    samples: int,
    seed: int,
    threads: int = 1,
    note: str = "",
) -> Equity:
    """Each player's equity over `samples` random deals, with 95 % intervals.

    `board` has 0 to 5 cards that no hand of a range uses.

    Hands are drawn from all ranges until no two share a card. Where fewer than about one try in 128 would succeed,
    as with many tight ranges, each hand is drawn among those still possible, and the deals are weighted to make up
    for it (`_kernels.deal_weighted`); the note says so. Which way is taken depends on ranges and board alone.
    """
    dealer = Dealer(ranges, board)
    plain = dealer.try_plain()
    if plain.succeeds:
        return _plain_equity(dealer, samples, seed, threads, note)
    weighted = dealer.try_weighted()
    if not weighted.succeeds:
        raise CardError(
            f"these ranges can hardly be dealt together: {weighted} gave every player a hand without using a card "
            f"twice, and {WEIGHTED_DEALS} must; widen the ranges, leave players out or give single hands"
        )
    why = f"weighted: only {plain} dealt every hand without a card used twice"
    return _weighted_equity(dealer, samples, seed, threads, f"{note}; {why}" if note else why)


def _plain_equity(dealer: Dealer, samples: int, seed: int, threads: int, note: str) -> Equity:
    """From deals that come in proportion to their weights, so that all samples count alike."""
    from kibitz.equity import _kernels

    players = dealer.players
    rows = np.arange(players, dtype=np.int32)[None, :]
    count = _kernels.count_pairs if players == 2 else _kernels.count_players

    def count_chunk(start: int, size: int, check: Check) -> Floats:
        values = _evaluate(dealer.deal(seed, start, size, check))
        shares = np.zeros((players, players + 1))
        count(values, size, rows, np.ones(1), shares)
        return shares

    shares = sum(_map_chunks(count_chunk, samples, threads), np.zeros((players, players + 1)))
    return summarise(shares, float(samples), samples, seed, note)


def _weighted_equity(dealer: Dealer, samples: int, seed: int, threads: int, note: str) -> Equity:
    """From deals that come too often or too seldom, each counted with its weight; the weights add up to `samples`."""

    def count_chunk(start: int, size: int, check: Check) -> tuple[float, Floats]:
        hands, log_weights = dealer.deal_weighted(seed, start, size, check)
        largest = float(log_weights.max())  # taken out, since the weights themselves may be too small for a float
        weights = np.exp(log_weights - largest)
        values = _evaluate(hands)
        return largest, np.array([count_shares(values, weights), count_shares(values, weights**2)])

    chunks = _map_chunks(count_chunk, samples, threads)
    largest = max(each for each, _ in chunks)
    powers = np.array([1.0, 2.0])[:, None, None]
    shares, squares = sum(
        (np.exp(powers * (each - largest)) * counted for each, counted in chunks), np.zeros_like(chunks[0][1])
    )
    scale = samples / (shares[:, 1:] / np.arange(1, shares.shape[1])).sum()
    shares, squares = scale * shares, scale**2 * squares
    worth = effective_samples(squares, samples)
    note += f"; the {samples:,} samples are worth {worth:,.0f} unweighted ones"
    return summarise(shares, float(samples), samples, seed, note, squares)


def count_shares(values: npt.NDArray[np.int32], weights: Floats) -> Floats:
    """The weight of the boards that player p wins with w - 1 others, float64[players, players + 1] at [p, w].

    values : int32[players, n]    weights : float64[n], of each board
    """
    players = len(values)
    won = values == values.max(axis=0)
    winners = won.sum(axis=0)
    return np.array([np.bincount(winners, weights * each, minlength=players + 1) for each in won])


def _evaluate(hands: Masks) -> npt.NDArray[np.int32]:
    return evaluate_masks(hands.reshape(-1)).reshape(hands.shape)


def _map_chunks(count: Callable[[int, int, Check], Counted], samples: int, threads: int) -> list[Counted]:
    """count(start, size, check) of all chunks of the samples, in order."""
    count(0, 1, lambda: None)  # loads the kernels

    def counted(start: int) -> Counted:
        return count(start, min(_CHUNK, samples - start), check)

    with stoppable_threads(threads) as (pool, check):
        return list(pool.map(counted, range(0, samples, _CHUNK)))
