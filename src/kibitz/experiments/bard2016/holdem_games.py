"""Equilibria of limit hold'em in which the two players have different card abstractions.

The strategy 5-8 has five buckets a round and was solved against an opponent with eight. Its seat 0 comes from the game
in which seat 0 has five buckets and seat 1 eight, its seat 1 from the game with the seats exchanged; the same two games
give 8-5.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.experiments.bard2016.devices import Device
from kibitz.games import load_game
from kibitz.progress import Progress, silent
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy, load_strategy, save_strategy
from kibitz.strategy.classes import lifted

GAME, ALGORITHM = "holdem-limit-2p", "dcfr"
GAP = "exploitability, mbb/hand"
CHUNK = 50  # iterations between checkpoints


class Pairing(NamedTuple):
    """A strategy by its buckets, ours and those of the opponent it was solved against; or a game, by seat."""

    ours: int
    free: int

    def __str__(self) -> str:
        return f"{self.ours}-{self.free}"

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
        """What decides the numbers."""
        return {"command": "kibitz reproduce bard2016 table-4.2 --preset full", **asdict(self)}


@dataclass(frozen=True)
class Games:
    """The solved games, each in a folder of its own as soon as it is solved: 5x8 where seat 0 has five buckets."""

    setting: Setting
    folder: Path
    device: Device = field(default_factory=Device)
    tell: Progress = field(default=silent, compare=False)
    scratch: object = None  # removes the folder when the games are gone, where it is not to be kept

    def problem(self, game: Pairing) -> Problem:
        """A game to be solved."""
        cards = (f"{game.ours}-bucket", f"{game.free}-bucket")
        return Problem(load_game(GAME), cards=cards, boards=self.setting.boards, seed=self.setting.seed)

    @cached_property
    def solved(self) -> dict[Pairing, Strategy]:
        """All games, solved unless they were before."""
        for game in self.setting.pairings:
            if not (self._folder(game) / "strategy").exists():
                self._solve(game)
        return {game: load_strategy(self._folder(game) / "strategy") for game in self.setting.pairings}

    def _folder(self, game: Pairing) -> Path:
        return self.folder / f"{game.ours}x{game.free}"

    def _solve(self, game: Pairing) -> None:
        problem, folder = self.problem(game), self._folder(game)
        problem.prepare(self.device.threads, self.tell)
        solver, exploitability = self.device.solver(problem.vector, ALGORITHM)
        checkpoint = folder / "checkpoint.npz"
        folder.mkdir(parents=True, exist_ok=True)
        if checkpoint.exists():
            load_checkpoint(checkpoint, solver, problem.describe())
        while solver.iteration < self.setting.iterations:
            self.tell(f"solving {game}", solver.iteration, self.setting.iterations)
            solver.step(min(CHUNK, self.setting.iterations - solver.iteration))
            if self.device.name == "cpu":  # on a GPU the whole game takes less time than writing checkpoints
                save_checkpoint(checkpoint, solver, problem.describe())
        strategy = solver.average_strategy()
        gap = 1000 * exploitability(strategy) / problem.game.big_blind
        made = {**strategy.manifest, **problem.describe_cards(), GAP: gap}
        save_strategy(Strategy(strategy.layout, strategy.values, made), folder / "strategy", "float32")
        checkpoint.unlink(missing_ok=True)
        self.device.clear()

    def gap(self, pairing: Pairing) -> float:
        """How exploitable the games of a strategy were left in themselves: the larger one, mbb/hand."""
        return max(float(self.solved[each].manifest[GAP]) for each in (pairing, pairing.swapped))

    def joined(self, layout: Layout, one: Pairing, two: Pairing) -> Strategy:
        """Strategy `one` in seat 0 and `two` in seat 1."""
        return join_seats(layout, self.solved[one], self.solved[two.swapped])


def join_seats(layout: Layout, first: Strategy, second: Strategy) -> Strategy:
    """Seat 0 of one strategy and seat 1 of another, which have the same buckets there as `layout`."""
    values = np.zeros(layout.size)
    for player, each in enumerate((first, second)):
        same = [np.arange(count) for count in layout.counts[:, player]]
        lifted(np.asarray(each.values), each.layout, layout, player, same, values)
    return Strategy(layout, values)
