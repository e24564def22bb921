"""A compiled game on the GPU: its arrays, the levels of its tree, and the passes over them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.solvers.compiled.leaves import LeafGroup, leaf_groups
from kibitz.solvers.compiled.vector import VectorGame
from kibitz.solvers.gpu import _kernels
from kibitz.tree import DECISION

Array = Any  # of CuPy, or of NumPy where kernels are simulated
Ints = npt.NDArray[np.int64]


class _Leaves(NamedTuple):
    """A group of leaves on the GPU; `rows` takes the opponent's reach vectors, `products` them times the matrix."""

    slots: Array
    vector: Array
    places: Array
    leaves: Array
    signs: Array
    matrix: Array
    rows: Array
    products: Array


class GpuGame:
    """A compiled game on the GPU.

    arrays   the module that makes arrays there: CuPy, or NumPy for the simulator
    stake    chips at every node; write to it to change them
    changed  mask of the players whose regrets have changed since `prepare`
    threads  of a block
    """

    def __init__(self, compiled: VectorGame, arrays: Any, threads: int = _kernels.THREADS) -> None:
        self.compiled, self.arrays, self.threads = compiled, arrays, threads
        self.kernels = _shared_kernels()
        take = arrays.asarray
        host = compiled.game[0].astype(np.int64)
        rounds, maps = compiled.game[4].astype(np.int64), compiled.game[6].astype(np.int64)
        self.nodes = take(host)
        self.rounds, self.maps, self.stake = take(rounds), take(maps), take(compiled.stake)
        self.folding = tuple(take(array) for array in _refinements(rounds, maps))
        reach, values = compiled.scratch()
        self.reach, self.values = take(reach), arrays.zeros(values.shape)
        self.sigma, self.regret, self.average = (arrays.zeros(compiled.layout.size) for _ in range(3))
        self.rule, self.changed = arrays.zeros(4), 3
        self._levels = [take(nodes) for nodes in tree_levels(compiled)]
        decides = compiled.tree.kind == DECISION
        self._decisions = [take(nodes[decides[nodes]]) for nodes in tree_levels(compiled)]
        self._own = [take(np.flatnonzero(decides & (compiled.tree.player == p))) for p in range(2)]
        self._leaves = [[self._upload(group) for group in groups] for groups in leaf_groups(compiled, host)]
        self._stream, self._recorder = 0, Recorder(arrays)

    def _upload(self, group: LeafGroup) -> _Leaves:
        arrays, take = self.arrays, self.arrays.asarray
        shape = len(group.slots), group.matrix.shape[0]
        return _Leaves(
            slots=take(group.slots),
            vector=take(group.vector),
            places=take(group.places),
            leaves=take(group.leaves),
            signs=take(group.signs),
            matrix=arrays.ascontiguousarray(take(group.matrix)),  # transposed there: sooner than on the CPU
            rows=arrays.zeros(shape),
            products=arrays.zeros((len(group.slots), group.matrix.shape[1])),
        )

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Everything on the GPU is done in one order meanwhile."""
        with self._recorder.stream() as self._stream:
            yield

    def prepare(self, changed: int) -> None:
        """The strategies of the players in the mask from their regrets, and where they lead."""

        def work() -> None:
            for p in range(2):
                if changed >> p & 1:
                    self._each(self.kernels[0], self._own[p], self.nodes, self.rounds, self.regret, self.sigma)
            self._go_down(changed)

        self._recorder.do(("prepare", changed), work)

    def go_down(self) -> None:
        """Where `sigma` leads."""
        self._recorder.do("down", lambda: self._go_down(3))

    def _go_down(self, changed: int) -> None:
        for which in self._levels[1:]:
            self._each(self.kernels[1], which, changed, self.nodes, self.rounds, self.maps, self.sigma, self.reach)

    def go_up(self, p: int, job: int) -> None:
        """Values of player p from the leaves to the root, and on REGRETS what p learns on the way."""
        self._recorder.do(("gather", p), lambda: self._gather(p))
        for group in self._leaves[p]:
            self.arrays.matmul(group.rows, group.matrix, out=group.products)
        self._recorder.do(("up", p, job), lambda: self._go_up(p, job))

    def _gather(self, p: int) -> None:
        for group in self._leaves[p]:
            self.kernels[2][len(group.slots), self.threads, self._stream](group.slots, self.reach, group.rows)

    def _go_up(self, p: int, job: int) -> None:
        for group in self._leaves[p]:
            lists = (group.vector, group.places, group.leaves, group.signs, self.stake, group.products)
            self.kernels[3][len(group.vector), self.threads, self._stream](*lists, self.values)
        memory = (self.sigma, self.reach, self.values, self.regret, self.average, self.rule)
        for which in reversed(self._decisions):
            if len(which):
                self._each(self.kernels[4], which, p, job, self.nodes, self.rounds, *memory, *self.folding)

    def rows(self, slots: Array, width: int) -> Array:
        """The reach vectors that begin at `slots`: float64[len(slots), width]."""
        found = self.arrays.empty((len(slots), width))
        self.kernels[2][len(slots), self.threads, self._stream](slots, self.reach, found)
        return found

    def win(self, slots: Array, places: Array, widths: Array, totals: Array) -> None:
        """Fill `totals` with what player 1 wins at some leaves after `go_up`: reach . values."""
        self.kernels[5][len(totals), self.threads, self._stream](slots, places, widths, self.reach, self.values, totals)

    def root_value(self, p: int) -> float:
        """What the hand is worth to player p after `go_up`."""
        return float(self.compiled.at_root(self.values, p).sum())

    def _each(self, kernel: Any, which: Array, *arguments: Any) -> None:
        kernel[len(which), self.threads, self._stream](which, *arguments)


class Recorder:
    """Does the same work again and again, as a recorded graph of launches from the third time on.

    A launch from Python costs more than most of these kernels run; a graph of fifty costs as much as one. The first
    time compiles kernels, the second records.
    """

    def __init__(self, arrays: Any) -> None:
        self._on_gpu = hasattr(arrays, "cuda")
        self._stream = arrays.cuda.Stream(non_blocking=True) if self._on_gpu else None
        self._graphs: dict[Hashable, Any] = {}

    @contextmanager
    def stream(self) -> Iterator[Any]:
        """The stream for kernels; CuPy uses it too."""
        if self._stream is None:
            yield 0
            return
        from numba import cuda

        with self._stream:
            yield cuda.external_stream(self._stream.ptr)
            self._stream.synchronize()

    def do(self, what: Hashable, work: Callable[[], None]) -> None:
        """Do `work`, known as `what`."""
        if self._stream is None or what not in self._graphs:
            self._graphs[what] = None
            work()
            return
        if self._graphs[what] is None:
            self._stream.begin_capture()
            work()
            self._graphs[what] = self._stream.end_capture()
        self._graphs[what].launch(self._stream)


def tree_levels(compiled: VectorGame) -> list[Ints]:
    """The nodes of a game by their distance from the root."""
    parent = compiled.tree.parent
    depth = np.zeros(len(parent), dtype=np.int64)
    for node in range(1, len(parent)):
        depth[node] = depth[parent[node]] + 1
    return [np.flatnonzero(depth == level) for level in range(int(depth.max()) + 1)]


def _refinements(rounds: Ints, maps: Ints) -> Iterable[Ints]:
    """(order, starts, spans) of `_kernels`."""
    order, spans = np.zeros_like(maps), np.zeros((len(rounds), 4), dtype=np.int64)
    starts: list[list[int]] = [[], []]
    for r in range(1, len(rounds)):
        for p in range(2):
            at, states, above = rounds[r, 2 + p], rounds[r, p], rounds[r - 1, p]
            parents = maps[p, at : at + states]
            order[p, at : at + states] = np.argsort(parents, kind="stable")
            spans[r, p] = len(starts[p])
            starts[p] += np.searchsorted(np.sort(parents), np.arange(above + 1)).tolist()
    flat = np.zeros((2, max(map(len, starts)) + 1), dtype=np.int64)
    for p in range(2):
        flat[p, : len(starts[p])] = starts[p]
    return order, flat, spans


_kept: list[Any] = []


def _shared_kernels() -> Any:
    """The kernels, compiled once a process."""
    if not _kept:
        _kept.append(_kernels.card_kernels())  # type: ignore[no-untyped-call]
    return _kept[0]
