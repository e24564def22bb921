"""How fast the dealer deals: whole matches over loopback between processes, and the engine alone."""

from __future__ import annotations

import subprocess
import sys
import time

from kibitz.agents import load_agent
from kibitz.arena.local import play_locally
from kibitz.arena.plan import MatchPlan
from kibitz.arena.server import Dealer
from kibitz.games import load_game

# (game, hands, agent on every seat); a hand takes 3.6, 6.4 and 4.1 decisions.
MATCHES = (
    ("holdem-nolimit-2p", 3000, "random"),
    ("holdem-nolimit-2p", 2000, "example-player"),
    ("leduc", 3000, "random"),
)


def plan_of(game: str, hands: int) -> MatchPlan:
    rules = load_game(game)
    return MatchPlan(rules, hands, 0, tuple(f"p{seat}" for seat in range(rules.players)))


def over_tcp(game: str, hands: int, agent: str) -> float:
    """Hands per second, clients in processes of their own, from the first state sent to the last."""
    begun = 0.0

    def record(line: str) -> None:
        nonlocal begun
        begun = begun or time.perf_counter()

    with Dealer(plan_of(game, hands)) as dealer:
        command = [sys.executable, "-c", "from kibitz.cli import main; main()", "acpc", "connect", agent, "127.0.0.1"]
        clients = [
            subprocess.Popen([*command, str(port), "--game", game, "--seed", str(seat)], stdout=subprocess.DEVNULL)
            for seat, port in enumerate(dealer.ports)
        ]
        dealer.run(record)
        seconds = time.perf_counter() - begun
    for client in clients:
        client.wait()
    return hands / seconds


def in_process(game: str, hands: int, agent: str) -> float:
    """Hands per second of the same match with the same log, without messages."""
    plan = plan_of(game, hands)
    agents = [load_agent(agent) for _ in plan.names]
    begun = time.perf_counter()
    play_locally(plan, agents, range(len(agents)), lambda line: None)
    return hands / (time.perf_counter() - begun)


def run() -> list[dict[str, object]]:
    """One row per match and way of playing it, the best of three."""
    rows: list[dict[str, object]] = []
    for match in MATCHES:
        game, _, agent = match
        for way, measure in (("dealer over TCP", over_tcp), ("the same match in one process", in_process)):
            best = max(measure(*match) for _ in range(3))
            name = f"{way}: {game}, {agent} agents"
            rows.append({"name": name, "ours": best, "peer": None, "ratio": None, "unit": "hands/s", "target": None})
    return rows


if __name__ == "__main__":
    for row in run():
        print(f"{row['name']:<70} {row['ours']:>10,.0f} {row['unit']}")
