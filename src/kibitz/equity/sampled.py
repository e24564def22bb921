"""Equity by sampling deals and boards.

A sample's cards are a function of the seed and the sample's number, so the answer depends on neither the number of
threads nor the order in which they work.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from kibitz.equity.dealer import WEIGHTED_DEALS, Dealer
from kibitz.equity.ranges import Range
from kibitz.equity.result import Equity, effective_samples, summarise
from kibitz.errors import CardError
from kibitz.evaluator import evaluate_masks
from kibitz.parallel.threads import Check, stoppable_threads

Masks = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Counted = TypeVar("Counted")

_CHUNK = 1 << 14  # samples dealt and counted together


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
