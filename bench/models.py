"""Frequentist models: hands of ACPC limit logs counted a second, on one core.

No peer counts decisions of hand histories; the wanted rate is the project's. The log is a match of 4,000 hands, many
times over: in limit hold'em the same betting comes again and again, as it does in logs of a million hands.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import process_time
from typing import Any

from kibitz.abstraction.features.cache import cache_folder
from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.games import load_game
from kibitz.modelling.frequentist import Observation, build_model
from kibitz.solvers.problem import Problem

HANDS, TIMES = 4_000, 50
WANTED = 50_000.0


def run() -> list[dict[str, Any]]:
    """Rows of hands a second; process time, so that neighbours on the machine do not count."""
    cards = ["one-bucket"]
    if any((cache_folder() / "abstractions-2").glob("5-bucket/*")):  # which takes minutes to make
        cards.append("5-bucket")
    with tempfile.TemporaryDirectory() as folder:
        log = write_log(Path(folder) / "match.log")
        return [_row(name, counting_rate(log, name)) for name in cards]


def _row(cards: str, ours: float) -> dict[str, Any]:
    name = f"models: counting decisions of limit logs, {cards}, v wanted rate"
    return {"name": name, "ours": ours, "peer": WANTED, "unit": "hands/s", "ratio": ours / WANTED, "target": 1}


def write_log(path: Path) -> Path:
    """The log of a match, its hands many times over."""
    names, lines = ("random", "probe"), []
    plan = MatchPlan(load_game("holdem-limit-2p"), HANDS, 1, names, game_name="holdem-limit-2p")
    play_locally(plan, [load_agent(name) for name in names], [1, 2], lines.append)
    hands = [line for line in lines if line.startswith("STATE:")]
    header = lines[0].replace(f" {HANDS} ", f" {HANDS * TIMES} ")
    path.write_text("\n".join([header, *hands * TIMES]) + "\n")
    return path


def counting_rate(log: Path, cards: str) -> float:
    """Hands a second, the best of three."""
    problem = Problem(load_game("holdem-limit-2p"), cards=cards)
    _ = problem.tree, problem.sampled_deal  # made once, whatever the number of hands
    seconds = []
    for _ in range(3):
        begun = process_time()
        build_model([log], Observation(("random",)), problem)
        seconds.append(process_time() - begun)
    return HANDS * TIMES / min(seconds)
