"""A player who rolls every decision out (Sweeney 2012, section 5.1): unseen cards are drawn, and every option is played
out with a learned policy in all seats. It takes the option that wins most.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from kibitz.agents.base import Named
from kibitz.agents.settings import read_settings
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.learning.files import load_model
from kibitz.learning.model import Model
from kibitz.learning.rollouts import Simulation, Situation, option_values
from kibitz.learning.states import LETTERS, action_numbers, known_cards
from kibitz.learning.tables import rules_of
from kibitz.random import derive_seed

SAMPLES = 200
MOST_SAMPLES = 1_000_000


class RolloutAgent(Named):
    """Plays by rollouts of `samples` samples with the policy of a model.

    The same seed, hand and decision give the same samples.
    """

    def __init__(self, model: Model, name: str, samples: int = SAMPLES) -> None:
        if not 1 <= samples <= MOST_SAMPLES:
            raise AgentError(f"{samples} samples: 1 to {MOST_SAMPLES:,} are possible")
        self.model, self.name, self.samples = model, name, samples
        self._seed = self._hand = self._decision = 0
        self._simulation: Simulation | None = None

    def reset(self, game: Game, seed: int) -> None:
        """A match begins; a game other than limit hold'em is refused."""
        self._simulation = Simulation(self.model, rules_of(game), game.players)
        self._seed, self._hand, self._decision = seed, 0, 0

    def act(self, state: State) -> str:
        """The option with the largest weighted mean."""
        if self._simulation is None:
            raise AgentError(f"{self.name} was not told what game it plays: reset it first")
        situation = situation_of(state)
        if situation.legal.sum() == 1:
            return "c"
        key = derive_seed(self._seed, self._hand, self._decision)
        self._decision += 1
        values, logs = self._simulation.roll_out(situation, self.samples, key)
        options = np.flatnonzero(situation.legal)
        return LETTERS[options[int(np.argmax(option_values(values[:, options], logs)))]]

    def observe(self, state: State, position: int) -> None:
        """The hand is over."""
        self._hand, self._decision = self._hand + 1, 0


def situation_of(state: State) -> Situation:
    """What the player to act knows, as rollouts take it."""
    player, game = state.player, state.game
    legal = state.legal()
    options = np.array([legal.fold, True, bool(legal.max_raise_to)])
    cards, actions = known_cards(state, [player]), action_numbers(state.history)
    return Situation(game.players, player, state.round, cards, actions, options, np.full(3, 1 / 3))


def load_rollout_agent(text: str) -> RolloutAgent:
    """The agent `FOLDER` or `FOLDER,samples=N`."""
    folder, settings = read_settings(text, ("samples",))
    given = settings.get("samples", str(SAMPLES))
    if not given.isascii() or not given.isdecimal() or len(given) > 9:
        raise AgentError(f"rollout:{text}: settings are samples=N, as in rollout:{folder},samples=500")
    try:
        return RolloutAgent(load_model(Path(folder)), f"rollout-{Path(folder).name}", int(given))
    except KibitzError as error:
        raise AgentError(f"rollout:{text}: {error}") from None
