"""Solving Leduc and no-limit Leduc: vector CFR+ and exploitability against OpenSpiel and LiteEFG, one core each.

All by CPU time: the peers' turns are longer than ours, so whatever else the machine does would fall on them.
"""

from __future__ import annotations

from functools import cache
from time import process_time

from bench.timing import rates
from kibitz.games import load_game
from kibitz.responses.best_response import exploitability
from kibitz.solvers.cfr import CFR
from kibitz.solvers.problem import Problem
from kibitz.strategy import Strategy

UNIVERSAL_LEDUC = (
    "universal_poker(betting=nolimit,numPlayers=2,numRounds=2,blind=1 1,firstPlayer=1 1,numSuits=2,numRanks=3,"
    "numHoleCards=1,numBoardCards=0 1,stack=12 12,bettingAbstraction=fullgame)"
)


@cache
def problem(name: str, suits_merged: bool) -> Problem:
    return Problem(load_game(name), "full", suits_merged)


def iterations(name: str, suits_merged: bool):
    solver = CFR(problem(name, suits_merged).vector, "cfr+")
    return solver.step


def openspiel_cfr_plus(count: int) -> None:
    import pyspiel

    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
    for _ in range(count):
        solver.evaluate_and_update_policy()


def liteefg_cfr_plus():
    """LiteEFG's own baseline, its game built beforehand."""
    import LiteEFG
    import pyspiel
    from LiteEFG.baselines import CFRplus

    environment = LiteEFG.OpenSpielEnv(pyspiel.load_game("leduc_poker"), traverse_type="Enumerate")
    algorithm = CFRplus.graph()
    environment.set_graph(algorithm)

    def run(count: int) -> None:
        for _ in range(count):
            algorithm.update_graph(environment)
            environment.update_strategy(algorithm.current_strategy())

    return run


def measure_exploitability(suits_merged: bool):
    compiled = problem("leduc", suits_merged).vector
    strategy = Strategy.uniform(compiled.layout)

    def run(count: int) -> None:
        for _ in range(count):
            exploitability(compiled, strategy)

    return run


def openspiel_exploitability(count: int) -> None:
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    policy = pyspiel.UniformRandomPolicy(game)
    for _ in range(count):
        pyspiel.exploitability(game, policy)


def time_to(goal: float, algorithm: str) -> float:
    """CPU seconds until the average strategy's exploitability is at most `goal`, measuring left out."""
    compiled = problem("leduc", True).vector
    solver = CFR(compiled, algorithm)
    while exploitability(compiled, solver.average_strategy()).exploitability > goal:
        solver.step(5)
    fresh = CFR(compiled, algorithm)
    start = process_time()
    fresh.step(solver.iteration)
    return process_time() - start


def openspiel_time_to(goal: float) -> float:
    import pyspiel

    game = pyspiel.load_game("leduc_poker")
    solver, seconds = pyspiel.CFRPlusSolver(game), 0.0
    while True:
        start = process_time()
        for _ in range(100):
            solver.evaluate_and_update_policy()
        seconds += process_time() - start
        if pyspiel.exploitability(game, solver.average_policy()) <= goal:
            return seconds


def _row(name: str, ours: float, peer: float, unit: str, target: float | None) -> dict:
    return {"name": name, "ours": ours, "peer": peer, "ratio": ours / peer, "unit": unit, "target": target}


def run() -> list[dict]:
    """Rows of name, ours, peer, ratio and target."""
    measured = rates(
        {
            "kept": (iterations("leduc", False), 2000),
            "merged": (iterations("leduc", True), 4000),
            "openspiel": (openspiel_cfr_plus, 30),
            "exploit": (measure_exploitability(False), 200),
            "openspiel exploit": (openspiel_exploitability, 3),
        },
        clock=process_time,
    )
    rows = [
        _row("Leduc CFR+ v OpenSpiel C++, same infosets", measured["kept"], measured["openspiel"], "iterations/s", 300),
        _row(
            "Leduc CFR+ v OpenSpiel C++, suits merged", measured["merged"], measured["openspiel"], "iterations/s", None
        ),
        _row(
            "exploitability of a Leduc strategy v pyspiel",
            measured["exploit"],
            measured["openspiel exploit"],
            "/s",
            2000,
        ),
    ]
    rows += _liteefg()
    peer = openspiel_time_to(1e-3)
    for algorithm, target in (("dcfr", 1000), ("cfr+", None)):
        ours = min(time_to(1e-3, algorithm) for _ in range(5))
        name = f"Leduc to 1e-3, {algorithm} v OpenSpiel C++ CFR+"
        rows.append(_row(name, 1 / ours, 1 / peer, "runs/s", target))
    return rows + _nolimit()


def _liteefg() -> list[dict]:
    try:
        peer = liteefg_cfr_plus()
    except ImportError:
        return []
    contestants = {
        "kept": (iterations("leduc", False), 2000),
        "merged": (iterations("leduc", True), 4000),
        "peer": (peer, 100),
    }
    measured = rates(contestants, turns=8, clock=process_time)
    return [
        _row("Leduc CFR+ v LiteEFG, same infosets", measured["kept"], measured["peer"], "iterations/s", 80),
        _row("Leduc CFR+ v LiteEFG, merged", measured["merged"], measured["peer"], "iterations/s", None),
    ]


def _nolimit() -> list[dict]:
    """OpenSpiel's CFR on the same 278,256 information sets; one iteration takes it seconds."""
    import pyspiel

    game = pyspiel.load_game(UNIVERSAL_LEDUC)
    solver = pyspiel.CFRSolver(game)
    solver.evaluate_and_update_policy()
    start = process_time()
    solver.evaluate_and_update_policy()
    peer = 1 / (process_time() - start)
    contestants = {"kept": (iterations("leduc-nolimit", False), 40), "merged": (iterations("leduc-nolimit", True), 100)}
    ours = rates(contestants, clock=process_time)
    return [
        _row("no-limit Leduc CFR+ v OpenSpiel CFR, same infosets", ours["kept"], peer, "iterations/s", 150),
        _row("no-limit Leduc CFR+ v OpenSpiel CFR, suits merged", ours["merged"], peer, "iterations/s", 400),
    ]
