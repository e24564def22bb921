"""Equity by sampling deals and boards.

A sample's cards are a function of the seed and the sample's number, so the answer depends on neither the number of
threads nor the order in which they work.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from math import comb

import numpy as np
import numpy.typing as npt

from kibitz.cards import cards_to_mask
from kibitz.equity.ranges import Range
from kibitz.equity.result import Equity, summarise
from kibitz.errors import CardError
from kibitz.evaluator import evaluate_masks

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
    """
    from kibitz.equity import _kernels

    players = len(ranges)
    hole_cards = np.array([cards_to_mask(hand) for each in ranges for hand in each.hands], dtype=np.uint64)
    cumulative = np.concatenate([_cumulative(each) for each in ranges])
    starts = np.cumsum([0, *(len(each.hands) for each in ranges)], dtype=np.int64)
    live_hands = comb(52 - len(board), 2)
    free = np.array([len(each.hands) == live_hands and len(set(each.weights)) == 1 for each in ranges])
    fixed = np.uint64(cards_to_mask(board))
    key = np.uint64(seed % 2**64)
    rows = np.arange(players, dtype=np.int32)[None, :]
    count = _kernels.count_pairs if players == 2 else _kernels.count_players

    def count_chunk(start: int) -> npt.NDArray[np.float64]:
        size = min(_CHUNK, samples - start)
        hands = np.empty((players, size), dtype=np.uint64)
        if not _kernels.deal_samples(key, start, hole_cards, cumulative, starts, free, fixed, 5 - len(board), hands):
            raise CardError(
                f"no deal of these ranges without a card used twice in {_kernels.MAX_TRIES:,} tries; "
                "widen the ranges or give single hands"
            )
        values = evaluate_masks(hands.reshape(-1)).reshape(players, size)
        shares = np.zeros((players, players + 1))
        count(values, size, rows, np.ones(1), shares)
        return shares

    with ThreadPoolExecutor(threads) as pool:
        shares = sum(pool.map(count_chunk, range(0, samples, _CHUNK)), np.zeros((players, players + 1)))
    return summarise(shares, float(samples), samples, seed, note)


def _cumulative(hands: Range) -> npt.NDArray[np.float64]:
    """The distribution function over a range's hands, ending in exactly 1."""
    sums = np.cumsum(hands.weights)
    return np.asarray(sums / sums[-1])
