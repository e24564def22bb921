"""Responses by how far the model is believed: the Pareto front, and the one with a wanted exploitability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kibitz.errors import KibitzError
from kibitz.games.stakes import Stake
from kibitz.plans import Artefact, open_artefact
from kibitz.responses.robust.methods import METHODS, Method

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# As in Bard 2016, figures 4.3 to 4.5.
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
TITLES = {"rnr": "Restricted Nash responses", "dbr": "Data-biased responses"}
STEPS = 12  # of bisection: P_max to 1 / 4096
LABELS_APART = 0.04  # of the width or height of a plot: points that lie nearer to a labelled one get no label
NEIGHBOURS = 1 / 8  # amounts between which exploitability grows about exponentially
NEAR = 0.01  # of the wanted exploitability, at which bisection ends
ROUNDING = 1e-12  # chips per hand that an equilibrium may seem to lose


class Point(NamedTuple):
    """A response on the front: chips per hand, means of both seats; see `Response`.

    imputed   share of the hands in which a model acts where it was never observed
    """

    amount: float
    objective: float
    exploitation: float
    exploitability: float
    gap: float
    imputed: float = 0.0


Solve = Callable[[Method], Point]
Between = Callable[[Point, Point, float], float]


def halfway(low: Point, high: Point, target: float) -> float:
    """The amount in the middle of two, whatever is wanted."""
    return (low.amount + high.amount) / 2


def by_logarithm(low: Point, high: Point, target: float) -> float:
    """The amount at which an exponential through two points is as exploitable as wanted, where they are near each
    other, else halfway: exploitabilities grow about so, and fewer responses are solved than by bisection.
    """
    apart = high.amount - low.amount
    if apart > NEIGHBOURS or not 0 < low.exploitability < high.exploitability:
        return halfway(low, high, target)
    share = log(target / low.exploitability) / log(high.exploitability / low.exploitability)
    return low.amount + min(max(share, 0.1), 0.9) * apart


class UnreachableError(KibitzError):
    """No response of a kind is as exploitable as wanted: the nearest has `name` = `amount`."""

    def __init__(self, target: float, name: str, nearest: Point, stake: Stake | None = None) -> None:
        milli, unit = (stake.milli_per_chip, stake.unit) if stake else (1.0, "chips/hand")
        super().__init__(
            f"an exploitability of {milli * target:g} {unit} cannot be reached: with {name} = {nearest.amount:g} it is "
            f"{milli * nearest.exploitability:.6g}"
        )
        self._found = (target, name, nearest)

    def counted_in(self, stake: Stake) -> UnreachableError:
        """The same in thousandths of a stake."""
        return UnreachableError(*self._found, stake)


def front(method: Method, solve: Solve, amounts: Sequence[float] = SHARES) -> Iterator[Point]:
    """The responses for every amount in turn."""
    check_tunable(method)
    for amount in amounts:
        yield solve(replace(method, amount=amount))


def tune(method: Method, solve: Solve, target: float, between: Between = halfway) -> Iterator[Point]:
    """Search for the largest amount whose response is exploitable for `target` chips per hand at most, by bisection or
    what else chooses `between` two amounts.

    Yields every response on the way, the wanted one last. Exact responses change by jumps, and then it may be
    exploitable for less than the target. UnreachableError where there is none.
    """
    check_tunable(method)
    if not target >= 0:
        raise KibitzError(f"a wanted exploitability of {target:g}: it is never negative")
    name = METHODS[method.name]
    most = solve(replace(method, amount=1.0))
    yield most
    if most.exploitability <= target:
        if most.exploitability >= target * (1 - NEAR):
            return
        raise UnreachableError(target, name, most)
    least = solve(replace(method, amount=0.0))
    yield least
    if least.exploitability > target + ROUNDING:
        raise UnreachableError(target, name, least)
    low, high = least, most
    for _ in range(STEPS):
        if low.exploitability >= target * (1 - NEAR):
            break
        middle = solve(replace(method, amount=between(low, high, target)))
        yield middle
        if middle.exploitability <= target:
            low = middle
        else:
            high = middle
    yield low


def check_tunable(method: Method) -> None:
    """Refuse methods without a share of belief."""
    if method.name not in ("rnr", "dbr"):
        raise KibitzError(f"{method.name} has no share of belief to vary: fronts and targets are for rnr and dbr")


def draw_front(points: Sequence[Point], method: Method, milli: float, unit: str) -> Figure:
    """Exploitation against exploitability, both times `milli`, which is of that unit."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    risk, gain = ([milli * getattr(each, name) for each in points] for name in ("exploitability", "exploitation"))
    axes.plot(risk, gain, marker="o", ms=4, color="#3b7a57")
    wide, high = (LABELS_APART * (max(each) - min(each)) for each in (risk, gain))
    labelled: tuple[float, float] | None = None
    for x, y, point in reversed(list(zip(risk, gain, points, strict=True))):
        if labelled is None or abs(x - labelled[0]) > wide or abs(y - labelled[1]) > high:
            axes.annotate(f"{point.amount:g}", (x, y), textcoords="offset points", xytext=(4, -10), fontsize=8)
            labelled = (x, y)
    axes.set_xlabel(f"exploitability, {unit}")
    axes.set_ylabel(f"exploitation, {unit}")
    axes.set_title(f"{TITLES[method.name]} by {METHODS[method.name]}", fontsize=10)
    axes.grid(alpha=0.25)
    return figure


def load_front(folder: str | Path) -> list[Point]:
    """The points of the front in `folder`."""
    return points_of(open_artefact(Path(folder), "front"))


def points_of(artefact: Artefact) -> list[Point]:
    """The points of a front."""
    return [Point(*row) for row in artefact.arrays["points"].tolist()]
