"""Solve a flop, turn or river from two ranges."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from kibitz.public.html import MOST, picture

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.equity import Range
    from kibitz.spots import Progress, Rake, SpotCFR
    from kibitz.spots.report import Decision


@dataclass(frozen=True, eq=False, repr=False)
class SpotSolution:
    """A solved spot. `at` looks at its decisions; shown by itself, it is the grid of the first one."""

    solver: SpotCFR
    curve: tuple[Progress, ...]

    @property
    def exploitability(self) -> float:
        """Chips per hand that the best responses win, with the same bets to choose from."""
        return self.curve[-1].measure.exploitability

    @property
    def values(self) -> tuple[float, float]:
        """Chips won from here on, out of position and in position; the pot is part of them."""
        return self.curve[-1].measure.values

    def at(self, history: str = "", dealt: str = "") -> Decision:
        """The decision after the betting `history`, such as cr30c, and the cards `dealt` since the spot began."""
        from kibitz.spots.report import inspect

        return inspect(self.solver, history, dealt)

    def plot(self, history: str = "", dealt: str = "") -> Figure:
        """The 13 x 13 grid of a decision."""
        from kibitz.spots.grid import draw_decision

        return draw_decision(self.at(history, dealt))

    def __str__(self) -> str:
        first, second = self.values
        return (
            f"EV {first:.2f} out of position, {second:.2f} in position; "
            f"exploitability {self.exploitability:.4g} chips by these bets, {self.curve[-1].iteration:,} iterations"
        )

    def __repr__(self) -> str:
        return shorten(str(self), MOST, placeholder=" …")

    def _repr_html_(self) -> str:
        return picture(self.plot()) + f"<p>{self}</p>"


def solve_spot(
    board: str | Iterable[str | int],
    pot: int,
    stack: int | Iterable[int],
    oop: str | Range,
    ip: str | Range,
    sizes: str | Iterable[str] = "0.5, 1, all-in",
    *,
    accuracy: float = 0.5,
    iterations: int | None = None,
    threads: int | None = None,
    min_bet: int = 1,
    rake: float | Rake = 0.0,
) -> SpotSolution:
    """The equilibrium of a flop, turn or river with the ranges `oop` and `ip`, to `accuracy` per cent of the pot.

    pot, stack   whole chips; one stack for both players, or one each
    sizes        bets in pots as one text, "|" between rounds; for both players or one each
    min_bet      chips of the smallest bet
    rake         share of the pot that the house takes, or a `kibitz.spots.Rake` with a cap

    >>> spot = solve_spot("Qs Jh 2h 8d 3c", 100, 100, "QQ,JJ,65s", "AA", "all-in", accuracy=0.05)
    >>> [round(value) for value in spot.values]
    [90, 10]
    """
    from kibitz.arguments import positive
    from kibitz.parallel.team import available_cores
    from kibitz.spots import Spot, SpotCFR, SpotGame
    from kibitz.spots import solve_spot as steps

    goal = positive(accuracy, "accuracy") / 100 if accuracy else 0.0
    menus: Any = tuple(sizes) if isinstance(sizes, list) else sizes
    spot = Spot.parse(board, pot, stack, oop, ip, menus, min_bet, rake)
    solver = SpotCFR(SpotGame(spot), threads=available_cores() if threads is None else threads)
    return SpotSolution(solver, tuple(steps(solver, accuracy=goal * spot.pot, iterations=iterations)))
