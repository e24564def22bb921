"""The policy of an agent that plays a strategy of a betting tree, and translates bets that the tree does not have."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from copy import copy
from functools import cache
from typing import NamedTuple

import numpy as np

from kibitz.agents.strategic import CardStates, StrategyAgent
from kibitz.arena.variance.holdings import Cards, Floats
from kibitz.arena.variance.moves import Move
from kibitz.arena.variance.values import fingerprint_of
from kibitz.games import State, split_actions
from kibitz.translation import Reader, TreePlace, write


class _Choice(NamedTuple):
    """An action of a strategy that was taken: child `number` of `node`, in `round`."""

    round: int
    node: int
    number: int


class _Hypothesis(NamedTuple):
    """Where an agent may believe the abstract hand to stand, and how it may have come to that.

    steps : (number among the hypotheses before, chance of the translation, the agent's own choice if it acted)
    """

    reader: Reader
    steps: list[tuple[int, float, _Choice | None]]


class StrategyPolicy:
    """The policy of a `StrategyAgent`, exactly: the mean over all that it may believe about the betting.

    A bet off the menu may be translated in more than one way, each with the chance that the agent's mapping gives it.
    And what the agent did itself may have been written for several choices (all of them too small to be legal, or a
    call for want of a legal raise). Each hand makes each of these hypotheses as likely as the mapping and the strategy
    do, given that it acted as it did.
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

        layers = self._follow(state)
        if not layers[-1]:  # the strategy never comes here
            return [Move("c", np.ones(len(hands)))]
        chances: dict[str, Floats] = {}
        for hypothesis, weights in zip(layers[-1], self._weights(layers, states, len(hands)), strict=True):
            place = hypothesis.reader.tree_place(state)
            if place is None:
                chances["c"] = chances.get("c", 0.0) + weights
                continue
            for number, row in enumerate(self._agent.strategy.at(place.node)[:, states(state.round)]):
                action = write(place, number, state)
                chances[action] = chances.get(action, 0.0) + weights * row
        return [Move(action, each) for action, each in chances.items()]

    def places(self, state: State) -> list[int | None]:
        """The nodes at which the player to act in `state` may believe to stand; None stands for no place left."""
        found = (hypothesis.reader.tree_place(state) for hypothesis in self._follow(state)[-1])
        return [None if place is None else place.node for place in found]

    def _follow(self, state: State) -> list[list[_Hypothesis]]:
        """The hypotheses of the player to act, at the start and after each action so far.

        None are left after an action that he would not have taken with any hand.
        """
        layers = [[_Hypothesis(Reader(self._root, self._agent.reading), [])]]
        real = State.start(state.game)
        for action in split_actions(state.history):
            after: dict[Hashable, _Hypothesis] = {}
            for number, hypothesis in enumerate(layers[-1]):
                own = real.player == state.player
                going_on = self._chosen(hypothesis.reader, real, action) if own else [(hypothesis.reader, None)]
                for reader, choice in going_on:
                    for read in reader.read(real, action):
                        same = after.setdefault(read.key, _Hypothesis(read, []))
                        same.steps.append((number, read.chance, choice))
            layers.append(list(after.values()))
            real = real.apply(action)
        return layers

    def _chosen(self, reader: Reader, real: State, action: str) -> Iterator[tuple[Reader, _Choice | None]]:
        """The choices for which the player's own `action` may stand; readers are told of them."""
        place = reader.tree_place(real)
        if place is None:
            if action == "c":
                yield reader, None
            return
        for number, row in enumerate(self._agent.strategy.at(place.node)):
            if write(place, number, real) == action and row.any():
                told = copy(reader)
                told.choose(action, number)
                yield told, _Choice(real.round, place.node, number)

    def _weights(
        self, layers: Sequence[Sequence[_Hypothesis]], states: Callable[[int], list[int]], count: int
    ) -> Floats:
        """How likely each hypothesis of the last layer is with each hand: float64[hypotheses, hands].

        states   gives the card states of all hands in a round
        """
        if len(layers[-1]) == 1:  # nearly always: cards of earlier rounds need not be looked at
            return np.ones((1, count))
        weights = np.ones((1, count))
        for layer in layers[1:]:
            before, weights = weights, np.zeros((len(layer), count))
            for each, (_reader, steps) in zip(weights, layer, strict=True):
                for number, chance, choice in steps:
                    each += chance * before[number] * self._likelihoods(choice, states)
        weights[:, weights.sum(axis=0) == 0] = 1.0  # such a hand is not here: what it does counts for nothing
        return np.asarray(weights / weights.sum(axis=0))

    def _likelihoods(self, choice: _Choice | None, states: Callable[[int], list[int]]) -> Floats | float:
        if choice is None:
            return 1.0
        return np.asarray(self._agent.strategy.at(choice.node)[choice.number, states(choice.round)])
