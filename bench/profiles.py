"""Where the solvers of hold'em spend their time, part by part, and what share of the memory's speed they reach.

Walks with one deal at a time jump about in sums of 24 MB: what holds them is the time that a single look takes, not the
amount that could be moved, so their shares are small. A flat profile has one row for each part, in per cent of the time
of a step; what is left is Python around the parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import perf_counter
from typing import Any

import numpy as np
from numba import njit

from bench.blueprints import problem, row
from bench.spots import compiled as spot_form
from bench.timing import rates
from bench.visits import touched_per_iteration
from kibitz.abstraction.core import CutMap, TableMap
from kibitz.abstraction.features.boards import Boards
from kibitz.deals import bucketed as deals
from kibitz.deals.bucketed import BucketedDeal
from kibitz.solvers.board_sampling import BoardSampled
from kibitz.solvers.board_sampling import _kernels as boards
from kibitz.solvers.cfr import CFR
from kibitz.solvers.compiled.boards import BoardGame
from kibitz.solvers.sampled import ChanceSampled, ExternalSampling
from kibitz.solvers.sampled import _kernels as walks
from kibitz.solvers.vector.passes import Passes
from kibitz.spots import SpotCFR
from kibitz.spots import _kernels as spots

COPIED = 20_000_000  # numbers
Parts = dict[str, tuple[Any, str]]  # what a part is called -> the function that does it: owner and name
DEALS: Parts = {
    "deals": (BucketedDeal, "deal"),
    "buckets": (BucketedDeal, "_find"),
    "strengths": (deals, "evaluate_batch"),
}
LOOKS: Parts = {
    "places of the boards": (Boards, "place_batch"),
    "flop, one table": (TableMap, "find"),
    "turn and river, cuts of features": (CutMap, "find"),
}
LOOKED_UP = 1_000_000  # hands


def run() -> list[dict[str, Any]]:
    """Rows of memory moved, then the parts of each solver in per cent."""
    limit, nolimit = problem("holdem-limit-2p"), problem("holdem-nolimit-2p")
    sampled = {
        "chance sampling": (ChanceSampled(nolimit.sampled, seed=1), 500),
        "external sampling": (ExternalSampling(nolimit.sampled, seed=1), 20_000),
        "public chance sampling": (BoardSampled(nolimit.sampled, seed=1), 64),
    }
    for solver, count in sampled.values():
        solver.step(4 * count)  # leaves the uniform start behind
    rows = list(_memory(sampled))
    passing: Parts = {"passes and products": (Passes, "iterate")}
    profiled: dict[str, tuple[Callable[[int], object], int, Parts]] = {
        "limit, dcfr": (CFR(limit.vector, "dcfr").step, 3, passing),
        "no-limit fcpa, dcfr": (CFR(nolimit.vector, "dcfr").step, 10, passing),
        "no-limit fcpa, chance sampling": (*_step(sampled, "chance sampling"), {**DEALS, "walks": (walks, "chance")}),
        "no-limit fcpa, external sampling": (
            *_step(sampled, "external sampling"), {**DEALS, "walks": (walks, "external")},
        ),
        "no-limit fcpa, public chance sampling": (
            *_step(sampled, "public chance sampling"),
            {"buckets and order of the hands": (BoardGame, "rank"), "walks": (boards, "iterate")},
        ),
        "river, full ranges": (SpotCFR(spot_form("river")).step, 200, {"walks": (spots, "run_river")}),
    }  # fmt: skip
    profiled["5-bucket lookup, river"] = (_look_up(nolimit), 4, LOOKS)
    for name, (step, count, parts) in profiled.items():
        for part, share in flat_profile(step, count, parts).items():
            rows.append(row(f"profile: {name}: {part}", 100 * share, "%"))
    return rows


def _look_up(bucketed: Any) -> Callable[[int], object]:
    """Buckets of random hands on the river, one thread."""
    hands = bucketed.sampled_deal.deal(0, 0, LOOKED_UP)
    hole, board = np.ascontiguousarray(hands[:, 0, :2]), np.ascontiguousarray(hands[:, 0, 2:])
    return lambda count: [bucketed.abstractions[0].buckets(hole, board, 3) for _ in range(count)]


def _step(solvers: dict[str, tuple[Any, int]], name: str) -> tuple[Callable[[int], object], int]:
    solver, count = solvers[name]
    return solver.step, count


def _memory(solvers: dict[str, tuple[Any, int]]) -> Iterator[dict[str, Any]]:
    """GB/s of sums moved, beside those of a plain copy."""
    plain, target = np.ones(COPIED), np.ones(COPIED)

    def copy(count: int) -> None:
        for _ in range(count):
            np.copyto(target, plain)

    some = next(iter(solvers.values()))[0]
    sums = np.zeros((2, len(some.regret)))
    scatter(1, sums)
    peaks = {"copy": (copy, 3), "scatter": (lambda count: scatter(count, sums), 2_000_000)}
    best = rates({**{name: (solver.step, count) for name, (solver, count) in solvers.items()}, **peaks})
    copied = best["copy"] * 2 * plain.nbytes / 1e9
    for name, (solver, _count) in solvers.items():
        sets, moved = best[name] * touched_per_iteration(solver)
        text = f"5 buckets, no-limit fcpa, {name}"
        yield row(f"{text}: sums moved v a plain copy", moved / 1e9, "GB/s", copied)
        yield row(f"{text}: information sets v adding at random places", sets / 1e6, "million/s", best["scatter"] / 1e6)


@njit(cache=True)
def scatter(count, sums):
    """Add to the three regrets and strategies of `count` information sets anywhere: as fast as memory lets walks be."""
    size = np.uint64(sums.shape[1] - 3)
    place = np.uint64(1)
    for _ in range(count):
        place = place * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        at = np.int64((place >> np.uint64(20)) % size)
        for a in range(at, at + 3):
            sums[0, a] += 1.0
            sums[1, a] += 1.0


def flat_profile(step: Callable[[int], object], count: int, parts: Parts) -> dict[str, float]:
    """The share of each part in the time of `count` steps, and of all else."""
    step(count)
    spent = dict.fromkeys(parts, 0.0)
    with ExitStack() as stack:
        for part, (owner, name) in parts.items():
            stack.enter_context(_watched(owner, name, part, spent))
        start = perf_counter()
        step(count)
        whole = perf_counter() - start
    found = {part: seconds / whole for part, seconds in spent.items()}
    return {**found, "all else": 1 - sum(found.values())}


@contextmanager
def _watched(owner: Any, name: str, part: str, spent: dict[str, float]) -> Iterator[None]:
    """Let calls of `owner.name` add the time they take."""
    function = getattr(owner, name)

    def timed(*arguments: Any) -> Any:
        start = perf_counter()
        try:
            return function(*arguments)
        finally:
            spent[part] += perf_counter() - start

    setattr(owner, name, timed)
    try:
        yield
    finally:
        setattr(owner, name, function)
