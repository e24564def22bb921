"""How many hands a second are indexed, un-indexed and weighed, on one thread and on two.

No peer that installs with Python offers a suit-isomorphism index, so these rows carry rates only.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from kibitz.isomorphism import IsomorphismIndex

HANDS = 1_000_000
SCALAR_HANDS = 2_000
STREETS = {"hole": 0, "flop": 1, "turn": 2, "river": 3}


def run() -> list[dict[str, Any]]:
    """Rows of hands a second for each operation and street of hold'em, 2|3|1|1."""
    index = IsomorphismIndex("2|3|1|1")
    cards = _deal(HANDS, seed=0)
    rows = []
    for name, street in STREETS.items():
        hands = np.ascontiguousarray(cards[:, : index.lengths[street]])
        indices = index.index_batch(hands, street)
        work: dict[str, Callable[[int], object]] = {
            "index": lambda threads, h=hands, s=street: index.index_batch(h, s, threads),
            "unindex": lambda threads, i=indices, s=street: index.unindex_batch(i, s, threads),
            "orbit size": lambda threads, i=indices, s=street: index.orbit_size_batch(i, s, threads),
        }
        for operation, call in work.items():
            for threads in (1, 2):
                label = f"isomorphism: {operation}, {name}, {threads} thread{'s' * (threads > 1)}"
                rows.append(_row(label, HANDS / _best_time(lambda c=call, t=threads: c(t))))
    few = [tuple(hand) for hand in cards[:SCALAR_HANDS].tolist()]
    rows.append(_row("isomorphism: index, river, one hand a call", SCALAR_HANDS / _time_scalar(index, few)))
    return rows


def _deal(hands: int, seed: int) -> np.ndarray:
    """Random seven-card hands, uint8[hands, 7]: uniform cards, rows with a card twice dealt again."""
    random = np.random.default_rng(seed)
    cards = random.integers(0, 52, (hands, 7), dtype=np.uint8)
    while (again := (np.diff(np.sort(cards, axis=1), axis=1) == 0).any(axis=1)).any():
        cards[again] = random.integers(0, 52, (int(again.sum()), 7), dtype=np.uint8)
    return cards


def _best_time(call: Callable[[], object], repeats: int = 5) -> float:
    """The least seconds of several calls, after one that may compile."""
    call()
    times = []
    for _ in range(repeats):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return min(times)


def _time_scalar(index: IsomorphismIndex, hands: Sequence[tuple[int, ...]]) -> float:
    """The least seconds to index `hands` one at a time."""
    return _best_time(lambda: [index.index(hand) for hand in hands], repeats=3)


def _row(name: str, rate: float) -> dict[str, Any]:
    return {"name": name, "ours": rate, "peer": None, "ratio": None, "unit": "hands/s", "target": None}


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:<50}{row['ours']:>16,.0f} {row['unit']}")
