"""Sub-games of hold'em with full ranges: iterations per second, and how near they come to what the machine can do.

There is no peer: no solver in Python holds all hands in vectors, and OpenSpiel's universal poker, which walks hand by
hand, was not made to take a river with given ranges.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from bench.timing import rates
from kibitz.cards import parse_cards
from kibitz.policy.hands import HOLES
from kibitz.spots import Spot, SpotCFR, SpotGame, solve_spot
from kibitz.spots.equities import equities
from kibitz.spots.spot import read_ranges

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "endgames"
BOARDS = {"river": "Qs Jh 2h 8d 3c", "turn": "Qs Jh 2h 8d"}
END_GAMES = ((1, "7s9h9cTc", 500, "1, all-in"), (2, "Ts6hAh7c", 4780, "0.5, 1, all-in"))
# Of the sums, an iteration reads the opponent's regrets, reads and writes the own ones and the own average.
BYTES_PER_PAIR = 5 * 4


@cache
def compiled(street: str) -> SpotGame:
    return SpotGame(Spot.parse(BOARDS[street], 100, 400, "random", "random", "0.5, 1, all-in", 2))


def copying(size: int):
    """Bytes per second that a plain copy moves: what is left when an iteration is all memory."""
    source, target = np.ones(size, dtype=np.float32), np.ones(size, dtype=np.float32)

    def run(count: int) -> None:
        for _ in range(count):
            np.copyto(target, source)

    return run


def comparing(board: str):
    """The equity of every hand against a range, over all cards to come, as a click on a solved spot asks for it."""
    cards = parse_cards(board)
    hands = HOLES[~np.isin(HOLES, cards).any(axis=1)]
    weights = np.linspace(0.0, 1.0, len(hands))

    def run(count: int) -> None:
        for _ in range(count):
            equities(cards, hands, hands, weights)

    return run


def _row(name: str, ours: float, unit: str, peer: float | None = None, target: float | None = None) -> dict:
    ratio = None if peer is None else ours / peer
    return {"name": name, "ours": ours, "peer": peer, "ratio": ratio, "unit": unit, "target": target}


def run() -> list[dict]:
    """Rows of name, ours, peer, ratio and target."""
    river, turn = compiled("river"), compiled("turn")
    measured = rates(
        {
            "river": (SpotCFR(river).step, 200),
            "river, double": (SpotCFR(river, dtype="float64").step, 100),
            "turn": (SpotCFR(turn).step, 3),
            "copy": (copying(turn.size), 10),
            "equities": (comparing("Qs Jh 2h"), 5),
        }
    )
    rows = [_row(f"{name}, full ranges", measured[name], "iterations/s") for name in list(measured)[:-2]]
    rows.append(_row("flop: equities of all hands against a range", measured["equities"], "ranges/s"))
    for street, each in (("river", river), ("turn", turn)):
        rows.append(_row(f"{street}: hands x actions, both players", measured[street] * each.size / 1e6, "million/s"))
    copied = measured["copy"] * 2 * 4 * turn.size / 1e9
    for street, each in (("river", river), ("turn", turn)):
        moved = measured[street] * BYTES_PER_PAIR * each.size / 1e9
        rows.append(_row(f"{street}: memory moved v a plain copy, one thread", moved, "GB/s", copied))
    return rows + _end_games()


def _end_games() -> list[dict]:
    """Seconds to half a per cent of the pot on the published end-games of Libratus."""
    rows = []
    for number, board, pot, menu in END_GAMES:
        path = DATA / f"libratus-endgame{number}.txt"
        if not path.exists():
            continue
        spot = Spot(parse_cards(board), pot, (20_000 - pot // 2,) * 2, read_ranges(path), menu, 100)
        *_, last = solve_spot(SpotCFR(SpotGame(spot), threads=2), accuracy=0.005 * pot, iterations=1000)
        name = f"Libratus end-game {number} ({menu}) to 0.5 % of the pot, {last.iteration} iterations"
        rows.append(_row(name, last.seconds, "s"))
    return rows
