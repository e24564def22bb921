"""Explore, then exploit: an agent that counts what its opponent does, and later responds to the counts.

A baseline for agents that adapt, in small games (Bard 2016, section 3.1). Only hands that were shown are counted: in
the others nobody knows what the opponent held.

>>> from kibitz.agents import load_agent
>>> load_agent("explore:probe,hands=300").name
'explore-probe'
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from kibitz.agents.base import Agent, Named
from kibitz.agents.settings import read_settings
from kibitz.agents.strategic import draw_action
from kibitz.deals.sampled import ListedDeal
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State, split_actions
from kibitz.policy import Policy, known_policy
from kibitz.policy.card_states import card_states
from kibitz.policy.strategies import CardStates, StrategyPolicy
from kibitz.random import Dice, derive_seed
from kibitz.responses.best_response import best_response
from kibitz.responses.robust import Method, respond
from kibitz.solvers.problem import Problem
from kibitz.strategy import FrequentistModel, Strategy


class ExploringAgent(Named):
    """Plays `explorer` for the first `hands` hands, then a response to what was seen, found anew every `refit` hands.

    p_max   below 1, the response is a data-biased one; at 1 it is the best response to the model
    """

    remembers = True

    def __init__(
        self, explorer: Agent, hands: int = 500, refit: int = 500, p_max: float = 1.0, name: str = "explore"
    ) -> None:
        if hands < 0 or refit < 1:
            raise AgentError(f"hands={hands}, refit={refit}: explore 0 hands or more, and refit after at least one")
        self.name, self.explorer, self.hands, self.refit = name, explorer, hands, refit
        self._method = Method("dbr", p_max)

    def reset(self, game: Game, seed: int) -> None:
        if game.players != 2:
            raise AgentError(f"{self.name} models one opponent, {game.name or 'this game'} has {game.players} players")
        try:
            self._problem = Problem(game)
            deal = self._problem.sampled_deal
        except KibitzError as error:
            raise AgentError(f"{self.name} computes responses at the table, in small games only: {error}") from None
        assert isinstance(deal, ListedDeal)
        self._deal, self._layout = deal, self._problem.vector.layout
        self._counts = np.zeros(self._layout.size)
        self._answer: Strategy | None = None
        self._hand = self._answered = 0
        self._dice = Dice(seed)
        self.explorer.reset(game, derive_seed(seed, 0))

    @property
    def policy(self) -> Policy | None:
        """What it does in this hand, given what it has counted, see `known_policy`; None where nobody knows."""
        if self._hand < self.hands:
            return known_policy(self.explorer)
        return StrategyPolicy(self.answer, self._states, name=self.name)

    @property
    def answer(self) -> Strategy:
        """The response that it plays now."""
        if self._answer is None or self._hand >= self._answered + self.refit:
            self._answer, self._answered = self._respond(), self._hand
        return self._answer

    @cached_property
    def _states(self) -> CardStates:
        return card_states(self.answer)

    def act(self, state: State) -> str:
        if self._hand < self.hands:
            return self.explorer.act(state)
        tree, player = self._layout.tree, state.player
        node = tree.find(state.history)
        held = self._deal.state(player, state.round, state.hole[player], state.board)
        number = draw_action(self.answer.at(node)[:, held].tolist(), self._dice.uniform())
        return tree.offered(node)[number]

    def observe(self, state: State, position: int) -> None:
        self.explorer.observe(state, position)
        if state.hole[1 - position]:
            self._count(state, 1 - position)
        self._hand += 1
        self._dice.next_hand()

    @property
    def model(self) -> FrequentistModel:
        """What it has counted."""
        return FrequentistModel(self._layout, self._counts.copy())

    def _count(self, state: State, other: int) -> None:
        """Count what the opponent, whose cards were shown, did in a hand."""
        layout, node = self._layout, 0
        tree = layout.tree
        for action in split_actions(state.history):
            child = tree.child(node, action)
            if tree.player[node] == other:
                round_ = int(tree.round[node])
                board = state.board[: state.game.board_ends[round_]]
                held = self._deal.state(other, round_, state.hole[other], board)
                number = child - int(tree.first_child[node])
                self._counts[layout.offset[node] + number * layout.states[node] + held] += 1
            node = child

    def _respond(self) -> Strategy:
        model = self.model
        if self._method.amount == 1:
            return best_response(self._problem.vector, model.strategy)[0]
        return respond(self._problem, model, self._method).strategy


def load_exploring_agent(text: str, load: Callable[[str], Agent]) -> ExploringAgent:
    """The agent written AGENT,hands=500,refit=500,p_max=1,name=...; `load` makes the agent that explores."""
    explorer, settings = read_settings(text, ("hands", "refit", "p_max", "name"))
    agent = load(explorer)
    name = settings.pop("name", f"explore-{agent.name}")
    try:
        p_max = float(settings.pop("p_max", "1"))
        whole = {key: int(value) for key, value in settings.items()}
    except ValueError:
        raise AgentError(f"{text!r}: hands and refit are whole numbers, p_max is a probability") from None
    return ExploringAgent(agent, whole.get("hands", 500), whole.get("refit", 500), p_max, name)
