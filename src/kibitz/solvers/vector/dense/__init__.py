"""Leaves of games whose states all meet each other: many reach vectors through one large matrix at a time.

In a game of card buckets every bucket of one player may meet every bucket of the other, so a round is one block of
hundreds or thousands of states, and nearly all the time goes into products of that matrix with reach vectors. Put side
by side the vectors of some subtrees are a matrix too, and the product is left to BLAS.

Iterations multiply in single precision, which BLAS does twice as fast: regrets and averages are still added up in
double, and an error of 1e-7 of a value is far below what an iteration leaves. Measures (best responses, values)
multiply in double.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from kibitz.solvers.vector import PLACE, SLOT
from kibitz.tree import DECISION, SHOWDOWN

if TYPE_CHECKING:
    from kibitz.solvers.compiled.vector import VectorGame

Ints = npt.NDArray[np.int64]
Matrices = tuple[npt.NDArray[np.floating[Any]], ...]
ROWS = 128  # reach vectors multiplied at a time, at most: enough for BLAS
SHARES = 48  # batches of a round come in multiples of it, where there are enough: most numbers of threads divide it
FEWEST_ROWS = 16  # of a batch


class DenseLeaves:
    """The leaves of a form with one block per round, in batches of subtrees that are valued together.

    batches : int64[b, 3]        round, nodes from, to in the form's `order`
    pieces  : int64[b, 2, 2, 4]  by batch, player and kind (fold, showdown): slots from, to, leaves from, to
    slots   : int64[s]           where the opponent's distinct reach vectors of a piece begin
    leaves  : int64[l, 3]        which of them a leaf takes, where its values begin, its node
    """

    def __init__(self, compiled: VectorGame) -> None:
        self._form = compiled
        self._nodes = compiled.game[0].astype(np.int64)
        self._most = 0
        batches: list[tuple[int, int, int]] = []
        first = [0]
        for r in range(compiled.tree.game.rounds):
            batches.extend((r, begin, end) for begin, end in self._share_out(r))
            first.append(len(batches))
        self.first: Ints = np.array(first)  # batch of each round
        self.batches: Ints = np.array(batches, dtype=np.int64)
        self._list_leaves()

    def _share_out(self, r: int) -> list[tuple[int, int]]:
        """The subtrees of a round in batches of about as many reach vectors each: nodes from, to."""
        compiled, order = self._form, self._form.order
        units = compiled.units[compiled.levels[r] : compiled.levels[r + 1] + 1]
        leaves = np.cumsum(np.append(0, compiled.tree.kind[order] != DECISION))[units]
        rows = int(leaves[-1] - leaves[0]) // 2  # a vector serves about two leaves, a fold and a showdown
        shares = SHARES * -(-rows // (SHARES * ROWS))
        shares = max(1, min(shares, len(units) - 1, rows // FEWEST_ROWS))
        wanted = leaves[0] + (leaves[-1] - leaves[0]) * np.arange(1, shares) // shares
        cuts = np.unique([0, *np.searchsorted(leaves, wanted), len(units) - 1])
        return [(int(units[a]), int(units[b])) for a, b in pairwise(cuts)]

    def _list_leaves(self) -> None:
        """Fill `pieces`, `slots` and `leaves`."""
        tree, nodes = self._form.tree, self._nodes
        pieces = np.zeros((len(self.batches), 2, 2, 4), dtype=np.int64)
        slots: list[Ints] = [np.zeros(0, dtype=np.int64)]
        leaves: list[Ints] = [np.zeros((0, 3), dtype=np.int64)]
        used = listed = 0
        for b, (_round, begin, end) in enumerate(self.batches.tolist()):
            here = self._form.order[begin:end]
            for kind in range(2):
                ends = here[(tree.kind[here] != DECISION) & ((tree.kind[here] == SHOWDOWN) == kind)]
                for p in range(2):
                    distinct, row = np.unique(nodes[ends, SLOT + 1 - p], return_inverse=True)
                    pieces[b, p, kind] = used, used + len(distinct), listed, listed + len(ends)
                    slots.append(distinct)
                    leaves.append(np.column_stack((row, nodes[ends, PLACE + p], ends)))
                    used, listed = used + len(distinct), listed + len(ends)
                    self._most = max(self._most, len(distinct))
        self.tables = (self.batches, self.first, pieces, np.concatenate(slots), np.concatenate(leaves))

    def matrices(self, exact: bool) -> Matrices:
        """By round the weights and the signs of a showdown, [states of player 0, states of player 1]."""
        return self._exact if exact else self._single

    @cached_property
    def _exact(self) -> Matrices:
        each = (deal.dense(entries) for deal in self._form.deal.rounds for entries in (deal.weight, deal.sign))
        return tuple(matrix if matrix.flags.writeable else matrix.copy() for matrix in each)

    @cached_property
    def _single(self) -> Matrices:
        return tuple(matrix.astype(np.float32) for matrix in self._exact)

    def scratch(self, exact: bool) -> Matrices:
        """Room for the vectors of a piece and for their products."""
        size = max(1, self._most * int(self._form.deal.counts.max()))
        return tuple(np.zeros(size, dtype=np.float64 if exact else np.float32) for _ in range(2))
