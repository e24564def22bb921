"""Where the games of table 4.2 are solved and valued: on the CPU, or on a GPU, which large buckets need."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.strategy import Strategy

Measure = Callable[[Strategy], float]


@dataclass(frozen=True)
class Device:
    """A device, and the threads of the CPU beside it."""

    name: Literal["cpu", "gpu"] = "cpu"
    threads: int = 1

    @property
    def most_buckets(self) -> int:
        """Buckets a round that it can solve limit hold'em with: twelve take 40 GB and days on a CPU."""
        return 8 if self.name == "cpu" else 12

    def solver(self, compiled: VectorGame, algorithm: str) -> tuple[CFR, Measure]:
        """A solver and what measures exploitability in its own game, chips per hand."""
        if self.name == "cpu":
            solver = CFR(compiled, algorithm, threads=self.threads)
            return solver, lambda strategy: exploitability(compiled, strategy).exploitability
        from kibitz.solvers.gpu.cfr import GpuCFR, best_values

        on_gpu = GpuCFR(compiled, algorithm)
        return on_gpu, lambda strategy: sum(best_values(on_gpu.gpu, strategy)) / 2

    def values(self, compiled: VectorGame) -> Measure:
        """What measures the value of a strategy to seat 0, chips per hand."""
        if self.name == "cpu":
            return lambda strategy: expected_values(compiled, strategy)[0]
        from kibitz.solvers.compiled.gpu import GpuGame
        from kibitz.solvers.gpu import check_gpu
        from kibitz.solvers.gpu.cfr import expected_value

        gpu = GpuGame(compiled, check_gpu())
        return lambda strategy: expected_value(gpu, strategy)

    def clear(self) -> None:
        """Give back the memory of games that are no longer used."""
        if self.name == "gpu":
            from kibitz.solvers.gpu import check_gpu

            check_gpu().get_default_memory_pool().free_all_blocks()
