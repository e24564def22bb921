"""Policies that are known: how likely an agent was to act as it did, with any hand it might have held."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache
from itertools import pairwise
from typing import NamedTuple, Protocol

import numpy as np

from kibitz.agents import Agent
from kibitz.agents.base import plays_as
from kibitz.agents.frequency import ALL_IN, ANY, CALL, FOLD, MIN, FrequencyAgent, legal_policy, raise_size
from kibitz.agents.rules import RuleAgent
from kibitz.agents.strategic import CardStates, StrategyAgent
from kibitz.arena.variance.holdings import Cards, Floats
from kibitz.arena.variance.strength import hand_qualities
from kibitz.arena.variance.values import fingerprint_of
from kibitz.errors import AgentError
from kibitz.games import Deal, Game, Legal, State, split_actions
from kibitz.translation import Tracker, TreePlace, write

BINS = 24  # groups into which sizes drawn at random are put; a group has one value


class Move(NamedTuple):
    """An action or a group of raises, and its chances with each hand.

    action  : what stands for the group when it is valued
    chances : float64[n]
    sizes   : the raises of the group as (smallest, largest, how many), all equally likely; None for a single action
    """

    action: str
    chances: Floats
    sizes: tuple[int, int, int] | None = None

    def covers(self, action: str) -> bool:
        """Whether `action` is of this move; single actions are asked first."""
        if self.sizes is None:
            return action == self.action
        return action[0] == "r" and self.sizes[0] <= int(action[1:]) <= self.sizes[1]

    @property
    def likelihoods(self) -> Floats:
        """The chances of each single action of the move: float64[n]."""
        return self.chances if self.sizes is None else self.chances / self.sizes[2]


class Policy(Protocol):
    """How a seat plays."""

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides the chances."""

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        """What the player to act may do with each of `hands`, uint8[n, hole cards]; single actions come first."""


def find_move(moves: Sequence[Move], action: str) -> Move | None:
    """The move that `action` is, if any."""
    return next((move for move in moves if move.covers(action)), None)


class FunctionPolicy:
    """A function from what the player to act sees to {action: probability}; `key` is its fingerprint."""

    def __init__(self, function: Callable[[State], Mapping[str, float]], key: str) -> None:
        self._function, self.fingerprint = function, fingerprint_of("function", key)

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        player, unknown = state.player, ((),) * state.game.players
        chances: dict[str, list[float]] = {}
        for row, hand in enumerate(hands.tolist()):
            hole = (*unknown[:player], tuple(hand), *unknown[player + 1 :]) if state.game.sighted[player] else unknown
            for action, chance in self._function(state._replace(deal=Deal(hole, board))).items():
                chances.setdefault(action, [0.0] * len(hands))[row] = chance
        return [Move(action, np.array(each)) for action, each in chances.items()]


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


class _Choice(NamedTuple):
    """An action of a strategy that was taken: child `number` of `node`, in `round`."""

    round: int
    node: int
    number: int


class _Way(NamedTuple):
    """One thing a player may have meant by all his actions so far, and where it led the abstract hand."""

    tracker: Tracker
    choices: tuple[_Choice, ...] = ()


class StrategyPolicy:
    """The policy of a `StrategyAgent`; refuses hands in which it would throw dice to read a bet.

    Its own actions are followed as it chose them. Where what it did can have been written for several choices (all of
    them too small to be legal, or a call for want of a legal raise), each hand makes each of them as likely as the
    strategy does, and the chances are averaged over them.
    """

    def __init__(self, agent: StrategyAgent, states: CardStates) -> None:
        self._agent, self._states = agent, states
        self._root = TreePlace(agent.strategy.layout.tree)
        self.fingerprint = fingerprint_of("strategy", agent.strategy.values, agent.strategy.layout.cards, agent.reading)

    def moves(self, state: State, hands: Cards, board: tuple[int, ...]) -> list[Move]:
        @cache
        def states(round_: int) -> list[int]:
            then = board[: state.game.board_ends[round_]]
            return [self._states.state(state.player, round_, tuple(hand), then) for hand in hands.tolist()]

        ways = self._ways(state)
        if not ways:  # the strategy never comes here
            return [Move("c", np.ones(len(hands)))]
        chances: dict[str, Floats] = {}
        for way, weights in zip(ways, self._weights(ways, states, len(hands)), strict=True):
            place = _place_of(way.tracker, state)
            if place is None:
                chances["c"] = chances.get("c", 0.0) + weights
                continue
            for number, row in enumerate(self._agent.strategy.at(place.node)[:, states(state.round)]):
                action = write(place, number, state)
                chances[action] = chances.get(action, 0.0) + weights * row
        return [Move(action, each) for action, each in chances.items()]

    def _ways(self, state: State) -> list[_Way]:
        """All that the player to act may have meant so far; none if he would not have done it with any hand."""

        def refuse() -> float:
            raise AgentError(
                f"{self._agent.name} throws dice to read the bets of {state.history}: only agents that read bets by a "
                "det-... mapping can be evaluated, such as NAME=FOLDER,mapping=det-geo, if it also played so"
            )

        ways = [_Way(Tracker(self._root, self._agent.reading, refuse))]
        real = State.start(state.game)
        for action in split_actions(state.history):
            if real.player == state.player:
                ways = [each for way in ways for each in self._chosen(way, real, action)]
            for way in ways:
                way.tracker.follow(real, action)
            real = real.apply(action)
        return ways

    def _chosen(self, way: _Way, real: State, action: str) -> Iterator[_Way]:
        """The ways to go on with the player's own `action`, which the trackers are told of but do not follow yet."""
        place = _place_of(way.tracker, real)
        if place is None:
            if action == "c":
                yield way
            return
        for number, row in enumerate(self._agent.strategy.at(place.node)):
            if write(place, number, real) == action and row.any():
                tracker = copy(way.tracker)
                tracker.choose(action, number)
                yield _Way(tracker, (*way.choices, _Choice(real.round, place.node, number)))

    def _weights(self, ways: Sequence[_Way], states: Callable[[int], list[int]], count: int) -> Floats:
        """How likely each hand has gone each way, given that it went one of them: float64[ways, hands].

        states   gives the card states of all hands in a round
        """
        weights = np.ones((len(ways), count))
        if len(ways) > 1:
            for each, way in zip(weights, ways, strict=True):
                for round_, node, number in way.choices:
                    each *= self._agent.strategy.at(node)[number, states(round_)]
            weights[:, weights.sum(axis=0) == 0] = 1.0  # such a hand is not here: what it does counts for nothing
        return np.asarray(weights / weights.sum(axis=0))


def _place_of(tracker: Tracker, state: State) -> TreePlace | None:
    """Where the player to act in `state` stands in the tree, if anywhere."""
    place = tracker.place_of(state)
    assert place is None or isinstance(place, TreePlace)
    return place


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
