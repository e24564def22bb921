"""Walking a spot with the kernels: scratch memory, threads, and the order of things."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.solvers.spot.form import PLACE, SLOT, Arrays, Numbers, SpotForm

VALUE, BEST, LEARN = 0, 1, 2  # jobs, as in the kernels
ALL = -1
NOWHERE = (ALL, ALL, ALL)


class Sums(NamedTuple):
    """What a walk reads and writes: strategies are matched from `source`; regrets and average are only learned."""

    source: Numbers
    regret: Numbers
    average: Numbers


class Walker:
    """The scratch memory of some threads, with which a form is walked. What comes out does not depend on how many."""

    def __init__(self, form: SpotForm, dtype: npt.DTypeLike, threads: int = 1) -> None:
        self.form = form
        self.dtype = np.dtype(dtype)
        self._tables = form.tables(dtype)
        self._rounds = form.deal.rounds
        count = len(form.deal.boards[1]) if self._rounds > 1 else 0
        self._boards = range(form.first_board(1), form.first_board(1) + count)
        self._works = [form.scratch(dtype) for _ in range(max(1, min(threads, count)))]
        self._edge: Numbers = np.zeros(max(1, count * form.edge_size), dtype)
        self._pool = ThreadPoolExecutor(len(self._works)) if len(self._works) > 1 else None
        self._free: SimpleQueue[Arrays] = SimpleQueue()
        for work in self._works:
            self._free.put(work)

    def learn(self, regret: Numbers, average: Numbers, rules: npt.NDArray[np.float64]) -> None:
        """As many iterations as there are rules (see `discounts`), players in turn."""
        sums = Sums(regret, regret, average)
        if self._rounds == 1:
            from kibitz.solvers.spot._kernels import RIVER

            self._run(RIVER, self._works[0], NOWHERE, 0, LEARN, sums, rules)
            return
        if not len(rules):  # none at all still load the kernels
            from kibitz.solvers.spot._kernels import DOWN

            self._run(DOWN, self._works[0], NOWHERE, 0, VALUE, sums, np.zeros((1, 4)))
        for t in range(len(rules)):
            for player in range(2):
                self.walk(player, LEARN, sums, rules[t : t + 1])

    def walk(self, player: int, job: int, sums: Sums, rules: npt.NDArray[np.float64]) -> Numbers:
        """Walk all boards for one player; the values of his hands at the root, [width], come back (a view)."""
        from kibitz.solvers.spot._kernels import BRANCH, DOWN, TRUNK_UP

        work = self._works[0]
        self._run(DOWN, work, NOWHERE, player, job, sums, rules)
        for other in self._works[1:]:
            other[1][...] = work[1]

        def branch(board: int) -> None:
            scratch = self._free.get()
            try:
                self._run(BRANCH, scratch, (board, ALL, ALL), player, job, sums, rules)
            finally:
                self._free.put(scratch)

        if self._pool is None:
            for board in self._boards:
                branch(board)
        else:
            try:
                list(self._pool.map(branch, self._boards))
            except BaseException:  # interrupted: nobody may still write when the caller looks at what there is
                for work in [self._free.get() for _ in self._works]:
                    self._free.put(work)
                raise
        self._run(TRUNK_UP, work, NOWHERE, player, job, sums, rules)
        return self._values(player, 0, 0)

    def value(self, player: int, job: int, source: Numbers) -> float:
        """Chips per hand to a player, by the strategy in `source` (VALUE) or by a best response to it (BEST)."""
        values = self.walk(player, job, Sums(source, source, source), np.zeros((1, 4)))
        return float(values.astype(np.float64) @ self.form.weights(player))

    def look(self, player: int, source: Numbers, node: int, boards: list[int]) -> tuple[Numbers, Numbers]:
        """Counterfactual values of a player's states at a decision, and the reach of the opponent's.

        boards: the number, in its round, of every board dealt up to the node.
        """
        from kibitz.solvers.spot._kernels import BRANCH

        form, sums, rules = self.form, Sums(source, source, source), np.zeros((1, 4))
        self.walk(player, VALUE, sums, rules)
        line = form.line_of[node]
        rows = [form.first_board(r + 1) + b for r, b in enumerate(boards)]
        if rows:
            # The scratch keeps what was walked last: of the last round, only the unit looked at.
            unit = form.unit_of(line) if len(rows) == self._rounds - 1 else ALL
            below = rows[1] if len(rows) == 2 else ALL
            self._run(BRANCH, self._works[0], (rows[0], below, unit), player, VALUE, sums, rules)
        return self._values(player, len(rows), line).copy(), self._reach(1 - player, len(rows), line).copy()

    def _values(self, player: int, round_: int, line: int) -> Numbers:
        """A player's values at a node, [width]."""
        at = int(self.form.nodes[line, PLACE + player])
        return self._works[0][2][at : at + self.form.deal.widths[round_][player]]

    def _reach(self, player: int, round_: int, line: int) -> Numbers:
        """A player's reach at a node, [width]."""
        at = int(self.form.nodes[line, SLOT + player])
        return self._works[0][1][player, at : at + self.form.deal.widths[round_][player]]

    def _run(
        self,
        task: int,
        work: Arrays,
        where: tuple[int, int, int],
        player: int,
        job: int,
        sums: Sums,
        rules: npt.NDArray[np.float64],
    ) -> None:
        from kibitz.solvers.spot._kernels import run

        run(task, self._tables, work, where, player, job, *sums, rules.astype(self.dtype), self._edge)
