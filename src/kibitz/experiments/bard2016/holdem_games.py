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

from kibitz.errors import KibitzError
from kibitz.games import load_game
from kibitz.plans import carry_out
from kibitz.plans.artefacts import CHECKPOINT, MANIFEST
from kibitz.policy.base import Floats
from kibitz.progress import Progress, silent
from kibitz.responses.best_response import expected_values
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy, load_strategy
from kibitz.strategy.classes import lifted
from kibitz.training.solving import SolvePlan

GAME = "holdem-limit-2p"


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

    def problem(self, game: Pairing) -> Problem:
        """A game to be solved."""
        cards = (f"{game.ours}-bucket", f"{game.free}-bucket")
        return Problem(load_game(GAME), cards=cards, boards=self.setting.boards, seed=self.setting.seed)

    @property
    def solvable(self) -> list[Pairing]:
        """The games that the device can solve."""
        return [game for game in self.setting.pairings if max(game) <= self.device.most_buckets]

    def solved(self, game: Pairing) -> Strategy:
        """A game, solved unless it was before."""
        folder, setting = self.folder / f"{game.ours}x{game.free}", self.setting
        if not (folder / MANIFEST).exists():
            plan = SolvePlan(
                GAME,
                cards=(f"{game.ours}-bucket", f"{game.free}-bucket"),
                boards=setting.boards,
                algorithm="dcfr",
                iterations=setting.iterations,
                threads=self.device.threads,
                device=self.device.name,
                seed=setting.seed,
            )
            for report in carry_out(plan, folder, resume=(folder / CHECKPOINT).exists()):
                self.tell(f"solving {game}", int(report.done), setting.iterations)
            (folder / CHECKPOINT).unlink()  # gigabytes
            self.device.clear()
        return load_strategy(folder)

    def gap(self, pairing: Pairing) -> float:
        """How exploitable the games of a strategy were left in themselves: the larger one, mbb/hand."""
        chips = max(float(self.solved(each).manifest["exploitability"]) for each in (pairing, pairing.swapped))
        return 1000 * chips / load_game(GAME).big_blind

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
