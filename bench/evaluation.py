"""Hands valued per second, one thread, against phevaluator's C function and eval7.

The hands are 2 million seven-card hands dealt at random, in random order: nothing is sorted, consecutive or
repeated, so branch prediction and caches help nobody. The peers take one hand per Python call; they get
theirs as prepared tuples (lists for eval7) and are called by `starmap` and `map`, the quickest way there is.
"""

from collections import deque
from collections.abc import Callable
from itertools import starmap
from time import perf_counter

import eval7
import numpy as np
from phevaluator import _pheval

from kibitz.evaluator import evaluate, evaluate_batch, evaluate_masks

HANDS = 2_000_000
PEER_HANDS = 100_000
ROUNDS = 7


def run() -> list[dict[str, object]]:
    """One row per kernel and peer; rates in hands per second, each the best of interleaved rounds."""
    cards = deal_hands(HANDS, seed=1)
    masks = (np.uint64(1) << (16 * (cards & 3).astype(np.uint64) + (cards >> 2))).sum(axis=1, dtype=np.uint64)
    tuples = [tuple(hand) for hand in cards[:PEER_HANDS].tolist()]
    deck = [eval7.Card(rank + suit) for rank in "23456789TJQKA" for suit in "cdhs"]
    objects = [[deck[card] for card in hand] for hand in tuples]
    rates = interleaved_rates(
        {
            "batch": (lambda: evaluate_batch(cards), HANDS),
            "masks": (lambda: evaluate_masks(masks), HANDS),
            "scalar": (lambda: exhaust(map(evaluate, tuples)), PEER_HANDS),
            "phevaluator": (lambda: exhaust(starmap(_pheval.evaluate_7cards, tuples)), PEER_HANDS),
            "eval7": (lambda: exhaust(map(eval7.evaluate, objects)), PEER_HANDS),
        }
    )
    return [
        row("evaluate uint8[n, 7] v phevaluator C call", rates["batch"], rates["phevaluator"], 40.0),
        row("evaluate masks uint64[n] v phevaluator C call", rates["masks"], rates["phevaluator"], 60.0),
        row("evaluate uint8[n, 7] v eval7", rates["batch"], rates["eval7"], 90.0),
        row("evaluate one hand, plain Python v eval7", rates["scalar"], rates["eval7"], None),
    ]


def deal_hands(count: int, seed: int) -> np.ndarray:
    """Hands of seven different cards in random order: uint8[count, 7]."""
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)
    return np.ascontiguousarray(decks[:, :7])


def exhaust(calls: object) -> None:
    """Run an iterator of calls to its end and keep nothing."""
    deque(calls, maxlen=0)


def interleaved_rates(contestants: dict[str, tuple[Callable[[], object], int]]) -> dict[str, float]:
    """The best rate of each contestant (a call and how much it does), taking turns after one warm-up."""
    best = dict.fromkeys(contestants, 0.0)
    for call, _ in contestants.values():
        call()
    for _ in range(ROUNDS):
        for name, (call, amount) in contestants.items():
            start = perf_counter()
            call()
            best[name] = max(best[name], amount / (perf_counter() - start))
    return best


def row(name: str, ours: float, peer: float, target: float | None) -> dict[str, object]:
    """A line of the benchmark's table."""
    return {
        "name": name,
        "ours": ours,
        "peer": peer,
        "ratio": ours / peer,
        "unit": "hands/s",
        "target": target,
    }
