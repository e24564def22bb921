"""Leaves of games whose states all meet each other: many reach vectors through one large matrix at a time.

In a game of card buckets every bucket of one player may meet every bucket of the other, so a round is one block of
hundreds or thousands of states, and nearly all the time goes into products of that matrix with reach vectors. Put side
by side the vectors are a matrix too, and the product is left to BLAS. The rest of a pass stays with the kernels.

Iterations multiply in single precision, which BLAS does twice as fast: regrets and averages are still added up in
double, and an error of 1e-7 of a value is far below what an iteration leaves. Measures (best responses, values)
multiply in double.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from kibitz.tree import DECISION, SHOWDOWN

if TYPE_CHECKING:
    from kibitz.solvers.vector.form import Form

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Run = Callable[[list[Callable[[], None]]], None]
ROWS = 192  # reach vectors multiplied at a time: enough for BLAS, few enough to share among threads


class LeafGroup(NamedTuple):
    """Leaves of one round and kind, as one player sees them.

    matrix  float64[opposing states, own states], a view
    slots   int64[k]: where the distinct reach vectors of the opponent begin
    vector  int64[l]: which of them each leaf takes, ascending
    places  int64[l]: where each leaf's values begin
    leaves  int64[l]: the nodes
    signs   float64[l]: 1 where the player wins the stake (or what a showdown's matrix says of it), else -1
    """

    matrix: Floats
    slots: Ints
    vector: Ints
    places: Ints
    leaves: Ints
    signs: Floats


def leaf_groups(form: Form, nodes: Ints) -> tuple[list[LeafGroup], list[LeafGroup]]:
    """The leaves of a form by player, round and kind; `nodes` is the first array of `form.game`."""
    from kibitz.solvers.vector import _kernels

    tree = form.tree
    groups: tuple[list[LeafGroup], list[LeafGroup]] = ([], [])
    for r, deal in enumerate(form.deal.rounds):
        for showdown in (False, True):
            here = (tree.round == r) & (tree.kind != DECISION) & ((tree.kind == SHOWDOWN) == showdown)
            leaves = np.flatnonzero(here)
            if not len(leaves):
                continue
            matrix = deal.dense(deal.sign if showdown else deal.weight)
            for p in range(2):
                ordered = leaves[np.argsort(nodes[leaves, _kernels.SLOT + 1 - p], kind="stable")]
                slots, vector = np.unique(nodes[ordered, _kernels.SLOT + 1 - p], return_inverse=True)
                winner = 0 if showdown else nodes[ordered, _kernels.PLAYER]
                signs = np.where(winner == p, 1.0, -1.0) * np.ones(len(ordered))
                places = nodes[ordered, _kernels.PLACE + p]
                groups[p].append(LeafGroup(matrix if p else matrix.T, slots, vector, places, ordered, signs))
    return groups


class _Piece(NamedTuple):
    """The vectors begin .. end - 1 of a group, its matrix in single precision, and the chips of its leaves."""

    group: LeafGroup
    single: npt.NDArray[np.float32]
    scale: Floats
    begin: int
    end: int


class DenseLeaves:
    """All leaves of a form with one block per round; `fill` values them."""

    def __init__(self, form: Form, nodes: Ints) -> None:
        self._pieces: tuple[list[_Piece], list[_Piece]] = ([], [])
        self._scales: list[tuple[LeafGroup, Floats]] = []
        for first, second in zip(*leaf_groups(form, nodes), strict=True):  # the same leaves, as both players see them
            single = second.matrix.astype(np.float32)
            for pieces, group, matrix in zip(self._pieces, (first, second), (single.T, single), strict=True):
                scale = np.empty(len(group.leaves))
                self._scales.append((group, scale))
                edges = [*range(0, len(group.slots), ROWS), len(group.slots)]
                pieces.extend(_Piece(group, matrix, scale, begin, end) for begin, end in pairwise(edges))
        self.restake(form.stake)

    def restake(self, stake: Floats) -> None:
        """Scale the leaves by these stakes, chips per node."""
        for group, scale in self._scales:
            scale[...] = group.signs * stake[group.leaves]

    def fill(self, p: int, reach: Floats, values: Floats, exact: bool, run: Run) -> None:
        """Write the values of every leaf to player `p`: scale * matrix applied to the opponent's reach."""
        run([partial(self._fill, p, reach, values, exact, piece) for piece in self._pieces[p]])

    def _fill(self, p: int, reach: Floats, values: Floats, exact: bool, piece: _Piece) -> None:
        from kibitz.solvers.vector import _kernels

        group, single, scale, begin, end = piece
        matrix = group.matrix if exact else single
        gathered = np.empty((end - begin, matrix.shape[0]), dtype=matrix.dtype)
        _kernels.gather(reach, 1 - p, group.slots[begin:end], gathered)
        low, high = np.searchsorted(group.vector, (begin, end))
        part = slice(low, high)
        _kernels.scatter(gathered @ matrix, group.vector[part] - begin, scale[part], values, p, group.places[part])


@contextmanager
def workers(threads: int) -> Iterator[Run]:
    """Something that runs pieces of work on `threads` threads.

    BLAS is held to one thread meanwhile: two teams of threads on the same cores, its own and that of the kernels, would
    wait for each other longer than they work.
    """
    with threadpool_limits(1, "blas"), ThreadPoolExecutor(threads) as pool:

        def run(pieces: list[Callable[[], None]]) -> None:
            if threads == 1:
                for piece in pieces:
                    piece()
            else:
                list(pool.map(lambda piece: piece(), pieces))

        yield run


Sums = tuple[Floats, Floats, Floats]


def iterate(
    form: Form,
    first: int,
    count: int,
    alternating: bool,
    discounts: tuple[float, float, float],
    sigma: Floats,
    reach: Floats,
    values: Floats,
    sums: Sums,
    threads: int,
) -> None:
    """Iterations first .. first + count, as `_kernels.iterate` makes them."""
    from kibitz.solvers.vector import _kernels

    who = _kernels.BOTH
    passes = 2 if alternating else 1
    with workers(threads) as run:
        if not count:  # none at all still load the kernels, which then change nothing but what is scratch
            sigma[...] = 0.0
            _kernels.pass_down(0, form.game, sigma, reach, values, sums)
            form.leaves.fill(0, reach, values, False, run)
            rule = _kernels.rule_at(first, discounts)
            _kernels.pass_up(0, _kernels.VALUE, rule, form.game, sigma, reach, values, sums)
        for step in range(passes * count):
            players = 1 << step % 2 if alternating else _kernels.BOTH
            rule = _kernels.rule_at(first + step // passes, discounts)
            _kernels.pass_down(who, form.game, sigma, reach, values, sums)
            for p in range(2):
                if players >> p & 1:
                    form.leaves.fill(p, reach, values, False, run)
                    _kernels.pass_up(p, _kernels.REGRETS, rule, form.game, sigma, reach, values, sums)
            who = players


def root_values(
    form: Form, job: int, sigma: Floats, reach: Floats, values: Floats, response: Floats
) -> tuple[float, float]:
    """Values of the hand to both players, as `_kernels.root_values` finds them."""
    from kibitz.solvers.vector import _kernels

    sums = (response, response[:0], response)
    _kernels.pass_down(0, form.game, sigma, reach, values, sums)
    found = []
    for p in range(2):
        with workers(1) as run:
            form.leaves.fill(p, reach, values, True, run)
        _kernels.pass_up(p, job, (1.0, 1.0, 1.0, False), form.game, sigma, reach, values, sums)
        found.append(float(values[p, : form.deal.counts[0, p]].sum()))
    return found[0], found[1]
