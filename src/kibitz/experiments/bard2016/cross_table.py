"""Table 4.2: equilibria of limit hold'em in which the two players have different card abstractions.

The strategy 5-8 has five buckets a round and was solved against an opponent with eight. Its seat 0 comes from the game
in which seat 0 has five buckets and seat 1 eight, its seat 1 from the game with the seats exchanged; the same two games
give 8-5. All strategies are then played against each other and against a best response in the real game.

What one strategy wins from another is computed in the buckets of both, on boards that no game was solved on: all pairs
of hands and all betting are summed, boards are sampled in batches, and the interval is that of the batches.

Everything is kept in a folder as soon as it is found: games/5x8 (seat 0 has five buckets), values/5x8-0.json (batch 0),
exploitability/5-8.json.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.deals.joint import Boards, bucket_matrices
from kibitz.experiments.bard2016.devices import Device
from kibitz.files import read_json, write_text
from kibitz.games import load_game
from kibitz.policy.hands import HandPolicy
from kibitz.progress import Progress, silent
from kibitz.responses.real import Flops, RealExploitability, respond_by_flop
from kibitz.solvers.checkpoint import load_checkpoint, save_checkpoint
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.problem import Problem
from kibitz.statistics import weighted_half_width
from kibitz.strategy import Layout, Strategy, load_strategy, save_strategy
from kibitz.strategy.classes import lifted

GAME, ALGORITHM = "holdem-limit-2p", "dcfr"
CHUNK = 50  # iterations between checkpoints


class Pairing(NamedTuple):
    """A strategy by its buckets, ours and the opponent's it was solved against; or a game, those of seat 0 and 1."""

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


class Valued(NamedTuple):
    """A figure in mbb/hand and half its 95 % interval."""

    mean: float
    half_width: float


@dataclass(frozen=True)
class CrossTable:
    """Computes the table, and keeps what it finds in `folder`."""

    setting: Setting
    folder: Path
    device: Device = field(default_factory=Device)
    tell: Progress = field(default=silent, compare=False)

    def solve(self) -> None:
        """All games."""
        for game in self.setting.pairings:
            if not (self._game_folder(game) / "strategy").exists():
                self._solve(game)

    def _game_folder(self, game: Pairing) -> Path:
        return self.folder / "games" / f"{game.ours}x{game.free}"

    def _problem(self, game: Pairing) -> Problem:
        cards = (f"{game.ours}-bucket", f"{game.free}-bucket")
        return Problem(load_game(GAME), cards=cards, boards=self.setting.boards, seed=self.setting.seed)

    def _solve(self, game: Pairing) -> None:
        problem, folder = self._problem(game), self._game_folder(game)
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
        made = {**strategy.manifest, **problem.describe_cards(), "exploitability, mbb/hand": gap}
        save_strategy(Strategy(strategy.layout, strategy.values, made), folder / "strategy", "float32")
        checkpoint.unlink(missing_ok=True)
        self.device.clear()

    def _solved(self, game: Pairing) -> Strategy:
        return load_strategy(self._game_folder(game) / "strategy")

    @cached_property
    def strategies(self) -> dict[Pairing, tuple[Strategy, Strategy]]:
        """For every strategy the games that its seats were solved in."""
        solved = {game: self._solved(game) for game in self.setting.pairings}
        return {each: (solved[each], solved[each.swapped]) for each in self.setting.pairings}

    def gap(self, pairing: Pairing) -> float:
        """How exploitable both games of a strategy were left in themselves: the larger one, mbb/hand."""
        return max(each.manifest["exploitability, mbb/hand"] for each in self.strategies[pairing])

    def meet(self) -> None:
        """What every strategy wins from every other, batch by batch."""
        games = [game for game in self.setting.pairings if game.ours <= game.free]
        for batch, game in product(range(self.setting.batches), games):
            self.tell("values", batch * len(games) + games.index(game), self.setting.batches * len(games))
            if not all(self._values_file(each, batch).exists() for each in (game, game.swapped)):
                self._meet(game, batch)

    def _values_file(self, game: Pairing, batch: int) -> Path:
        return self.folder / "values" / f"{game.ours}x{game.free}-{batch}.json"

    def _meet(self, game: Pairing, batch: int) -> None:
        problem = self._problem(game)
        boards = Boards.sampled(self.setting.batch, self.setting.seed + 1 + batch)
        deal = bucket_matrices(problem.game, problem.abstractions, boards, self.device.threads, self.tell)
        self._value_all(game, VectorGame(problem.tree, deal), self._values_file(game, batch))
        if game.ours != game.free:
            deal = deal.swapped(self._problem(game.swapped).private.fingerprint)
            self._value_all(game.swapped, VectorGame(problem.tree, deal), self._values_file(game.swapped, batch))

    def _value_all(self, game: Pairing, compiled: VectorGame, path: Path) -> None:
        """Chips per hand of seat 0, for all strategies with these buckets in seat 0 and in seat 1."""
        value = self.device.values(compiled)
        found: dict[str, dict[str, float]] = {}
        for one, two in product(self.setting.pairings, repeat=2):
            if (one.ours, two.ours) == game:
                halves = self.strategies[one][0], self.strategies[two][1]
                found.setdefault(str(one), {})[str(two)] = value(join_seats(compiled.layout, *halves))
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(found))
        self.device.clear()

    def values(self) -> dict[Pairing, dict[Pairing, Valued]]:
        """What the row wins from the column, mean of both seats; of batches that are there."""
        first: list[dict[str, dict[str, float]]] = []
        for batch in range(self.setting.batches):
            merged: dict[str, dict[str, float]] = {}
            for game in self.setting.pairings:
                for row, cells in read_json(self._values_file(game, batch)).items():
                    merged.setdefault(row, {}).update(cells)
            first.append(merged)
        scale = 1000 / load_game(GAME).big_blind
        table: dict[Pairing, dict[Pairing, Valued]] = {}
        for one, two in product(self.setting.pairings, repeat=2):
            won = scale * np.array([(each[str(one)][str(two)] - each[str(two)][str(one)]) / 2 for each in first])
            table.setdefault(one, {})[two] = Valued(float(won.mean()), weighted_half_width(won, np.ones(len(won))))
        return table

    def respond(self) -> None:
        """Best responses to every strategy in the real game, on the same flops."""
        for pairing in self.setting.pairings if self.setting.flops else ():
            path = self._response_file(pairing)
            if path.exists():
                continue
            result = self._respond(pairing)
            path.parent.mkdir(parents=True, exist_ok=True)
            chips = (result.exploitability, result.lower, result.half_width)
            write_text(path, json.dumps({"flops": result.flops, "mbb": [result.mbb(each) for each in chips]}))

    def _response_file(self, pairing: Pairing) -> Path:
        return self.folder / "exploitability" / f"{pairing}.json"

    def _respond(self, pairing: Pairing) -> RealExploitability:
        problem = self._problem(Pairing(pairing.ours, pairing.ours))
        layout = Layout(problem.tree, np.array(problem.private.counts), problem.private.fingerprint)
        first, second = problem.abstractions
        policy = HandPolicy(join_seats(layout, *self.strategies[pairing]), (first, second))
        flops = Flops.sampled(self.setting.flops, self.setting.seed + 1)
        for found in respond_by_flop(policy, flops, self.device.threads):
            if isinstance(found, RealExploitability):
                return found
            self.tell(f"best response to {pairing}", found, len(flops))
        raise AssertionError("the last thing yielded is the result")

    def document(self) -> dict[str, Any]:
        """Everything found, for a file; exploitability only where it is there."""
        table = self.values()
        responses = {str(each): self._response_file(each) for each in self.setting.pairings}
        return {
            "gaps": {str(each): self.gap(each) for each in self.setting.pairings},
            "values": {str(row): {str(column): list(each) for column, each in cells.items()} for row, cells in table.items()},
            "exploitability": {name: read_json(path) for name, path in responses.items() if path.exists()},
        }


def join_seats(layout: Layout, first: Strategy, second: Strategy) -> Strategy:
    """Seat 0 of one strategy and seat 1 of another, which have the same buckets there as `layout`."""
    values = np.zeros(layout.size)
    for player, each in enumerate((first, second)):
        same = [np.arange(count) for count in layout.counts[:, player]]
        lifted(np.asarray(each.values), each.layout, layout, player, same, values)
    return Strategy(layout, values)


def stages(table: CrossTable) -> Iterator[Callable[[], None]]:
    """What is to be done, in order."""
    yield from (table.solve, table.meet, table.respond)
