"""Case bases: hands built into cases, and decisions answered from a million cases, on one core.

No peer builds case bases from hand histories; the wanted rates are those of the project: 10^6 hands in ten minutes on
two cores, and 1,000 decisions a second. `spread` draws the betting of the million cases from many shapes, `one shape`
puts them all behind a single key, which is the worst there can be.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import polars as pl

from kibitz.agents import load_agent
from kibitz.arena.match import play_match
from kibitz.games import AcpcCards, State, load_game
from kibitz.io.acpc.log import write_log
from kibitz.io.record import HandRecord
from kibitz.modelling.cases import SARTRE, CaseBase, CaseIndex, Description, Features, build_cases
from kibitz.modelling.cases.base import SCHEMA, merge
from kibitz.modelling.cases.features import TEXTURES

HANDS = 10_000
CASES = 1_000_000
DECISIONS = 2_000
WANTED_HANDS, WANTED_DECISIONS = 1_000_000 / 1200, 1_000.0  # on one core


def run() -> list[dict[str, Any]]:
    """Rows of hands and decisions a second; process time, so that neighbours on the machine do not count."""
    rows = [_row("cases: building from logs of random bets v wanted rate", building_rate(), WANTED_HANDS, "hands/s")]
    for name, sequences in (("spread", many_shapes()), ("one shape", one_shape())):
        rows.append(
            _row(
                f"cases: decisions from 10^6 cases, {name}, v wanted rate",
                retrieval_rate(sequences),
                WANTED_DECISIONS,
                "decisions/s",
            )
        )
    return rows


def _row(name: str, ours: float, wanted: float, unit: str) -> dict[str, Any]:
    return {"name": name, "ours": ours, "peer": wanted, "unit": unit, "ratio": ours / wanted, "target": 1}


def building_rate() -> float:
    """Hands a second of two agents that bet any size, so that hardly any betting comes twice."""
    game = load_game("holdem-nolimit-2p")
    names = ("random", "example-player")
    records: list[HandRecord] = []

    def keep(hand: int, state: State) -> None:
        seats = names[hand % 2 :] + names[: hand % 2]
        deal = state.deal._replace(board=state.board)
        records.append(HandRecord(game, str(hand), state.history, deal, seats, state.returns()))

    play_match(game, [load_agent(name) for name in names], [1, 2], HANDS, AcpcCards(0), keep)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "match.log"
        with log.open("w") as out:
            write_log(records, out)
        description = Description(strength="made-hand")  # tables of E[HS²] are measured by bench.abstraction
        begun = process_time()
        build_cases([log], "random", description)
        return HANDS / (process_time() - begun)


def many_shapes() -> list[str]:
    """Betting of one to four rounds, up to two bets in each."""
    letters = SARTRE.bets
    played = ["cc", *(f"{bet}c" for bet in letters), *(f"{a}{b}c" for a, b in product(letters, letters))]
    rng = np.random.default_rng(0)
    sequences = {""}
    while len(sequences) < 6_000:
        rounds = rng.integers(1, 4)
        sequences.add("-".join(rng.choice(played, rounds)) + "-" + str(rng.choice(["", "c", *letters])))
    return sorted(sequences)


def one_shape() -> list[str]:
    """Four bets of any size, called."""
    return ["".join(bets) + "c-" for bets in product(SARTRE.bets, repeat=4)]


def synthetic_base(sequences: list[str], cases: int) -> CaseBase:
    """About `cases` cases with features drawn at random."""
    rng = np.random.default_rng(1)
    columns = {
        "sequence": pl.Series(sequences).gather(rng.integers(len(sequences), size=cases)),
        "strength": rng.integers(1, 51, cases),
        "commitment": rng.integers(1, 5, cases),
        "texture": rng.integers(len(TEXTURES), size=cases),
        "action": rng.integers(len(SARTRE.name), size=cases),
        "count": np.ones(cases),
        "outcome": rng.integers(-1000, 1000, cases),
    }
    return CaseBase(merge([pl.DataFrame(columns).cast(SCHEMA)]), Description())


def retrieval_rate(sequences: list[str]) -> float:
    """Decisions a second: retrieval and solution."""
    index = CaseIndex(synthetic_base(sequences, 3 * CASES // 2))
    targets = list(random_targets(sequences, DECISIONS))
    index.retrieve(targets[0])
    begun = process_time()
    for target in targets:
        index.solution(index.retrieve(target).cases)
    return DECISIONS / (process_time() - begun)


def random_targets(sequences: list[str], count: int) -> Iterator[Features]:
    """Decisions like those of the cases, bet sizes drawn again."""
    rng = np.random.default_rng(2)
    for number in rng.integers(len(sequences), size=count):
        sequence = "".join(str(rng.choice(list(SARTRE.bets))) if c in SARTRE.bets else c for c in sequences[number])
        yield Features(int(rng.integers(1, 51)), sequence, int(rng.integers(1, 5)), str(rng.choice(list(TEXTURES))))


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:<65} {row['ours']:>10,.0f} {row['unit']}")
