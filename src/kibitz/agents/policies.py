"""What an agent does with every hand, as a strategy of a betting tree: for those who measure it in the real game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from kibitz.abstraction.features.boards import STREETS
from kibitz.agents.base import Agent, plays_as
from kibitz.agents.frequency import ANY, CALL, FOLD, MIN, FrequencyAgent, legal_policy, raise_size
from kibitz.agents.registry import load_agent
from kibitz.agents.rules import RuleAgent
from kibitz.agents.strategic import StrategyAgent
from kibitz.agents.views import hand_numbers, rule_strengths, unknown_probabilities
from kibitz.errors import AgentError
from kibitz.games import Game, Legal, State
from kibitz.solvers.real.policy import Cards, Floats, HandPolicy, blind_layout, check_real_hands
from kibitz.strategy import Layout, Strategy
from kibitz.tree import DECISION, Tree, build_tree


def load_hand_policy(text: str, game: Game, menu: str = "fcpa") -> HandPolicy:
    """The policy of an agent by name, or of the strategy in a folder.

    game, menu   make the betting tree of an agent of frequencies or rules; a strategy has its own, of the same game
    """
    agent = load_agent(text)
    check_real_hands(game)
    if isinstance(agent, StrategyAgent) and not agent.plays(game):
        own = agent.strategy.layout.tree.game
        raise AgentError(f"{agent.name} plays {own.name or 'another game'}, not {game.name or 'this one'}")
    tree = None if isinstance(agent, StrategyAgent) else build_tree(game, menu)
    return hand_policy(agent, tree)


def hand_policy(agent: Agent, tree: Tree | None = None) -> HandPolicy:
    """The policy of an agent that plays a strategy, or of one of fixed frequencies or rules on `tree`."""
    if isinstance(agent, StrategyAgent):
        return HandPolicy.of(agent.strategy)
    if plays_as(agent, FrequencyAgent) and tree is not None:
        return frequency_policy(agent, tree)
    if plays_as(agent, RuleAgent) and tree is not None:
        return rule_policy(agent, tree)
    raise unknown_probabilities(agent)


def frequency_policy(agent: FrequencyAgent, tree: Tree) -> HandPolicy:
    """An agent that never looks at its cards, on a tree that has all its bets.

    One who raises by any amount needs a tree with every legal one: on fewer it would be another player.
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
    for move, weight in enumerate(weights):
        if weight <= 0:
            continue
        played = _played(move, state, legal)
        if not set(played) <= set(actions):
            text = played[0] if len(played) == 1 else f"anything from {played[0]} to {played[-1]}"
            raise _not_in_tree(agent, text, state, actions, "players of such bets")
        for action in played:
            chances[action] += weight / len(played)
    total = sum(chances.values())
    return [chance / total for chance in chances.values()]


def _played(move: int, state: State, legal: Legal) -> list[str]:
    """The actions, all alike likely, with which an agent of frequencies makes a move."""
    if move < MIN:
        return ["f" if move == FOLD else "c"]
    if legal.limit:
        return ["r"]
    if move == ANY:
        return [f"r{size}" for size in range(legal.min_raise_to, legal.max_raise_to + 1)]
    return [f"r{raise_size(move, state, legal, 0)}"]


def _not_in_tree(agent: Agent, played: str, state: State, actions: tuple[str, ...], whom: str) -> AgentError:
    """The error of one whose bets a tree does not have: on it, it would be another player."""
    return AgentError(
        f"{agent.name} plays {played} after {state.history!r}, the tree has {', '.join(actions)}: "
        f"best responses to {whom} are for limit games, in others there is `kibitz lbr`"
    )


@dataclass(frozen=True, eq=False)
class StrengthClasses:
    """Hands by their strength, cut wherever a rule agent may treat a stronger hand in another way than a weaker one.

    cuts   per round float64[n], ascending; class k has strengths from cuts[k - 1] on and below cuts[k]
    """

    cuts: tuple[Floats, ...]

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """Classes in each round."""
        return np.array([len(cuts) + 1 for cuts in self.cuts])

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the cuts."""
        return sha256(b"strength" + b"|".join(cuts.tobytes() for cuts in self.cuts)).hexdigest()[:16]

    def buckets(self, hole: Cards, board: Cards, round_: int) -> npt.NDArray[np.int32]:
        """The classes of at least one hand uint8[n, 2] on boards uint8[n, k]; hands of a board best stand together."""
        numbers, board = hand_numbers(hole), board[:, : STREETS[round_]]
        found = np.empty(len(hole), dtype=np.int32)
        ends = np.flatnonzero((board[1:] != board[:-1]).any(axis=1)) + 1  # runs of the same board
        for begin, end in pairwise([0, *ends.tolist(), len(hole)]):
            strengths = rule_strengths(tuple(board[begin].tolist()))[numbers[begin:end]]
            found[begin:end] = np.searchsorted(self.cuts[round_], strengths, side="right")
        return found


def rule_policy(agent: RuleAgent, tree: Tree) -> HandPolicy:
    """A rule agent on a tree that has all its bets, which in limit games every tree has.

    It looks at nothing but a hand's strength, and compares it with few numbers: card states are the strengths between.
    """
    cuts: list[set[float]] = [set() for _ in range(tree.game.rounds)]
    states = dict(_decisions(tree))
    for state in states.values():
        cuts[state.round].update(agent.cuts(state))
    classes = StrengthClasses(tuple(np.array(sorted(each)) for each in cuts))
    layout = Layout(tree, np.repeat(classes.counts[:, None], 2, axis=1), classes.fingerprint)
    values = np.zeros(layout.size)
    for node, state in states.items():
        strengths = np.append(0.0, classes.cuts[state.round])  # one of each class
        begin, end, first = int(layout.offset[node]), int(layout.offset[node + 1]), int(tree.first_child[node])
        actions = tree.actions[first : first + int(tree.children[node])]
        block = values[begin:end].reshape(len(actions), -1)
        for action, chances in zip(agent.actions(state), agent.probabilities(state, strengths), strict=True):
            if action in actions:
                block[actions.index(action)] += chances
            elif chances.any():
                raise _not_in_tree(agent, action, state, actions, "rules")
    return HandPolicy.of(Strategy(layout, values, {"algorithm": agent.name}), classes)


def _decisions(tree: Tree) -> Iterator[tuple[int, State]]:
    """The decisions of a tree with their states, parents first."""
    states = {0: State.start(tree.game)}
    for node in tree.decisions.tolist():
        state = states.pop(node)
        yield node, state
        for child in range(int(tree.first_child[node]), int(tree.first_child[node] + tree.children[node])):
            if tree.kind[child] == DECISION:
                states[child] = state.apply(tree.actions[child])
