"""Self-play in small games as a plan: the average strategy, and exploitabilities on the way."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from kibitz.files import picture, plain
from kibitz.learning.fields import seed_field
from kibitz.learning.small_games.game import UNIFORM, SmallGame
from kibitz.learning.small_games.learner import GradientPlay, Place, Point, measure
from kibitz.plans import HERE, Artefact, Means, Plan, Report, Row, setting
from kibitz.strategy import Strategy
from kibitz.strategy.files import strategy_artefact

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEARNING = ("method", "rate", "batch", "baseline", "anchor", "pull", "lag", "scale", "seed")
POINTS = 100  # of the curve, beside the start
PIECE_SECONDS = 0.5  # of a step, about: Ctrl-C waits for its end
PLOT = "curve.png"
LINES = {"strategy": ("current", "#1f6f8b"), "average": ("average", "#c8553d"), "anchor": ("anchor", "#588157")}


@dataclass(frozen=True)
class SmallGamePlan(Plan):
    """Follow two players who learn GAME against each other by policy gradient, with exact exploitability.

    GAME is kuhn, leduc, uniform for U[0,1], or another small game for two players. Plain self-play cycles round mixed
    equilibria; a lagging anchor damps the cycles. The columns are the exploitability of the players' strategies, of
    their anchor and of the average strategy so far, and what the first player wins, in chips per hand.

    With --out, saves the average strategy, and the curve as data and plot.
    """

    # anchor "strategy": every action costs pull * ln(probability / anchor's probability), so that the target is the
    # result less the Kullback-Leibler distance from the anchor along the hand. "parameters": the logits are drawn to
    # the anchor's, pull * (anchor - theta), as in Dahl (2002). The anchor follows: anchor += rate * lag * (theta -
    # anchor). The baseline "fold" is what folding now would return. The thesis gives none of these numbers.

    kind: ClassVar[str] = "train small-game"

    game: str = setting(help="Game to learn", argument=True, input="small game")
    steps: int = setting(10_000, "Gradient steps", at_least=1, at_most=10**9, free=True)
    method: Literal["exact", "reinforce"] = setting(
        "exact", "Gradient by enumeration of all deals, or by REINFORCE on sampled hands"
    )
    anchor: Literal["none", "strategy", "parameters"] = setting(
        "none", "Lagging anchor: none, a distance of strategies, or of parameters"
    )
    rate: float = setting(1.0, "Learning rate", above=0)
    pull: float = setting(0.1, "Strength of the anchor", above=0)
    lag: float = setting(0.01, "Rate at which the anchor follows", above=0)
    batch: int = setting(256, "Hands per step of REINFORCE", at_least=1, at_most=10**7)
    baseline: Literal["none", "fold"] = setting("fold", "What returns are compared with")
    tiles: int = setting(18, "Intervals of the numbers in U[0,1]", at_least=1, at_most=1000)
    seed: int = seed_field("Seed for first weights and sampled hands")
    scale: float = 0.05  # standard deviation of the first logits

    def learning(self) -> dict[str, Any]:
        """How the players learn."""
        return {name: getattr(self, name) for name in LEARNING}

    def make_learner(self) -> GradientPlay:
        """The players, who have learned nothing yet."""
        return GradientPlay(SmallGame.named(self.game, self.tiles), self)

    def begin(self, means: Means = HERE) -> SmallGameRun:
        return SmallGameRun(self)


class SmallGameRun:
    """Players who learn as a plan says; a row of the curve at `points` equal distances, and one at the start."""

    def __init__(self, plan: SmallGamePlan, points: int = POINTS, watch: Sequence[Place] = ()) -> None:
        self.learner, self.steps, self.watch = plan.make_learner(), plan.steps, watch
        self.marks = [plan.steps * number // min(points, plan.steps) for number in range(min(points, plan.steps) + 1)]
        self.point: Point | None = None  # the last
        self._measured = -1  # the step that it is of
        self._rate = 0.0  # steps a second of the last piece

    @property
    def done(self) -> int:
        """Gradient steps."""
        return self.learner.iteration

    def step(self) -> Report | None:
        """About half a second of steps, up to the next row, and that."""
        if self.done >= self.steps:
            return None
        goal = 0 if self._measured < 0 else self.marks[bisect_right(self.marks, self.done)]
        if goal:
            count = min(goal - self.done, max(1, int(PIECE_SECONDS * self._rate)))
            begun = perf_counter()
            self.learner.step(count)
            self._rate = count / max(perf_counter() - begun, 1e-6)
        if self.done != goal:
            return Report(self.done, self.steps, "learning")
        self.point, self._measured = measure(self.learner, self.watch), self.done
        row = {name: value for name, value in self.point._asdict().items() if name != "watched"}
        return Report(self.done, self.steps, "learning", plain(row))

    def arrays(self) -> Mapping[str, Any]:
        return {**self.learner.arrays(), "measured": np.array([self._measured])}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.learner.restore(done, dict(arrays))
        self._measured = int(arrays["measured"][0])

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        last, found = curve[-1], self.learner.average_strategy()
        measured = {"exploitability": last["average"], "value": last["value"], "measured in": "its own game"}
        strategy = Strategy(found.layout, found.values, {**found.manifest, **measured})
        return strategy_artefact(strategy, {PLOT: picture(lambda: draw(self.learner.game.name, curve))})


def follow(plan: SmallGamePlan, points: int = POINTS, watch: Sequence[Place] = ()) -> Iterator[Point]:
    """The start of a run, `points` moments at equal distances and what it says of the places to `watch`."""
    run = SmallGameRun(plan, points, watch)
    while (report := run.step()) is not None:
        if report.row is not None and run.point is not None:
            yield run.point


def content(game: str) -> Any:
    """What a small game is, by its content."""
    from kibitz.games.named import rules_of

    return game if game == UNIFORM else rules_of(game)


def draw(game: str, curve: Sequence[Row]) -> Figure:
    """The curve of a run: exploitability on a logarithmic scale against steps."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.6, 3.4), layout="constrained")
    axes = figure.subplots()
    axes.grid(alpha=0.3)
    for label, (name, colour) in LINES.items():
        if curve[0][name] is not None:
            values = [row[name] for row in curve]
            axes.plot([row["iteration"] for row in curve], values, color=colour, lw=1.3, label=label)
    axes.set(title=f"Self-play in {game}", xlabel="steps", ylabel="exploitability, chips per hand", yscale="log")
    axes.legend(frameon=False)
    return figure
