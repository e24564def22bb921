"""The kernels' steps of an exact answer in NumPy alone, with the same results to the bit.

Two hands before the flop take about 0.2 s: less than the compiler takes to load, and far less than to compile.
"""

import numpy as np
import numpy.typing as npt

Masks = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def next_boards(deck: Masks, tails: Masks, tail_starts: Numbers, state: Numbers, boards: Masks) -> None:
    """Fill boards (uint64[n]) with the next combinations of the deck, and move `state` on: see `_kernels`."""
    size, length = len(deck), len(state) - 1
    *places, tail = state.tolist()
    count = 0
    while count < len(boards):
        prefix = np.bitwise_or.reduce(deck[places], initial=np.uint64(0))
        run = min(len(tails) - tail, len(boards) - count)
        np.bitwise_or(tails[tail : tail + run], prefix, out=boards[count : count + run])
        count += run
        tail += run
        while tail >= len(tails):  # the next prefix that leaves room for a tail
            k = max((k for k in range(length) if places[k] + length - k < size), default=-1)
            if k < 0:
                count = len(boards)
                break
            places[k:] = range(places[k] + 1, places[k] + 1 + length - k)
            tail = int(tail_starts[places[-1] + 1])
    state[:] = [*places, tail]


def count_pairs(
    values: npt.NDArray[np.int32], boards: int, rows: npt.NDArray[np.int32], weights: Floats, shares: Floats
) -> None:
    """Add to shares[p, w] the weight of the boards that player p wins with w - 1 others; two players."""
    for (first, second), weight in zip(rows.tolist(), weights, strict=True):
        ours, theirs = values[first, :boards], values[second, :boards]
        both = (ours >= 0) & (theirs >= 0)
        ties = weight * np.count_nonzero(both & (ours == theirs))
        shares[0, 1] += weight * np.count_nonzero(both & (ours > theirs))
        shares[1, 1] += weight * np.count_nonzero(both & (ours < theirs))
        shares[:, 2] += ties


def count_players(
    values: npt.NDArray[np.int32], boards: int, rows: npt.NDArray[np.int32], weights: Floats, shares: Floats
) -> None:
    """As `count_pairs` for any number of players n: rows int32[m, n], shares float64[n, n + 1]."""
    for row, weight in zip(rows, weights, strict=True):
        held = values[row, :boards]
        wins = (held == held.max(axis=0)) & (held.min(axis=0) >= 0)
        winners = wins.sum(axis=0)
        shares += weight * np.array([np.bincount(winners[own], minlength=len(row) + 1) for own in wins])
