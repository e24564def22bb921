"""Solving a game: the plan, and the run that steps a solver and measures its average strategy now and then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from kibitz.amounts import counted, format_bytes
from kibitz.arguments import positive, whole
from kibitz.errors import KibitzError
from kibitz.files import picture
from kibitz.games import load_game
from kibitz.plans import HERE, Artefact, Means, Report, Row, on_threads, setting
from kibitz.solvers.plan import ProblemPlan, useless

if TYPE_CHECKING:
    from kibitz.solvers.base import Solver
    from kibitz.solvers.problem import Problem
    from kibitz.solvers.registry import Options

Algorithm = Literal[
    "cfr", "cfr+", "linear", "dcfr", "dcfr-3", "pcfr+",
    "chance", "external", "outcome", "pure", "pcs", "cfr-br", "cfr-br-real", "lp",
]  # fmt: skip
ITERATIONS = 1000  # where neither they nor an exploitability are given
PIECE_SECONDS = 0.5  # of a step, about: Ctrl-C waits for its end
PLOT = "convergence.png"


@dataclass(frozen=True)
class SolvePlan(ProblemPlan):
    """Solve GAME and print the exploitability as it falls, in chips/hand.

    Games with more than two players need a sampled algorithm: chance, external, outcome or pure.

    With --out, saves the strategy, a checkpoint that --resume continues, and the exploitability curve as data and plot.
    """

    kind: ClassVar[str] = "solve"

    game: str = setting(help="Game to solve", argument=True, input="game")
    algorithm: Algorithm = setting("cfr+", "Algorithm")
    iterations: int | None = setting(
        None, "Number of iterations", at_least=1, free=True, unsaid=f"{ITERATIONS:,} without --until"
    )
    until: float | None = setting(None, "Exploitability at which to stop", unit="chips/hand", above=0, free=True)
    updates: Literal["alternating", "simultaneous"] | None = setting(
        None, "Order in which the players update (vector solvers)", unsaid="alternating"
    )
    threads: int = on_threads(
        1, "Number of threads. Vector solvers give the same result with any number; sampled solvers are reproducible "
        "only with one",
    )  # fmt: skip
    storage: Literal["double", "single", "half"] = setting(
        "double",
        "Precision of the regret and strategy sums of sampled solvers: 16, 8 or 4 bytes per infoset-action pair",
    )
    device: Literal["cpu", "gpu"] = setting(
        "cpu", "Device of the vector solvers; gpu needs the extra gpu and pays off with many buckets"
    )
    flops: int = setting(0, "Number of sampled flops that cfr-br-real learns on; 0 for all", at_least=0)

    @cached_property
    def problem(self) -> Problem:
        """The game with its menus and cards, nothing of it built yet."""
        return self.asked(load_game(self.game))

    @cached_property
    def options(self) -> Options:
        """Those of the solver."""
        from kibitz.solvers.registry import Options

        return Options(self.updates != "simultaneous", self.threads, self.seed, self.storage, self.device, self.flops)

    @property
    def goal(self) -> int | None:
        """Iterations at which to stop; None where the exploitability alone decides."""
        if self.iterations is None and self.until is None:
            return 1 if self.algorithm == "lp" else ITERATIONS
        return self.iterations

    def begin(self, means: Means = HERE) -> SolveRun:
        from kibitz.solvers.registry import check_suitable, make_solver
        from kibitz.training.memory import check_memory, peak_bytes

        self._check()
        problem = self.problem
        check_suitable(self.algorithm, problem, self.options)
        check_memory(problem, self.algorithm, self.options)
        if self.cards:
            size = problem.size
            means.say(f"{counted(size.nodes, 'betting node')}, {counted(size.infosets, 'information set')},")
            need = format_bytes(peak_bytes(problem, self.algorithm, self.options))
            means.say(f"  {size.pairs:,} infoset-action pairs; peak memory about {need}")
        problem.prepare(self.threads, means.tell)
        solver = make_solver(self.algorithm, problem, self.options)
        return SolveRun(solver, problem, iterations=self.goal, until=self.until)

    def _check(self) -> None:
        """Refuse what was asked for and would do nothing."""
        from kibitz.solvers.cfr import WEIGHTINGS

        problem, algorithm = self.problem, self.algorithm
        self.check_cards(problem)
        if self.updates is not None and algorithm not in WEIGHTINGS:
            why = f"only {', '.join(WEIGHTINGS)} have a choice of updates"
            raise useless(f"{self.updates} updates", algorithm, why, "updates")
        exact = "a linear program is solved exactly, in one step"
        if self.iterations is not None and algorithm == "lp":
            raise useless(counted(self.iterations, "iteration"), algorithm, exact, "iterations")
        if self.until is not None and algorithm == "lp":
            raise useless(f"exploitability {self.until:g} as the goal", algorithm, exact, "until")
        alone = "a GPU" if self.device == "gpu" else algorithm if algorithm in ("lp", "cfr-br", "pcs") else ""
        if self.threads > 1 and alone and not problem.cards:
            raise useless(f"{self.threads} threads", alone, "it uses one thread", "threads")


class SolveRun:
    """Steps a solver and measures its average strategy, until so many iterations or an exploitability are reached.

    every     iterations between measurements; by default they double, so that a long run is mostly solving
    kept      what else the manifest of the strategy says
    seconds   spent solving, measuring left out
    """

    def __init__(
        self,
        solver: Solver,
        problem: Problem,
        *,
        iterations: int | None = None,
        until: float | None = None,
        every: int = 0,
        kept: Mapping[str, Any] | None = None,
    ) -> None:
        if iterations is None and until is None:
            raise KibitzError("no stopping rule: give a number of iterations, or an exploitability to reach")
        iterations = None if iterations is None else whole(iterations, "iterations", 1)
        until = None if until is None else positive(until, "until")
        if until is not None and not problem.is_measurable:
            raise KibitzError(
                "exploitability cannot be measured with imperfect recall, or in hold'em with more than two players or "
                "fewer than four rounds: give iterations"
            )
        self.solver, self.problem, self.kept = solver, problem, dict(kept or {})
        self.iterations, self.until, self.every = iterations, until, every
        self.seconds = 0.0
        self._rate = 0.0  # iterations a second of the last piece
        # The iteration last measured, and the exploitability there; -1 for what is not known.
        self._measured, self._reached = -1, -1.0

    @property
    def done(self) -> int:
        """Iterations."""
        return self.solver.iteration

    def step(self) -> Report | None:
        """About half a second of iterations, up to the next measurement, and that."""
        if self._is_to_be_measured():  # it was stopped just before, or is there already
            return self._measure()
        if self._is_over():
            return None
        goal = self._next_measurement(self.done)
        if self.iterations is not None:
            goal = min(goal, self.iterations)
        if not self._rate:
            self.solver.step(0)  # loads, and on a first run compiles, the kernels: no part of the solving
        count = min(goal - self.done, max(1, int(PIECE_SECONDS * self._rate)))
        start = perf_counter()
        self.solver.step(count)
        seconds = perf_counter() - start
        self.seconds, self._rate = self.seconds + seconds, count / max(seconds, 1e-6)
        return self._measure() if self.done == goal else Report(self.done, self.iterations, "solving")

    def _measure(self) -> Report:
        from kibitz.training.measuring import measure

        found = measure(self.solver, self.problem, self.seconds)
        self._measured, self._reached = self.done, found.exploitability if found.is_known else -1.0
        return Report(self.done, self.iterations, "solving", found.row())

    def _is_over(self) -> bool:
        is_reached = self.until is not None and self._measured == self.done and 0 <= self._reached <= self.until
        return is_reached or (self.iterations is not None and self.done >= self.iterations)

    def _is_to_be_measured(self) -> bool:
        if self.done == 0 or self._measured == self.done:
            return False
        return self._is_over() or self._next_measurement(self.done - 1) == self.done

    def _next_measurement(self, iteration: int) -> int:
        return iteration + self.every - iteration % self.every if self.every else 1 << iteration.bit_length()

    def arrays(self) -> Mapping[str, Any]:
        state = np.array([self.seconds, self._measured, self._reached])
        return {**self.solver.arrays(), "run": state}

    def restore(self, done: int, arrays: Mapping[str, Any]) -> None:
        self.solver.restore(done, dict(arrays))
        seconds, measured, reached = arrays["run"].tolist()
        self.seconds, self._measured, self._reached = seconds, int(measured), reached

    def artefact(self, curve: Sequence[Row]) -> Artefact:
        from kibitz.strategy import Strategy
        from kibitz.strategy.exploitability import Solved
        from kibitz.strategy.files import strategy_artefact
        from kibitz.training.measuring import Measurement, draw_convergence

        last, files = Measurement.of(curve[-1]), {}
        measured: dict[str, Any] = {"exploitability": None, "value": None}
        if last.is_known:
            measured = {"exploitability": last.exploitability, "value": last.value, "measured in": "its own game"}
            solved = Solved(self.problem.game, self.problem.tree.menus, self.problem.describe_cards() | self.kept)
            files[PLOT] = picture(lambda: draw_convergence(map(Measurement.of, curve), solved.of_which("")))
        found = self.solver.average_strategy()
        manifest = {**found.manifest, **self.problem.describe_cards(), **measured, **self.kept}
        return strategy_artefact(Strategy(found.layout, found.values, manifest), files)
