"""Self-play by policy gradient with soft-max action functions, plain and with a lagging anchor.

Both players have a logit for every action of every information set and climb the gradient of their own expected result
together. Plain gradient play cycles round mixed equilibria (Crawford 1974; Singh, Kearns and Mansour 2000). With a
lagging anchor (Dahl 2002) the learner is also pulled towards an anchor, which slowly follows it.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.learning.small_games.game import SmallGame
from kibitz.random import derive_seed
from kibitz.solvers.base import StepwiseSolver
from kibitz.strategy import Strategy

Floats = npt.NDArray[np.float64]
METHODS = ("exact", "reinforce")
ANCHORS = ("none", "strategy", "parameters")
BASELINES = ("none", "fold")


@dataclass(frozen=True)
class Settings:
    """How to learn; the thesis gives none of these numbers.

    method     exact: the gradient by enumeration of all deals; reinforce: from `batch` sampled hands a step
    rate       learning rate
    baseline   of REINFORCE: none, or what folding now would return
    anchor     none; strategy: every action costs pull * ln(probability / anchor's probability), so that the target is
               the result less the Kullback-Leibler distance from the anchor along the hand; parameters: the logits are
               drawn to the anchor's, pull * (anchor - theta), as in Dahl (2002)
    pull       strength of the anchor, in chips or per unit of the logits
    lag        rate at which the anchor follows: anchor += rate * lag * (theta - anchor)
    scale      standard deviation of the first logits
    """

    method: str = "exact"
    rate: float = 1.0
    batch: int = 256
    baseline: str = "fold"
    anchor: str = "none"
    pull: float = 0.05
    lag: float = 0.01
    scale: float = 0.05
    seed: int = 0

    def __post_init__(self) -> None:
        for name, known in (("method", METHODS), ("anchor", ANCHORS), ("baseline", BASELINES)):
            if getattr(self, name) not in known:
                raise KibitzError(f"{name} {getattr(self, name)!r}: one of {', '.join(known)}", settings=(name,))
        for name in ("rate", "pull", "lag"):
            value = getattr(self, name)
            if not 0 < value < float("inf"):
                raise KibitzError(f"a {name} of {value}: it is a number above 0", settings=(name,))
        if self.batch < 1 or self.scale < 0:
            raise KibitzError(f"a batch of {self.batch} and a scale of {self.scale}: at least 1, and at least 0")


class GradientPlay(StepwiseSolver):
    """Two players who learn against each other; what they remember is in `arrays`."""

    def __init__(self, game: SmallGame, settings: Settings = Settings()) -> None:
        self.game, self.settings = game, settings
        size = game.layout.size
        rng = np.random.default_rng(settings.seed)
        self.theta = rng.normal(0.0, settings.scale, size)
        self.anchor = self.theta.copy()
        self.played = np.zeros(size)
        self._key = np.uint64(derive_seed(settings.seed, 1))
        self._cumulative = np.cumsum(game.deals[0])
        self._scratch = np.empty((len(game.tables[0]), 2)), np.empty((len(game.tables[0]), 2))

    def gradient(self) -> Floats:
        """The gradient of every player's target in its own logits, exact or estimated from the next hands."""
        from kibitz.learning.small_games import _kernels

        settings, game = self.settings, self.game
        sigma, logs = self._soft_max(self.theta)
        shaping = np.zeros_like(self.theta)
        if settings.anchor == "strategy":
            shaping = settings.pull * (logs - self._soft_max(self.anchor)[1])
        gradient = np.zeros_like(self.theta)
        if settings.method == "exact":
            _kernels.enumerate_gradient(game.tables, game.deals, sigma, shaping, gradient, *self._scratch, self.played)
        else:
            batch, hands = (self._key, self.iteration * settings.batch, settings.batch), settings.batch
            to_fold = settings.baseline == "fold"
            _kernels.sample_gradient(
                game.tables, game.deals, self._cumulative, sigma, shaping, to_fold, *batch, gradient
            )
            gradient /= hands
            self._add_played(sigma)
        return gradient

    def _add_played(self, sigma: Floats) -> None:
        """The average strategy of a sampled run counts the strategies as they are, not as they were drawn."""
        from kibitz.learning.small_games import _kernels

        nothing, zeros = np.zeros_like(sigma), np.zeros_like(sigma)
        _kernels.enumerate_gradient(
            self.game.tables, self.game.deals, sigma, zeros, nothing, *self._scratch, self.played
        )

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
        settings, change, gap = self.settings, self.gradient(), self.anchor - self.theta
        if settings.anchor == "parameters":
            change += settings.pull * gap
        self.theta += settings.rate * change
        if settings.anchor != "none":
            self.anchor -= settings.rate * settings.lag * gap
        self.iteration += 1

    def _soft_max(self, theta: Floats) -> tuple[Floats, Floats]:
        """Probabilities and their logarithms."""
        from kibitz.learning.small_games import _kernels

        sigma, logs = np.empty_like(theta), np.empty_like(theta)
        _kernels.soft_max(*self.game.tables[:2], theta, sigma, logs)
        return sigma, logs

    def current_strategy(self) -> Strategy:
        """What the players do now."""
        return Strategy(self.game.layout, self._soft_max(self.theta)[0], self.manifest())

    def anchor_strategy(self) -> Strategy:
        """What the anchor does."""
        return Strategy(self.game.layout, self._soft_max(self.anchor)[0], self.manifest())

    def average_strategy(self) -> Strategy:
        """The mean of all strategies so far, each weighted by how often its player plays to an information set."""
        return Strategy.from_sums(self.game.layout, self.played, self.manifest())

    def parameters(self) -> dict[str, Any]:
        return {"algorithm": "policy gradient", "game": self.game.name, **asdict(self.settings)}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {"theta": self.theta, "anchor": self.anchor, "played": self.played}
