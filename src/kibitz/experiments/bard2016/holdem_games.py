"""Equilibria of limit hold'em in which the two players have different card abstractions.

The strategy 5-8 has five buckets a round and was solved against an opponent with eight. Its seat 0 comes from the game
in which seat 0 has five buckets and seat 1 eight, its seat 1 from the game with the seats exchanged; the same two games
give 8-5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from kibitz.deals import MatrixDeal
from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.policy.base import Floats
from kibitz.progress import Progress, silent
from kibitz.responses.best_response import expected_values, exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy, load_strategy, save_strategy
from kibitz.strategy.classes import lifted

GAME, ALGORITHM = "holdem-limit-2p", "dcfr"
GAP = "exploitability, mbb/hand"
CHUNK = 50  # iterations between checkpoints
GPU_CHUNK = 250  # between reports: the sums return to the CPU after each


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


def best_device(threads: int) -> Device:
    """A GPU where there is one."""
    from kibitz.solvers.gpu import check_gpu

    try:
        check_gpu()
    except KibitzError:
        return Device("cpu", threads)
    return Device("gpu", threads)


class Pairing(NamedTuple):
    """A strategy by its buckets, ours and those of the opponent it was solved against; or a game, by seat."""

    ours: int
    free: int

    def __str__(self) -> str:
        return f"{self.ours}-{self.free}"

    @classmethod
    def parse(cls, name: str) -> Pairing:
        """The inverse of `str`."""
        ours, free = map(int, name.split("-"))
        return cls(ours, free)

    @property
    def swapped(self) -> Pairing:
        """The same with the roles exchanged."""
        return Pairing(self.free, self.ours)


@dataclass(frozen=True)
class Setting:
    """How much is done.

    buckets     numbers of buckets a round; all pairs of them are solved
    boards      on which the joint distributions are counted that games are solved in
    batches     of `batch` boards each, for the values of strategies against each other
    flops       for best responses in the real game; 0 for none
    """

    buckets: tuple[int, ...]
    iterations: int
    boards: int
    batches: int
    batch: int
    flops: int
    seed: int = 0

    @property
    def pairings(self) -> list[Pairing]:
        """All strategies; all games too."""
        return [Pairing(*each) for each in product(self.buckets, repeat=2)]

    def describe(self) -> dict[str, Any]:
        """What decides the numbers of a pairing, which other pairings do not."""
        told = {"command": "kibitz reproduce bard2016 table-4.2 --preset full", **asdict(self)}
        del told["buckets"]
        return told


@dataclass(frozen=True)
class Games:
    """The solved games, each in a folder of its own as soon as it is solved: 5x8 where seat 0 has five buckets."""

    setting: Setting
    folder: Path
    device: Device = field(default_factory=Device)
    tell: Progress = field(default=silent, compare=False)
    _counted: dict[Pairing, MatrixDeal] = field(default_factory=dict, compare=False)

    def problem(self, game: Pairing) -> Problem:
        """A game to be solved."""
        cards = (f"{game.ours}-bucket", f"{game.free}-bucket")
        return Problem(load_game(GAME), cards=cards, boards=self.setting.boards, seed=self.setting.seed)

    def deal(self, game: Pairing) -> MatrixDeal:
        """The cards of a game; the game with the players exchanged, if asked for next, takes the same boards."""
        if game.swapped in self._counted:
            return self._counted.pop(game.swapped).swapped(self.problem(game).private.fingerprint)
        problem = self.problem(game)
        problem.prepare(self.device.threads, self.tell)
        self._counted.clear()
        if game != game.swapped:
            self._counted[game] = problem.deal
        return problem.deal

    @property
    def solvable(self) -> list[Pairing]:
        """The games that the device can solve."""
        return [game for game in self.setting.pairings if max(game) <= self.device.most_buckets]

    def solved(self, game: Pairing) -> Strategy:
        """A game, solved unless it was before."""
        if not (self._folder(game) / "strategy").exists():
            self._solve(game)
        return load_strategy(self._folder(game) / "strategy")

    def _folder(self, game: Pairing) -> Path:
        return self.folder / f"{game.ours}x{game.free}"

    def _solve(self, game: Pairing) -> None:
        problem, folder = self.problem(game), self._folder(game)
        compiled = VectorGame(problem.tree, self.deal(game))
        solver, measure = self.device.solver(compiled, ALGORITHM)
        checkpoint = folder / "checkpoint.npz"
        folder.mkdir(parents=True, exist_ok=True)
        if checkpoint.exists():
            load_checkpoint(checkpoint, solver, problem.describe())
        on_cpu = self.device.name == "cpu"
        while solver.iteration < self.setting.iterations:
            self.tell(f"solving {game}", solver.iteration, self.setting.iterations)
            chunk = CHUNK if on_cpu else GPU_CHUNK
            solver.step(min(chunk, self.setting.iterations - solver.iteration))
            if on_cpu:  # on a GPU the whole game takes less time than writing checkpoints
                save_checkpoint(checkpoint, solver, problem.describe())
        strategy = solver.average_strategy()
        gap = 1000 * measure(strategy) / problem.game.big_blind
        made = {**strategy.manifest, **problem.describe_cards(), GAP: gap}
        save_strategy(Strategy(strategy.layout, strategy.values, made), folder / "strategy", "float32")
        checkpoint.unlink(missing_ok=True)
        self.device.clear()

    def gap(self, pairing: Pairing) -> float:
        """How exploitable the games of a strategy were left in themselves: the larger one, mbb/hand."""
        return max(float(self.solved(each).manifest[GAP]) for each in (pairing, pairing.swapped))

    def seat(self, layout: Layout, pairing: Pairing, player: int) -> Floats:
        """What a strategy does in a seat, over `layout`, which has its buckets there; zero in the other seat."""
        solved = self.solved(pairing if player == 0 else pairing.swapped)
        values = np.zeros(layout.size)
        same = [np.arange(count) for count in layout.counts[:, player]]
        lifted(np.asarray(solved.values), solved.layout, layout, player, same, values)
        return values

    def joined(self, layout: Layout, one: Pairing, two: Pairing) -> Strategy:
        """Strategy `one` in seat 0 and `two` in seat 1."""
        return Strategy(layout, self.seat(layout, one, 0) + self.seat(layout, two, 1))
