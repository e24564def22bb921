"""Features of all hands, percentile buckets, clusters, lookups and bucketed deals of hold'em.

No peer that installs with Python makes card abstractions, so these rows carry rates only. Features and buckets are made
in a folder of their own, on two threads; rates of building are hands (classes up to suits) a second.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.abstraction import CardAbstraction, build_abstraction
from kibitz.abstraction.clusters.streets import cluster_street
from kibitz.abstraction.features.strength import feature_table
from kibitz.deals.bucketed import bucketed_deal
from kibitz.games import load_game

HANDS = 1_000_000
SCALAR_HANDS = 2_000
CLASSES = {"river": (5, 123_156_254), "turn": (4, 13_960_050), "flop": (3, 1_286_792), "preflop": (0, 169)}
CLUSTERS = 100
LINE = 64  # bytes that memory gives at a time


def run() -> list[dict[str, Any]]:
    """Rows of hands a second."""
    warm_up()
    with own_cache():
        rows = []
        for street, (size, classes) in CLASSES.items():
            seconds = timed(lambda s=size: feature_table("EHS2", s, threads=2))
            rows.append(row(f"abstraction: E[HS], E[HS2], {street}, all, 2 threads", classes / seconds, "hands/s"))
        start = perf_counter()
        five = build_abstraction("5-bucket", threads=2)
        rows.append(row("abstraction: 5-bucket from features, 2 threads", perf_counter() - start, "s"))
        for feature, street in (("KE", "flop"), ("KE", "turn"), ("KO", "river")):
            size, classes = CLASSES[street]
            seconds = timed(lambda f=feature, s=size: cluster_street(f, s, CLUSTERS, 0, threads=2))
            name = f"abstraction: {CLUSTERS} {feature} clusters, {street}, 2 threads"
            rows.append(row(name, classes / seconds, "hands/s"))
        return [*rows, *lookups(five), *river(build_abstraction("IR EHS2 5-5-5-5", threads=2))]


def lookups(abstraction: CardAbstraction) -> Iterator[dict[str, Any]]:
    """Buckets of random hands by batch and one by one, and whole deals of two players."""
    deal = bucketed_deal(load_game("holdem-limit-2p"), abstraction)
    hands = deal.deal(0, 0, HANDS)
    hole, board = np.ascontiguousarray(hands[:, 0, :2]), np.ascontiguousarray(hands[:, 0, 2:])
    for number, street in enumerate(("preflop", "flop", "turn", "river")):
        for threads in (1, 2):
            seconds = best(lambda n=number, t=threads: abstraction.buckets(hole, board, n, t))
            name = f"abstraction: 5-bucket lookup, {street}, {threads} thread{'s' * (threads > 1)}"
            yield row(name, HANDS / seconds, "hands/s")
    few = [
        (tuple(h), tuple(b)) for h, b in zip(hole[:SCALAR_HANDS].tolist(), board[:SCALAR_HANDS].tolist(), strict=True)
    ]
    seconds = best(lambda: [abstraction.bucket(h, b) for h, b in few])
    yield row("abstraction: 5-bucket lookup, river, one hand a call", SCALAR_HANDS / seconds, "hands/s")
    for threads in (1, 2):
        threaded = bucketed_deal(deal.game, abstraction, threads)
        seconds = best(lambda d=threaded: d.draw(0, 0, HANDS))
        yield row(f"abstraction: 5-bucket deals, {threads} thread{'s' * (threads > 1)}", HANDS / seconds, "deals/s")


def river(abstraction: CardAbstraction) -> Iterator[dict[str, Any]]:
    """Buckets on the river alone, which forget the rounds before; and the memory moved beside that of a plain copy.

    A hand takes two lines of memory, one of the boards' codes and one of the features.
    """
    hands = bucketed_deal(load_game("holdem-limit-2p"), abstraction).deal(0, 0, HANDS)
    hole, board = np.ascontiguousarray(hands[:, 0, :2]), np.ascontiguousarray(hands[:, 0, 2:])
    plain = np.ones(20_000_000)
    copied = 2 * plain.nbytes / best(plain.copy)
    for threads in (1, 2):
        rate = HANDS / best(lambda t=threads: abstraction.buckets(hole, board, 3, t))
        word = f"{threads} thread{'s' * (threads > 1)}"
        yield row(f"abstraction: {abstraction.name} lookup, river, {word}", rate, "hands/s")
        moved = row(f"abstraction: river lookup, memory moved v a plain copy, {word}", 2 * LINE * rate / 1e9, "GB/s")
        yield {**moved, "peer": copied / 1e9, "ratio": 2 * LINE * rate / copied}


@contextmanager
def own_cache() -> Iterator[None]:
    """An empty cache folder."""
    before = os.environ.get("KIBITZ_CACHE")
    with TemporaryDirectory() as folder:
        os.environ["KIBITZ_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["KIBITZ_CACHE"]
            else:
                os.environ["KIBITZ_CACHE"] = before


def warm_up() -> None:
    """Compile what is compiled on first use, apart from what the first real call compiles in its fraction of time."""
    build_abstraction("one-bucket").buckets(
        np.array([[0, 1]], dtype=np.uint8), np.array([[2, 3, 4, 5, 6]], dtype=np.uint8), 3
    )


def timed(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def best(call: Callable[[], object], turns: int = 5) -> float:
    """The least seconds of several calls, after one that may compile."""
    call()
    return min(timed(call) for _ in range(turns))


def row(name: str, rate: float, unit: str) -> dict[str, Any]:
    return {"name": name, "ours": rate, "peer": None, "ratio": None, "unit": unit, "target": None}


if __name__ == "__main__":
    for each in run():
        print(f"{each['name']:<60}{each['ours']:>16,.1f} {each['unit']}")
