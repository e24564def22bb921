"""Monte Carlo counterfactual regret minimisation: chance, external and outcome sampling, Pure CFR.

One iteration is one walk of the tree per player, in order of seats; each walk draws a deal of its own and
updates the regrets of its player. The random numbers of walk w are a function of the seed and of w, not of what was
drawn before: a run that stopped and was restored goes on bit for bit, and needs nothing for it but its sums.

Two players, zero sum: the average strategy converges to an equilibrium. With more players nothing is promised, and only
chance sampling still weights a player's strategies in the average by his own reach alone: in external sampling and
Pure CFR the reach of players other than him and the walker comes in, and outcome sampling, which divides by it, cannot
where it is zero.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.solvers.base import StepwiseSolver
from kibitz.solvers.compiled.sampled import SampledGame
from kibitz.strategy import Layout, Strategy

WALKS_AT_ONCE = 4096  # deals drawn ahead: enough to forget the cost of a call, few enough to stay in the cache
WEIGHTINGS = ("uniform", "linear")
STORAGE: dict[str, tuple[type[np.generic], type[np.generic]]] = {
    "double": (np.float64, np.float64),
    "single": (np.float32, np.float32),
    "half": (np.int16, np.uint16),
}
"""How sums of regrets and of strategies are kept; `sampled._kernels` says what the 16 bits mean."""


class SampledSolver(StepwiseSolver):
    """What the sampled solvers have in common.

    seed       same seed, same result, to the bit, on one thread
    weighting  "uniform", or "linear": iteration t counts t times, in the regrets as in the average strategy (Brown and
               Sandholm 2019). In the average alone it would do harm.
    threads    more than one share the sums without locks: faster, but an addition is lost now and then and walks see
               one another's at their own times. That gives up determinism; the manifest says so.
    """

    algorithm = ""

    def __init__(self, layout: Layout, seed: int, weighting: str, threads: int) -> None:
        if weighting not in WEIGHTINGS:
            raise KibitzError(f"weighting {weighting!r}: one of {', '.join(WEIGHTINGS)}")
        if threads < 1:
            raise KibitzError(f"{threads} threads: at least 1")
        self.layout = layout
        self.seed = seed
        self.weighting = weighting
        self.threads = threads
        self.regret, self.average = (np.zeros(layout.size, dtype=kind) for kind in self._kinds())

    def _kinds(self) -> tuple[type[np.generic], type[np.generic]]:
        """The types of the sums of regrets and of strategies."""
        return STORAGE["double"]

    @abstractmethod
    def _walk(self, begin: int, end: int) -> None:
        """Do iterations begin .. end - 1, counted from 0."""

    def _key(self) -> np.uint64:
        """The stream of random actions and boards; deals have another."""
        return np.uint64(np.random.SeedSequence((self.seed, 1)).generate_state(1, np.uint64)[0])

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations."""
        if self.threads == 1 or not count:
            self._walk(self.iteration, self.iteration + count)
        else:
            edges = [self.iteration + count * i // self.threads for i in range(self.threads + 1)]
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(self._walk, edges[:-1], edges[1:]))
        self.iteration += count

    def average_strategy(self) -> Strategy:
        """The strategy that converges; uniform where nobody has been."""
        return self._match(self.average, self.manifest())

    def current_strategy(self) -> Strategy:
        """The strategy of the next walk."""
        return self._match(self.regret, self.parameters())

    def _match(self, sums: npt.NDArray[Any], manifest: dict[str, Any]) -> Strategy:
        """The strategy in proportion to what of the sums is positive."""
        return Strategy.from_sums(self.layout, np.maximum(sums, 0), manifest)

    def parameters(self) -> dict[str, Any]:
        """What the solver was made with, and whether its result can be had again."""
        return {
            "algorithm": self.algorithm,
            "seed": self.seed,
            "weighting": self.weighting,
            "threads": self.threads,
            "deterministic": self.threads == 1,
        }

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The sums of regrets and of strategies."""
        return {"regret": self.regret, "average": self.average}


class DealSampled(SampledSolver):
    """Walks on one deal at a time, 2 to 10 players; the order of the sums is `SampledGame`'s.

    storage   of the sums: "double", "single" or "half", which take 16, 8 or 4 bytes a pair. Short sums are rounded up
              or down at random, so that they are right in the mean. What is lost is that of counting with 24 bits or
              10: nothing to be seen, or some hundredths of each probability, however long the run.
    """

    number: type[np.generic] = np.float64  # of values and, in double storage, of the sums

    def __init__(
        self,
        compiled: SampledGame,
        seed: int = 0,
        weighting: str = "uniform",
        threads: int = 1,
        storage: str = "double",
    ) -> None:
        if storage not in STORAGE:
            raise KibitzError(f"storage {storage!r}: one of {', '.join(STORAGE)}")
        self.storage = storage
        super().__init__(compiled.layout, seed, weighting, threads)
        self.compiled = compiled

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; refuses to come where the average would not fit half storage."""
        last = self.iteration + count
        if self.storage == "half" and (last * last if self.weighting == "linear" else last) >= 2**48:
            raise KibitzError(f"{last:,} iterations with {self.weighting} weighting: sums might not fit half storage")
        super().step(count)

    def _kinds(self) -> tuple[type[np.generic], type[np.generic]]:
        return (self.number, self.number) if self.storage == "double" else STORAGE[self.storage]

    def _match(self, sums: npt.NDArray[Any], manifest: dict[str, Any]) -> Strategy:
        dtype = np.float64 if self.storage == "double" else np.float32
        return Strategy(self.layout, self.compiled.match(sums, dtype), manifest)

    def parameters(self) -> dict[str, Any]:
        made = super().parameters()
        return made if self.storage == "double" else {**made, "storage": self.storage}

    def _walk(self, begin: int, end: int) -> None:
        kernel, key, players = self._kernel(), self._key(), self.compiled.tree.game.players
        at_once = max(1, WALKS_AT_ONCE // players)
        queue, values = (
            np.empty(len(self.compiled.tree), dtype=np.int64),
            np.empty(len(self.compiled.tree), self.number),
        )
        for first in range(begin, max(end, begin + 1), at_once):  # no walks at all still load the kernels
            count = min(at_once, end - first)
            draws = self.compiled.deal.draw(self.seed, first * players, count * players)
            sums = (self.regret, self.average)
            kernel(first, count, key, self.weighting == "linear", self.compiled.game, *draws, *sums, queue, values)

    def _kernel(self) -> Callable[..., None]:
        """The kernel of the algorithm, named alike."""
        from kibitz.solvers.sampled import _kernels

        kernel: Callable[..., None] = getattr(_kernels, self.algorithm)
        return kernel


class ChanceSampled(DealSampled):
    """Chance sampling: the whole betting tree on one deal (Zinkevich, Johanson, Bowling and Piccione 2007)."""

    algorithm = "chance"


class ExternalSampling(DealSampled):
    """External sampling: every action of the walker, one of each other player; the usual choice.

    Lanctot, Waugh, Zinkevich and Bowling 2009.
    """

    algorithm = "external"


class OutcomeSampling(DealSampled):
    """Outcome sampling: one hand a walk, importance-weighted (Lanctot, Waugh, Zinkevich and Bowling 2009).

    epsilon   probability that the walker takes an action at random instead of one of his strategy; above 0, for what is
              never tried is never learnt
    """

    algorithm = "outcome"

    def __init__(
        self,
        compiled: SampledGame,
        seed: int = 0,
        weighting: str = "uniform",
        threads: int = 1,
        storage: str = "double",
        epsilon: float = 0.6,
    ) -> None:
        super().__init__(compiled, seed, weighting, threads, storage)
        if not 0 < epsilon <= 1:
            raise KibitzError(f"epsilon {epsilon}: more than 0, so that every action is tried, and at most 1")
        self.epsilon = epsilon

    def _kernel(self) -> Callable[..., None]:
        kernel = super()._kernel()
        return lambda *arguments: kernel(self.epsilon, *arguments)

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "epsilon": self.epsilon}


class PureCFR(DealSampled):
    """Pure CFR: external sampling in integers, everybody playing one action at every node (Gibson 2014).

    `regret` counts parts of a chip, `compiled.unit` to the chip; `average` counts how often an action was played.
    Shorter storage than double is not of integers.
    """

    algorithm = "pure"
    number = np.int64

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; refuses to come where a sum of regrets might not fit 64 bits."""
        last = self.iteration + count
        largest = 2 * self.compiled.largest_pot * (last * last if self.weighting == "linear" else last)
        if largest >= 2**62 and self.storage == "double":
            raise KibitzError(f"{last:,} iterations with {self.weighting} weighting: regrets might not fit 64 bits")
        super().step(count)
