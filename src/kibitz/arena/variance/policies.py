"""Policies that are known: how likely an agent was to act as it did, with any hand it might have held."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from kibitz.agents import Agent
from kibitz.agents.base import plays_as
from kibitz.agents.frequency import ALL_IN, ANY, CALL, FOLD, MIN, FrequencyAgent, legal_policy, raise_size
from kibitz.agents.rules import RuleAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.arena.variance.holdings import Cards
from kibitz.arena.variance.moves import Move, Policy
from kibitz.arena.variance.strategies import StrategyPolicy
from kibitz.arena.variance.strength import hand_qualities
from kibitz.arena.variance.values import fingerprint_of
from kibitz.errors import AgentError
from kibitz.games import Game, Legal, State

BINS = 24  # groups into which sizes drawn at random are put; a group has one value


class FrequencyPolicy:
    """The policy of a `FrequencyAgent`, exactly; raises of any size are grouped."""

    def __init__(self, agent: FrequencyAgent, game: Game) -> None:
        self._rows = agent.policy(game)
        self.fingerprint = fingerprint_of("frequencies", self._rows)

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        legal = state.legal()
        weights = legal_policy(self._rows[state.round, 1 if state.to_call > 0 else 0].tolist(), legal)
        total = sum(weights)
        chances = [weight / total for weight in weights] if total else [0.0, 1.0, *[0.0] * (len(weights) - 2)]
        single: dict[str, float] = {"f": chances[FOLD], "c": chances[CALL]}
        for move in range(MIN, ALL_IN + 1):
            action = "r" if legal.limit else f"r{raise_size(move, state, legal, 0)}"
            single[action] = single.get(action, 0.0) + chances[move]
        groups: dict[tuple[int, int, int], float] = {}
        if chances[ANY] and legal.limit:
            single["r"] += chances[ANY]
        elif chances[ANY]:
            groups = _share(chances[ANY], legal, single)
        ones = np.ones(len(hands))
        found = [Move(action, chance * ones) for action, chance in single.items() if chance > 0]
        return found + [
            Move(f"r{(sizes[0] + sizes[1]) // 2}", chance * ones, sizes) for sizes, chance in groups.items()
        ]


def _share(chance: float, legal: Legal, single: dict[str, float]) -> dict[tuple[int, int, int], float]:
    """`chance` shared among all legal raises: those of `single` get theirs, the rest comes back in groups."""
    low, high = legal.min_raise_to, legal.max_raise_to
    each = chance / (high - low + 1)
    apart = sorted(int(action[1:]) for action in single if action[0] == "r" and single[action] > 0)
    for size in apart:
        single[f"r{size}"] += each
    edges = np.unique(np.linspace(low, high + 1, BINS + 1).astype(int)).tolist()
    groups = {}
    for first, beyond in pairwise(edges):
        count = beyond - first - sum(first <= size < beyond for size in apart)
        if count:
            groups[first, beyond - 1, count] = count * each
    return groups


class RulePolicy:
    """The policy of a `RuleAgent`, exactly."""

    def __init__(self, agent: RuleAgent) -> None:
        self._agent = agent
        self.fingerprint = fingerprint_of("rules", agent.style, agent.RAISE_STEP)

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        style, legal = self._agent.style, state.legal()
        sighted = state.game.sighted[state.player]
        strength = hand_qualities(state.game, hands, board) if sighted else np.full(len(hands), 0.5)
        opponents = state.game.players - 1 - state.folded.bit_count()
        price = state.to_call / (state.pot + state.to_call) if state.to_call > 0 else 0.0
        may_raise = legal.max_raise_to > 0
        worth = strength > style.raise_above + self._agent.RAISE_STEP * state.raises
        raises = np.where(worth, style.aggression if may_raise else 0.0, 0.0)
        bluffs = style.bluffing if may_raise and state.raises < 2 else 0.0
        weak = strength < style.continue_above
        stays = np.ones(len(hands), dtype=bool) if state.to_call <= 0 else (strength**opponents > price) & ~weak
        calls = np.where(stays, np.where(weak, 1.0 - bluffs, 1.0), 0.0) * (1.0 - raises)
        folds = np.where(stays, 0.0, 1.0 - bluffs) * (1.0 - raises)
        found = [Move("f", folds), Move("c", calls), Move(self._agent._raise(state, legal), 1.0 - calls - folds)]
        return [move for move in found if move.chances.any()]


def policy_of(agent: Agent, game: Game) -> Policy:
    """What is known of how `agent` plays `game`: of frequency, rule and strategy agents everything."""
    if plays_as(agent, FrequencyAgent):
        return FrequencyPolicy(agent, game)
    if plays_as(agent, RuleAgent):
        return RulePolicy(agent)
    if isinstance(agent, StrategyAgent):
        if not agent.plays(game):
            raise AgentError(f"{agent.name} is a strategy of {agent.strategy.layout.tree.game.name or 'another game'}")
        return StrategyPolicy(agent, agent._states)
    raise AgentError(f"{agent.name}: only of frequency, rule and strategy agents is the policy known")
