"""Self-play by policy gradient with soft-max action functions, plain and with a lagging anchor.

Both players have a logit for every action of every information set and climb the gradient of their own expected result
together. Plain gradient play cycles round mixed equilibria (Crawford 1974; Singh, Kearns and Mansour 2000). With a
lagging anchor (Dahl 2002) the learner is also pulled towards an anchor, which slowly follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.small_games.game import UNIFORM, SmallGame, continuous_exploitability
from kibitz.random import derive_seed
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.base import StepwiseSolver
from kibitz.strategy import Strategy

if TYPE_CHECKING:
    from kibitz.learning.small_games.plan import SmallGamePlan

Floats = npt.NDArray[np.float64]
Place = tuple[str, int, str]  # betting history, private state, action


class GradientPlay(StepwiseSolver):
    """Two players who learn a game against each other, as a plan says; what they remember is in `arrays`."""

    def __init__(self, game: SmallGame, plan: SmallGamePlan) -> None:
        from kibitz.learning.small_games import _kernels

        self.game, self.plan, self._kernels = game, plan, _kernels
        self.theta = np.random.default_rng(plan.seed).normal(0.0, plan.scale, game.layout.size)
        self.anchor = self.theta.copy()
        self.played = np.zeros_like(self.theta)
        self._key = np.uint64(derive_seed(plan.seed, 1))

    def gradient(self) -> Floats:
        """The gradient of every player's target in its own logits, exact or estimated from the next hands."""
        plan, tables = self.plan, self.game.tables
        sigma, logs = self._soft_max(self.theta)
        shaping, gradient = np.zeros_like(sigma), np.zeros_like(sigma)
        if plan.anchor == "strategy":
            shaping = plan.pull * (logs - self._soft_max(self.anchor)[1])
        # The average of a sampled run, too, counts the strategies as they are, not as they were drawn.
        self._kernels.enumerate_gradient(tables, sigma, shaping, gradient, self.played)
        if plan.method == "exact":
            return gradient
        gradient[:] = 0.0
        hands = np.arange(self.iteration, self.iteration + 2) * plan.batch
        self._kernels.sample_gradient(tables, sigma, shaping, plan.baseline == "fold", self._key, hands, gradient)
        return gradient / plan.batch

    def step(self, count: int = 1) -> None:
        """Take `count` steps; KibitzError where the logits grow beyond all bounds."""
        with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused below
            for _ in range(count):
                self._step()
        if not np.isfinite(self.theta).all():
            raise KibitzError(
                f"the logits are no numbers any more after {self.iteration} steps: take a smaller rate",
                settings=("rate",),
            )

    def _step(self) -> None:
        plan, change, gap = self.plan, self.gradient(), self.anchor - self.theta
        if plan.anchor == "parameters":
            change += plan.pull * gap
        self.theta += plan.rate * change
        if plan.anchor != "none":
            self.anchor -= plan.rate * plan.lag * gap
        self.iteration += 1

    def _soft_max(self, theta: Floats) -> tuple[Floats, Floats]:
        """Probabilities and their logarithms."""
        sigma, logs = np.empty_like(theta), np.empty_like(theta)
        self._kernels.soft_max(*self.game.tables[:2], theta, sigma, logs)
        return sigma, logs

    def strategy_of(self, theta: Floats) -> Strategy:
        """What players with these logits do: `theta` those who learn, `anchor` their anchor."""
        return Strategy(self.game.layout, self._soft_max(theta)[0], self.manifest())

    def average_strategy(self) -> Strategy:
        """The mean of all strategies so far, each weighted by how often its player plays to an information set."""
        return Strategy.from_sums(self.game.layout, self.played, self.manifest())

    def parameters(self) -> dict[str, Any]:
        return {"algorithm": "policy gradient", "game": self.game.name, **self.plan.learning()}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {"theta": self.theta, "anchor": self.anchor, "played": self.played}


class Point(NamedTuple):
    """One moment of a run; exploitabilities of what the players do, of their anchor and of their average, and the value
    to the first player, in chips per hand.

    For U[0,1] best responses know their number exactly, not only its tile. `watched` are the probabilities of the
    places that were asked for.
    """

    iteration: int
    current: float
    anchor: float
    average: float
    value: float
    watched: tuple[float, ...] = ()


def measure(learner: GradientPlay, watch: Sequence[Place] = ()) -> Point:
    """Where a learner stands.

    watch   places whose probabilities are told, such as ("cr", 0, "c"): with private state 0, calling a bet
    """
    game, current = learner.game, learner.strategy_of(learner.theta)

    def distance(strategy: Strategy) -> float:
        if game.name == UNIFORM:
            return continuous_exploitability(game, strategy).exploitability
        return exploitability(game.vector, strategy).exploitability

    anchor = float("nan") if learner.plan.anchor == "none" else distance(learner.strategy_of(learner.anchor))
    average, value = distance(learner.average_strategy()), expected_values(game.vector, current)[0]
    watched = tuple(_probability(current, place) for place in watch)
    return Point(learner.iteration, distance(current), anchor, average, value, watched)


def _probability(strategy: Strategy, place: Place) -> float:
    history, state, action = place
    node = strategy.layout.tree.find(history)
    offered = strategy.layout.tree.offered(node)
    if action not in offered:
        raise KibitzError(f"{action!r} after {history!r}: there are {', '.join(offered)}")
    return float(strategy.at(node)[offered.index(action), state])
