"""Explicit modelling of the opponent in small games: which of several known players is it, and what beats that?

A baseline for agents that adapt (Southey and others 2005; Bard 2016, section 3.1). The models are those of the
opponents of a portfolio. After every hand each is weighed by how likely it would have acted as the opponent did,
private cards that were not shown summed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kibitz.agents.base import Named
from kibitz.agents.portfolios import model_folders
from kibitz.agents.settings import as_number, read_folder
from kibitz.agents.strategic import load_strategy_agent
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State, split_actions
from kibitz.modelling.estimators import Experts
from kibitz.policy.base import Floats, free_hands
from kibitz.policy.strategies import StrategyPolicy
from kibitz.policy.strengths import all_hands
from kibitz.random import Dice
from kibitz.responses.best_response import best_response
from kibitz.solvers.problem import problem_of
from kibitz.strategy import Strategy, realisation

RESPONSES = ("bayes", "map", "thompson")


class ExplicitAgent(Named):
    """Plays best responses to what it believes about the opponent.

    response   bayes: to the average of the models, by their posterior; map: to the likeliest model; thompson: to a
               model that is drawn by the posterior for every hand
    floor      the least likelihood of a hand under any model; with 0 an impossible hand removes a model for good

    posterior  : float64[models]
    """

    remembers = True

    def __init__(
        self, models: Sequence[StrategyPolicy], response: str = "bayes", floor: float = 1e-6, name: str = "explicit"
    ) -> None:
        if response not in RESPONSES:
            raise AgentError(f"response {response!r}: one of {', '.join(RESPONSES)}")
        if not 0 <= floor < 1:
            raise AgentError(f"floor = {floor:g}: a likelihood, from 0 to less than 1")
        self.name, self.response, self.floor = name, response, floor
        self.models = Experts(models)
        for model in models[1:]:
            model.strategy.layout.check_same(models[0].strategy.layout)
        self._problem = problem_of(models[0].strategy)
        if self._problem.game.players != 2:
            raise AgentError(f"{name} models one opponent: {self._problem.game.players} players are too many")
        if self._problem.cards:
            raise AgentError(f"{name} computes best responses at the table: that is for games without buckets")
        self._plans = np.stack([realisation(model.strategy, self._problem.deal) for model in models])
        self._answers = [best_response(self._problem.vector, model.strategy)[0] for model in models]

    def plays(self, game: Game) -> bool:
        """Whether `game` is the one of its models, whatever it is called."""
        return self.models.policies[0].plays(game)

    def reset(self, game: Game, seed: int) -> None:
        self.models.check(game)
        self._dice = Dice(seed)
        self._logs = np.zeros(len(self.models))
        self._answer: Strategy | None = None

    @property
    def posterior(self) -> Floats:
        """How likely each model is."""
        found = np.exp(self._logs - self._logs.max())
        return np.asarray(found / found.sum())

    @property
    def answer(self) -> Strategy:
        """What it plays in this hand."""
        if self._answer is None:
            self._answer = self._respond()
        return self._answer

    @property
    def policy(self) -> StrategyPolicy:
        """What it does in this hand, given all that it has seen, see `known_policy`."""
        return StrategyPolicy(self.answer, self.models.policies[0].states, name=self.name)

    def act(self, state: State) -> str:
        tree, player = self.models.tree, state.player
        node = tree.find(state.history)
        held = self.models.policies[0].states.state(player, state.round, state.hole[player], state.board)
        number = int(self.answer.at(node)[:, held].argmax())
        return tree.offered(node)[number]

    def observe(self, state: State, position: int) -> None:
        likelihood = np.maximum(self._likelihood(state, position), self.floor)
        if likelihood.any():  # where all are refuted, the hand tells nothing
            with np.errstate(divide="ignore"):  # a model that is refuted has the weight 0
                logs = self._logs + np.log(likelihood)
            if np.isfinite(logs).any():
                self._logs = logs - logs.max()
        self._answer = None
        self._dice.next_hand()

    def _respond(self) -> Strategy:
        if self.response == "map":
            return self._answers[int(self._logs.argmax())]
        posterior = self.posterior
        if self.response == "thompson":
            drawn = int(np.searchsorted(np.cumsum(posterior), self._dice.uniform(), side="right"))
            return self._answers[min(drawn, len(posterior) - 1)]
        average = Strategy.from_sums(self._problem.vector.layout, posterior @ self._plans)
        return best_response(self._problem.vector, average)[0]

    def _likelihood(self, state: State, position: int) -> Floats:
        """How likely each model acts as the opponent did, averaged over the hands that it may hold: float64[models]."""
        game, tree = state.game, self.models.tree
        shown = state.hole[1 - position]
        hands = np.array([sorted(shown)], dtype=np.uint8) if shown else all_hands(game)
        hands = hands[free_hands(hands, (*state.hole[position], *state.board))]
        reach, node = np.ones((len(self.models), len(hands))), 0
        for action in split_actions(state.history):
            child = tree.child(node, action)
            if tree.player[node] != position:
                player, round_ = int(tree.player[node]), int(tree.round[node])
                board = state.board[: game.board_ends[round_]]
                states = self.models.states(player, round_, hands, board)
                reach *= self.models.row(node, child - int(tree.first_child[node]), states)
            node = child
        return np.asarray(reach.mean(axis=1))


def load_explicit_agent(text: str) -> ExplicitAgent:
    """The agent written FOLDER,response=bayes,floor=1e-6,name=...; the folder is that of a portfolio."""
    folder, settings = read_folder(text, ("response", "floor", "name"))
    name = settings.pop("name", f"{folder.resolve().name}-{settings.get('response', 'bayes')}")
    floor = as_number(settings.get("floor", "1e-6"), "floor", text)
    models = []
    for model, path in model_folders(folder).items():
        try:
            models.append(_load(path, model))
        except KibitzError as error:
            raise AgentError(f"the model of {model} in {folder} cannot be used: {error}") from None
    return ExplicitAgent(models, settings.get("response", "bayes"), floor, name)


def _load(path: Path, name: str) -> StrategyPolicy:
    agent = load_strategy_agent(str(path))
    return StrategyPolicy(agent.strategy, agent.policy.states, name=name)
