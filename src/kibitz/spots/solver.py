"""Counterfactual regret minimisation on a spot, players in turn, with vectors of hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.arguments import whole
from kibitz.errors import KibitzError
from kibitz.lanes import aligned_zeros
from kibitz.parallel.team import Control, Team
from kibitz.solvers.base import StepwiseSolver
from kibitz.solvers.cfr import WEIGHTINGS, Weighting
from kibitz.spots.compiled import BEST, LEARN, PLACE, SLOT, VALUE, Numbers, SpotGame
from kibitz.spots.spot import check_memory
from kibitz.strategy import Strategy

BOTH = -1  # players
NOWHERE = (-1, -1, -1, -1)
PAIRS_PER_THREAD = 30_000  # hand-action pairs that make another thread worth its waiting for the others
TASKS_PER_THREAD = 12  # so that no thread waits long for the last of them
ALGORITHMS = tuple(name for name, rule in WEIGHTINGS.items() if not rule.predict)


class Sums(NamedTuple):
    """What a walk reads and writes: strategies are matched from `source`; regrets and average are only learned."""

    source: Numbers
    regret: Numbers
    average: Numbers


class Walker:
    """The scratch memory of some threads, with which a spot is walked. What comes out does not depend on how many.

    threads   at most so many; fewer where a spot is too small to keep them busy
    """

    def __init__(self, compiled: SpotGame, dtype: npt.DTypeLike, threads: int = 1) -> None:
        self.compiled = compiled
        self.dtype = np.dtype(dtype)
        self._tables = compiled.tables(dtype)
        self._rounds = compiled.deal.rounds
        boards = len(compiled.deal.boards[1]) if self._rounds > 1 else 0
        tasks = boards * compiled.last_units
        self._team = Team(max(1, min(threads, tasks, compiled.size // PAIRS_PER_THREAD)))
        # One thread takes all units of a board at once: the rounds before are then walked once.
        wanted = -(-TASKS_PER_THREAD * self._team.size // boards) if self._team.size > 1 else 1
        self._groups = min(compiled.last_units, wanted)
        self._works = [compiled.scratch(dtype) for _ in range(self._team.size)]
        self._edges = tuple(np.zeros(max(1, size), dtype) for size in compiled.edge_sizes)
        self._done = np.zeros(max(1, boards), dtype=np.int64)

    @property
    def threads(self) -> int:
        """Threads that share the work."""
        return self._team.size

    def learn(self, regret: Numbers, average: Numbers, rules: npt.NDArray[np.float64]) -> None:
        """As many iterations as there are rules (see `discounts`), players in turn."""
        self._run(NOWHERE, BOTH, LEARN, Sums(regret, regret, average), rules)

    def walk(self, player: int, job: int, sums: Sums, rules: npt.NDArray[np.float64]) -> Numbers:
        """Walk all boards for one player; the values of his hands at the root, [width], come back (a view)."""
        self._run(NOWHERE, player, job, sums, rules)
        return self._values(player, 0, 0)

    def value(self, player: int, job: int, source: Numbers) -> float:
        """Chips per hand to a player, by the strategy in `source` (VALUE) or by a best response to it (BEST)."""
        values = self.walk(player, job, Sums(source, source, source), np.zeros((1, 4)))
        return float(values.astype(np.float64) @ self.compiled.weights(player))

    def look(self, player: int, source: Numbers, node: int, boards: list[int]) -> tuple[Numbers, Numbers]:
        """Counterfactual values of a player's states at a decision, and the reach of the opponent's.

        The last walk of all boards must have been the player's, for values of `source`: parts of it are repeated.

        boards: the number, in its round, of every board dealt up to the node.
        """
        compiled, sums, rules = self.compiled, Sums(source, source, source), np.zeros((1, 4))
        line = compiled.line_of[node]
        rows = [compiled.first_board(r + 1) + b for r, b in enumerate(boards)]
        if rows:
            # The scratch keeps what was walked last: of the last round, only the unit looked at.
            units = compiled.last_unit_range
            if len(rows) == self._rounds - 1:
                units = (compiled.unit_of(line), compiled.unit_of(line) + 1)
            self._run((rows[0], rows[1] if len(rows) == 2 else -1, *units), player, VALUE, sums, rules)
        return self._values(player, len(rows), line).copy(), self._reach(1 - player, len(rows), line).copy()

    def _values(self, player: int, round_: int, line: int) -> Numbers:
        """A player's values at a node, [width]."""
        at = int(self.compiled.nodes[line, PLACE + player])
        return self._works[0][2][at : at + self.compiled.deal.widths[round_][player]]

    def _reach(self, player: int, round_: int, line: int) -> Numbers:
        """A player's reach at a node, [width]."""
        at = int(self.compiled.nodes[line, SLOT + player])
        return self._works[0][1][player, at : at + self.compiled.deal.widths[round_][player]]

    def _run(
        self, where: tuple[int, int, int, int], player: int, job: int, sums: Sums, rules: npt.NDArray[np.float64]
    ) -> None:
        """Run the kernel on all threads; where a part of a walk is repeated, on the first."""
        from kibitz.spots import _kernels

        short, trunk = rules.astype(self.dtype), self._works[0][2]
        self._done[...] = 0  # an interrupted walk may have left some

        def work(control: Control, member: int) -> None:
            tables = (self._tables, self._works[member])
            if self._rounds == 1:
                _kernels.run_river(*tables, player, job, *sums, short)
            elif member == 0 or where == NOWHERE:
                team = (control, self._done, member, self._team.size, self._groups)
                _kernels.run(team, *tables, trunk, where, player, job, *sums, short, self._edges)

        self._team.run(work)


class Views:
    """Walks of a solution, one for each player, that are kept: a decision is then looked at without a walk of all."""

    def __init__(self, solver: SpotCFR) -> None:
        self.iteration = solver.iteration
        self._source = solver.average
        self._walkers = [Walker(solver.compiled, solver.dtype, solver.threads) for _ in range(2)]
        for player, walker in enumerate(self._walkers):
            walker.walk(player, VALUE, Sums(self._source, self._source, self._source), np.zeros((1, 4)))

    def look(self, player: int, node: int, boards: list[int]) -> tuple[Numbers, Numbers]:
        """What `Walker.look` gives."""
        return self._walkers[player].look(player, self._source, node, boards)


class Measure(NamedTuple):
    """What a strategy is worth, chips per hand from the spot on; without rake the values add up to the pot.

    values      both players' when both play it
    responses   what a best response to the other's part would win
    """

    values: tuple[float, float]
    responses: tuple[float, float]

    @property
    def gains(self) -> tuple[float, float]:
        """What each player would gain by a best response."""
        return self.responses[0] - self.values[0], self.responses[1] - self.values[1]

    @property
    def exploitability(self) -> float:
        """The mean of the gains."""
        return sum(self.gains) / 2


class Progress(NamedTuple):
    """Where a run stands."""

    iteration: int
    measure: Measure
    seconds: float  # spent solving, measuring left out

    def row(self) -> dict[str, float]:
        """As a row of a curve; `of` goes back."""
        values, responses = self.measure
        return {
            "iteration": self.iteration,
            "exploitability": self.measure.exploitability,
            "value_oop": values[0],
            "value_ip": values[1],
            "response_oop": responses[0],
            "response_ip": responses[1],
            "seconds": self.seconds,
        }

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Progress:
        """What a row of a curve says."""
        values, responses = ((float(row[f"{what}_oop"]), float(row[f"{what}_ip"])) for what in ("value", "response"))
        return cls(int(row["iteration"]), Measure(values, responses), float(row["seconds"]))


class SpotCFR(StepwiseSolver):
    """Vector CFR on a spot. float32 halves the memory and the time, and measures to about a millionth of the pot.

    With rake the spot is not zero-sum: CFR is then without guarantee, and the measure says what it came to.
    The result does not depend on `threads`, to the bit.
    """

    def __init__(
        self, compiled: SpotGame, algorithm: str = "dcfr", dtype: npt.DTypeLike = "float32", threads: int = 1
    ) -> None:
        if algorithm not in ALGORITHMS:
            raise KibitzError(f"no algorithm {algorithm!r} for spots: one of {', '.join(ALGORITHMS)}")
        self.compiled = compiled
        self.algorithm = algorithm
        self.dtype = np.dtype(dtype)
        self.threads = whole(threads, "threads", 1)
        check_memory(compiled.spot, self.dtype.itemsize)
        self.regret: Numbers = aligned_zeros(compiled.size, self.dtype)
        self.average: Numbers = aligned_zeros(compiled.size, self.dtype)
        self.walker = Walker(compiled, self.dtype, self.threads)
        self._views: Views | None = None

    @property
    def views(self) -> Views:
        """Walks of the average strategy as it is now, to look at many of its decisions."""
        if self._views is None or self._views.iteration != self.iteration:
            self._views = Views(self)
        return self._views

    def step(self, count: int = 1) -> None:
        """Do `count` more iterations; with 0, only get ready."""
        rules = discounts(WEIGHTINGS[self.algorithm], self.iteration + 1, count)
        self.walker.learn(self.regret, self.average, rules)
        self.iteration += count

    def measure(self) -> Measure:
        """What the average strategy is worth and how much best responses to it win.

        Exact with suits kept. With suits merged one river stands for its class, while rounding lets hands that are
        alike drift apart on the turn: then good to about 1e-4 of the pot, 1e-5 in double precision.
        """
        return measure_sums(self.walker, self.average)

    def average_strategy(self) -> Strategy:
        """The strategy that converges."""
        return Strategy.from_sums(self.compiled.layout, self.compiled.gather(self.average), self.manifest())

    def parameters(self) -> dict[str, Any]:
        """What the solver was made with."""
        return {"algorithm": self.algorithm, "updates": "alternating", "numbers": self.dtype.name}

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        """The solver's memory."""
        return {"regret": self.regret, "average": self.average}


def measure_sums(walker: Walker, sums: Numbers) -> Measure:
    """What the strategy that `sums` are proportional to is worth, and how much best responses to it win."""
    values, responses = ([walker.value(p, job, sums) for p in range(2)] for job in (VALUE, BEST))
    return Measure((values[0], values[1]), (responses[0], responses[1]))


def measure_strategy(compiled: SpotGame, strategy: Strategy) -> Measure:
    """What a strategy of the spot is worth, and how much best responses to it win."""
    strategy.layout.check_same(compiled.layout)
    return measure_sums(Walker(compiled, np.float64), compiled.spread(strategy.values))


def discounts(rule: Weighting, first: int, count: int) -> npt.NDArray[np.float64]:
    """For iterations first .. first + count: float64[count, 4].

    What positive and negative regrets are scaled by before the iteration is added (Brown and Sandholm 2019), its weight
    in the average, and the least that a regret may be.
    """
    t = np.arange(first, first + count, dtype=np.float64)
    before = np.maximum(t - 1, 1)
    table = np.ones((count, 4))
    for column, power in enumerate((rule.alpha, rule.beta)):
        if np.isfinite(power):
            table[:, column] = np.where(t > 1, before**power / (before**power + 1), 1.0)
    table[:, 2] = t**rule.gamma
    table[:, 3] = 0.0 if rule.beta == -np.inf else -np.inf
    return table


def solve_spot(
    solver: SpotCFR, *, accuracy: float = 0.0, iterations: int | None = None, every: int = 0
) -> Iterator[Progress]:
    """Step `solver` and measure it, until its exploitability is at most `accuracy` chips, or `iterations`.

    every: iterations between measurements; by default a quarter of those done, at least ten.
    """
    iterations = None if iterations is None else whole(iterations, "iterations", 1)
    solver.step(0)  # loads, and on a first run compiles, the kernels: no part of the solving
    seconds = 0.0
    while iterations is None or solver.iteration < iterations:
        count = every or max(10, solver.iteration // 4)
        if iterations is not None:
            count = min(count, iterations - solver.iteration)
        start = perf_counter()
        solver.step(count)
        seconds += perf_counter() - start
        progress = Progress(solver.iteration, solver.measure(), seconds)
        yield progress
        if progress.measure.exploitability <= accuracy:
            return
