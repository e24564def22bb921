"""Implicit agents: a portfolio of twelve experts in Leduc and in 5-bucket limit hold'em, one core, CPU time.

No peer plays one; what is allowed is the project's. Experts are random strategies: how they came about does not matter
for the time. Of decisions and updates the median counts; ratios are allowed time by ours.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np

from kibitz.abstraction.features.cache import cache_folder
from kibitz.agents import Agent
from kibitz.agents.implicit import ImplicitAgent
from kibitz.agents.implicit.tables import TableMatch
from kibitz.agents.strategic import strategy_agent
from kibitz.arena.match import Match
from kibitz.games import AcpcCards, Game, State, load_game
from kibitz.modelling.estimators import Experts
from kibitz.policy.strategies import StrategyPolicy
from kibitz.solvers.problem import Problem
from kibitz.strategy import Layout, Strategy

EXPERTS, HANDS, FEWER = 12, 3_000, 300
DECISION_MS, UPDATE_MS, MATCH_SECONDS, LEDUC_SECONDS = 0.5, 5.0, 20.0, 0.3


class Timed:
    """An agent whose decisions and updates are timed: CPU seconds each."""

    name = "timed"

    def __init__(self, agent: Agent) -> None:
        self.agent, self.decisions, self.updates = agent, [], []

    def reset(self, game: Game, seed: int) -> None:
        self.agent.reset(game, seed)

    def act(self, state: State) -> str:
        begun = process_time()
        action = self.agent.act(state)
        self.decisions.append(process_time() - begun)
        return action

    def observe(self, state: State, position: int) -> None:
        begun = process_time()
        self.agent.observe(state, position)
        self.updates.append(process_time() - begun)


def run() -> list[dict[str, Any]]:
    """Leduc by tables and by the engine; limit hold'em where its cards are at hand."""
    rows = leduc()
    if any((cache_folder() / "abstractions-2").glob("5-bucket/*")):  # which takes minutes to make
        rows += holdem()
    return rows


def leduc() -> list[dict[str, Any]]:
    """Whole matches of 3,000 hands."""
    experts, opponent = made(Problem(load_game("leduc")))
    agent = ImplicitAgent(experts)
    tables = TableMatch(experts, agent.learning, (opponent,))
    tables.play(10, AcpcCards(0), (1, 2))
    by_tables = min(seconds(lambda: tables.play(HANDS, AcpcCards(0), (1, 2))) for _ in range(5))
    by_engine = seconds(
        lambda: list(Match(experts.tree.game, AcpcCards(0), [agent, opponent], [1, 2], hands=HANDS).play_out())
    )
    return [
        row(f"Leduc, {EXPERTS} experts, {HANDS:,} hands by tables v allowed", by_tables, LEDUC_SECONDS, "s"),
        row(f"Leduc, {EXPERTS} experts, {HANDS:,} hands, tables v engine", by_tables, by_engine, "s", None),
    ]


def holdem() -> list[dict[str, Any]]:
    """A decision, an update after a hand, and a match."""
    experts, opponent = made(Problem(load_game("holdem-limit-2p"), cards="5-bucket"))
    timed = Timed(ImplicitAgent(experts))
    for hands in (20, FEWER):  # the first only loads what is needed
        timed.decisions, timed.updates = [], []
        match = Match(experts.tree.game, AcpcCards(0), [timed, opponent], [1, 2], hands=hands)
        whole = seconds(lambda match=match: list(match.play_out()))
    name = f"5-bucket limit hold'em, {EXPERTS} experts"
    return [
        row(f"{name}, decision v allowed", 1000 * float(np.median(timed.decisions)), DECISION_MS, "ms"),
        row(f"{name}, update after a hand v allowed", 1000 * float(np.median(timed.updates)), UPDATE_MS, "ms"),
        row(f"{name}, {HANDS:,} hands v allowed", whole * HANDS / FEWER, MATCH_SECONDS, "s"),
    ]


def made(problem: Problem) -> tuple[Experts, Any]:
    """Random experts of a game, and an opponent."""
    deal, random = problem.sampled_deal, np.random.default_rng(0)
    layout = Layout(problem.tree, deal.counts, deal.fingerprint)
    cards = problem.describe_cards()
    first = strategy_agent(Strategy.from_sums(layout, random.exponential(size=layout.size), cards), "opponent")
    policies = []
    for number in range(EXPERTS):
        strategy = Strategy.from_sums(layout, random.exponential(size=layout.size), cards)
        policies.append(StrategyPolicy(strategy, first.policy.states, name=f"expert-{number}"))
    return Experts(policies), first


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds of some work."""
    begun = process_time()
    work()
    return process_time() - begun


def row(name: str, ours: float, allowed: float, unit: str, target: float | None = 1) -> dict[str, Any]:
    """A row of the table: times, so that smaller is better."""
    return {"name": name, "ours": ours, "peer": allowed, "unit": unit, "ratio": allowed / ours, "target": target}
