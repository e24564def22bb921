"""What an agent does with every hand, as a strategy of a betting tree: for those who measure it in the real game."""

from __future__ import annotations

import numpy as np

from kibitz.agents.base import Agent
from kibitz.agents.frequency import ANY, CALL, FOLD, MIN, FrequencyAgent, legal_policy, raise_size
from kibitz.agents.registry import load_agent
from kibitz.agents.strategic import StrategyAgent
from kibitz.errors import AgentError
from kibitz.games import Game, State
from kibitz.solvers.real.policy import HandPolicy, blind_layout
from kibitz.strategy import Strategy
from kibitz.tree import Tree, build_tree


def load_hand_policy(text: str, game: Game, menu: str = "fcpa") -> HandPolicy:
    """The policy of an agent by name, or of the strategy in a folder.

    game, menu   make the betting tree of an agent of fixed frequencies; a strategy has its own, of the same game
    """
    agent = load_agent(text)
    if isinstance(agent, StrategyAgent) and not agent.plays(game):
        own = agent.strategy.layout.tree.game
        raise AgentError(f"{agent.name} plays {own.name or 'another game'}, not {game.name or 'this one'}")
    tree = None if isinstance(agent, StrategyAgent) else build_tree(game, menu)
    return hand_policy(agent, tree)


def hand_policy(agent: Agent, tree: Tree | None = None) -> HandPolicy:
    """The policy of an agent that plays a strategy, or of one of fixed frequencies on `tree`."""
    if isinstance(agent, StrategyAgent):
        return HandPolicy.of(agent.strategy)
    if isinstance(agent, FrequencyAgent) and tree is not None:
        return frequency_policy(agent, tree)
    raise AgentError(f"{agent.name} does not tell its probabilities: give a strategy or an agent of fixed frequencies")


def frequency_policy(agent: FrequencyAgent, tree: Tree) -> HandPolicy:
    """An agent that never looks at its cards, on a tree that has all its bets.

    One who raises by any amount raises by any that the tree has, all alike likely: on small menus another player.
    """
    layout, abstraction = blind_layout(tree)
    values = np.zeros(layout.size)
    rows = agent.policy(tree.game)
    for node in tree.decisions.tolist():
        first, count = int(tree.first_child[node]), int(tree.children[node])
        chances = _chances(agent, rows, tree, node, tree.actions[first : first + count])
        begin = int(layout.offset[node])
        values[begin : begin + count] = chances
    return HandPolicy.of(Strategy(layout, values, {"algorithm": agent.name}), abstraction)


def _chances(agent: FrequencyAgent, rows: np.ndarray, tree: Tree, node: int, actions: tuple[str, ...]) -> list[float]:
    """The probabilities of a node's actions."""
    state = State.start(tree.game).play(tree.history(node))
    legal = state.legal()
    weights = legal_policy(rows[state.round, 1 if state.to_call > 0 else 0], legal)
    if sum(weights) <= 0:
        weights[CALL] = 1.0
    chances = dict.fromkeys(actions, 0.0)
    raises = [action for action in actions if action[0] == "r"]
    for move, weight in enumerate(weights):
        if weight <= 0:
            continue
        if move == ANY and raises and not legal.limit:
            for action in raises:
                chances[action] += weight / len(raises)
            continue
        action = {FOLD: "f", CALL: "c"}.get(move, "r")
        if move >= MIN and not legal.limit:
            action = f"r{raise_size(move, state, legal, 0)}"
        if action not in chances:
            offered = ", ".join(actions)
            raise AgentError(f"{agent.name} plays {action} after {state.history!r}, the tree has {offered}")
        chances[action] += weight
    total = sum(chances.values())
    return [chance / total for chance in chances.values()]
