"""What an equity computation answers, with its doubt and where it came from."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import numpy.typing as npt

_Z = 1.959963984540054  # the 97.5 % point of the normal distribution


@dataclass(frozen=True, slots=True)
class Equity:
    """How often each player wins, and the share of the pot that this is worth.

    equities      : share of the pot per player, adding up to 1
    wins, ties    : weight of the boards won alone and shared, per player; plain counts where weights are 1
    boards        : boards counted: all boards of all deals of hole cards, or the samples
    total         : weight of those boards; `boards` where weights are 1
    exact         : whether every board was counted
    intervals     : 95 % interval of each equity where sampled, else None
    seed          : of the samples, else None
    note          : why `auto` sampled, else empty
    """

    equities: tuple[float, ...]
    wins: tuple[float, ...]
    ties: tuple[float, ...]
    boards: int
    total: float
    exact: bool
    intervals: tuple[tuple[float, float], ...] | None = None
    seed: int | None = None
    note: str = ""

    def __str__(self) -> str:
        if self.intervals is None:
            shares = " ".join(f"{share:.4%}" for share in self.equities)
            return f"{shares} (exact, {self.boards:,} boards)"
        shares = " ".join(
            f"{share:.2%} ± {(high - low) / 2:.2%}"
            for share, (low, high) in zip(self.equities, self.intervals, strict=True)
        )
        return f"{shares} ({self.boards:,} sampled boards, seed {self.seed})"


def summarise(
    shares: npt.NDArray[np.float64], total: float, boards: int, seed: int | None = None, note: str = ""
) -> Equity:
    """The answer from shares[p, w], the weight of the boards that player p wins with w - 1 others.

    Sampled where there is a seed.
    """
    parts = np.arange(1, shares.shape[1])
    won = (shares[:, 1:] / parts).sum(axis=1)
    squares = (shares[:, 1:] / parts**2).sum(axis=1)
    return Equity(
        equities=tuple((won / total).tolist()),
        wins=tuple(shares[:, 1].tolist()),
        ties=tuple(shares[:, 2:].sum(axis=1).tolist()),
        boards=boards,
        total=total,
        exact=seed is None,
        intervals=None if seed is None else tuple(_interval(w, s, boards) for w, s in zip(won, squares, strict=True)),
        seed=seed,
        note=note,
    )


def _interval(won: float, squares: float, samples: int) -> tuple[float, float]:
    """A 95 % interval of a mean share, from the sum of the shares and of their squares.

    The normal interval after adding z²/2 boards won and as many lost (Agresti and Coull 1998), so that a player
    who won every sampled board is not said to win always.
    """
    count = samples + _Z**2
    mean = (won + _Z**2 / 2) / count
    variance = max((squares + _Z**2 / 2) / count - mean**2, 0.0)
    half = _Z * sqrt(variance / count)
    return max(mean - half, 0.0), min(mean + half, 1.0)
