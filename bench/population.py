"""Matches of the calibrated population: six bots of limit hold'em, 120 deals a match, one thread and two."""

from __future__ import annotations

from bench.timing import rates
from kibitz.learning.population import Play, load_population, play_matches

DEALS = 120
WANTED = 20_000  # deals per second on two cores


def play(deals: int, threads: int = 1) -> None:
    play_matches(load_population("calibrated"), max(deals // DEALS, 1), Play(seed=1), threads)


def play_twice(deals: int) -> None:
    """The same on two threads."""
    play(deals, 2)


def run() -> list[dict]:
    """Rows of name, ours, peer (hands per second), ratio and target."""
    measured = rates({"one": (play, 24_000), "two": (play_twice, 24_000)})
    rows = []
    for name, ours, peer, target in (
        ("deals of six calibrated bots, two threads v 20,000 wanted", "two", WANTED, 1),
        ("the same, one thread", "one", WANTED, None),
    ):
        rows.append(
            {
                "name": name,
                "ours": measured[ours],
                "peer": peer,
                "unit": "hands/s",
                "ratio": measured[ours] / peer,
                "target": target,
            }
        )
    return rows
