"""Walking a spot with the kernels: scratch memory, threads, and the order of things."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.parallel.team import Control, Team
from kibitz.spots.compiled import LEARN, PLACE, SLOT, VALUE, Numbers, SpotGame

BOTH = -1  # players
NOWHERE = (-1, -1, -1, -1)
PAIRS_PER_THREAD = 30_000  # hand-action pairs that make another thread worth its waiting for the others
TASKS_PER_THREAD = 12  # so that no thread waits long for the last of them


class Sums(NamedTuple):
    """What a walk reads and writes: strategies are matched from `source`; regrets and average are only learned."""

    source: Numbers
    regret: Numbers
    average: Numbers


class Walker:
    """The scratch memory of some threads, with which a form is walked. What comes out does not depend on how many.

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

        boards: the number, in its round, of every board dealt up to the node.
        """
        compiled, sums, rules = self.compiled, Sums(source, source, source), np.zeros((1, 4))
        self.walk(player, VALUE, sums, rules)
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
