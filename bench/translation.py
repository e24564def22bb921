"""How fast bets off the menu are read: a million random hands followed in abstract betting, on one core.

No other library that we know of reads whole hands, so there is no peer; the wanted rates are actions per second.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from time import perf_counter, process_time

import numpy as np

from kibitz.games import Game, State, load_game
from kibitz.translation import Reading, Tracker, menu_places, probabilities

HANDS = 1_000_000  # over all tables
TABLES = ("holdem-nolimit-2p", "holdem-nolimit-3p", "holdem-nolimit-6p")
MENUS = ("fcpa", "1")
CHUNK = 5_000  # hands made, then read, so that they need not all be kept
WANTED = 200_000

Hand = list[tuple[State, str]]


def random_hands(game: Game, hands: int, rng: random.Random) -> Iterator[Hand]:
    """Legal hands: fold 1 time in 8, call half of the time, else raise, small sizes more often than large ones."""
    for _ in range(hands):
        state, hand = State.start(game), []
        while not state.finished:
            legal, throw = state.legal(), rng.random()
            action = "c"
            if throw < 0.125 and legal.fold:
                action = "f"
            elif throw < 0.5 and legal.max_raise_to:
                low, high = legal.min_raise_to, legal.max_raise_to
                action = f"r{int(low * (high / low) ** rng.random() ** 2)}"
            hand.append((state, action))
            state = state.apply(action)
        yield hand


def follow(tracker: Tracker, hands: list[Hand]) -> float:
    """Seconds of one core for reading all actions of `hands`."""
    begun = process_time()
    for hand in hands:
        tracker.restart()
        for state, action in hand:
            tracker.follow(state, action)
    return process_time() - begun


def rates_of(table: str, hands: int) -> dict[str, float]:
    """Actions per second by menu; making the hands is not counted."""
    game, rng = load_game(table), random.Random(0)
    trackers = {menu: Tracker(menu_places(game, menu), Reading(), random.Random(1).random) for menu in MENUS}
    seconds, actions = dict.fromkeys(MENUS, 0.0), 0
    for _ in range(0, hands, CHUNK):
        chunk = list(random_hands(game, CHUNK, rng))
        actions += sum(map(len, chunk))
        gc.freeze()  # the hands are not the reader's rubbish
        for menu, tracker in trackers.items():
            seconds[menu] += follow(tracker, chunk)
        gc.unfreeze()
    return {menu: actions / seconds[menu] for menu in MENUS}


def vectorised(bets: int = 1_000_000) -> float:
    """Bets per second through `probabilities`, the best of five."""
    sizes = [0.0, 0.25, 0.5, 0.75, 1.0, 2.0, 5.0, 10.0, 100.0]
    x = np.random.default_rng(0).exponential(2.0, size=bets)
    best = 0.0
    for _ in range(5):
        begun = perf_counter()
        probabilities(x, sizes, "rand-psharmonic")
        best = max(best, bets / (perf_counter() - begun))
    return best


def row(name: str, rate: float, unit: str, wanted: int | None = None) -> dict[str, object]:
    """The wanted ratio is 1: to the rate that is asked for, since there is no peer."""
    ratio = None if wanted is None else rate / wanted
    target = None if wanted is None else 1
    return {"name": name, "ours": rate, "peer": wanted, "ratio": ratio, "unit": unit, "target": target}


def run() -> list[dict[str, object]]:
    """One row per table and menu, and one for single bets in an array."""
    rows = [
        row(f"translation: {table} read as {menu} v wanted rate", rate, "actions/s", WANTED)
        for table in TABLES
        for menu, rate in rates_of(table, HANDS // len(TABLES)).items()
    ]
    return [*rows, row("translation: probabilities(), 9 sizes", vectorised(), "bets/s")]


if __name__ == "__main__":
    for each in run():
        print(f"{each['name']:<60} {each['ours']:>12,.0f} {each['unit']}")
