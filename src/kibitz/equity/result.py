"""What an equity computation answers, with its doubt and where it came from."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kibitz.statistics import Z_95

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, repr=False)
class Equity:
    """How often each player wins, and the share of the pot that this is worth.

    equities      : share of the pot per player, adding up to 1
    wins, ties    : weight of the boards won alone and shared, per player; plain counts where weights are 1
    boards        : boards counted: all boards of all deals of hole cards, or the samples
    total         : weight of those boards, the largest weight of each range counting as 1; `boards` where weights
                    are 1, and where sampled
    exact         : whether every board was counted
    intervals     : 95 % interval of each equity where sampled, else None
    seed          : of the samples, else None
    note          : why `auto` sampled, and why samples were weighted; else empty
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

    __repr__ = __str__


def summarise(
    shares: Floats,
    total: float,
    boards: int,
    seed: int | None = None,
    note: str = "",
    squares: Floats | None = None,
) -> Equity:
    """The answer from shares[p, w], the weight of the boards that player p wins with w - 1 others.

    Sampled where there is a seed. `squares` are as `shares` with the samples' squared weights, and missing where all
    weigh 1.
    """
    won = (shares[:, 1:] / _parts(shares)).sum(axis=1)
    equities = won / total
    return Equity(
        equities=tuple(equities.tolist()),
        wins=tuple(shares[:, 1].tolist()),
        ties=tuple(shares[:, 2:].sum(axis=1).tolist()),
        boards=boards,
        total=total,
        exact=seed is None,
        intervals=None if seed is None else _intervals(equities, shares if squares is None else squares, total),
        seed=seed,
        note=note,
    )


def effective_samples(squares: Floats, total: float) -> float:
    """(sum of weights)^2 / sum of squared weights: as many samples of weight 1 would tell as much (Kish 1965).

    The arguments are as for `summarise`; all of a board's winners together have its squared weight.
    """
    return float(total**2 / (squares[:, 1:] / _parts(squares)).sum())


def _intervals(equities: Floats, squares: Floats, total: float) -> tuple[tuple[float, float], ...]:
    """95 % intervals of mean shares m = sum w x / sum w.

    The delta method gives m the variance v / n with v = sum w^2 (x - m)^2 / sum w^2 and n the effective number of
    samples. To these n are added z^2 / 2 boards won and as many lost (Agresti and Coull 1998), so that a player who
    won every sampled board is not said to win always.
    """
    samples = effective_samples(squares, total)
    count = samples + Z_95**2
    means = (samples * equities + Z_95**2 / 2) / count
    weights = squares[:, 1:] * samples**2 / total**2  # that add up to `samples` over all boards
    first, second = ((weights / _parts(squares) ** power).sum(axis=1) for power in (1, 2))
    about_means = second - 2 * means * first + samples * means**2 + Z_95**2 / 2 * (means**2 + (1 - means) ** 2)
    half = Z_95 * np.sqrt(np.maximum(about_means, 0.0)) / count
    lows, highs = np.maximum(means - half, 0.0), np.minimum(means + half, 1.0)
    return tuple(zip(lows.tolist(), highs.tolist(), strict=True))


def _parts(shares: Floats) -> npt.NDArray[np.int64]:
    """Among how many the pot is divided, by column of `shares` from the second."""
    return np.arange(1, shares.shape[1])
