"""A player who rolls every decision out (Sweeney 2012, section 5.1): unseen cards are drawn, and every option is played
out with a learned policy in all seats. It takes the option that wins most.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from kibitz.agents.learned import LimitAgent
from kibitz.agents.settings import read_settings
from kibitz.errors import AgentError, KibitzError
from kibitz.games import Game, State
from kibitz.learning.files import load_model
from kibitz.learning.model import Model
from kibitz.learning.policy import LimitPolicy
from kibitz.learning.rollouts import Simulation, Situation, option_values
from kibitz.learning.states import action_numbers, known_cards
from kibitz.learning.tables import rules_of
from kibitz.policy.base import Cards, Floats, fingerprint_of
from kibitz.random import derive_seed

SAMPLES = 200
MOST_SAMPLES = 1_000_000
SEED = 5  # of all samples, which follow from what the player knows


class RolloutPolicy(LimitPolicy):
    """The option with the largest weighted mean over `samples` samples, each hand being rolled out for itself."""

    def __init__(self, model: Model, name: str, samples: int = SAMPLES) -> None:
        if not 1 <= samples <= MOST_SAMPLES:
            raise AgentError(f"{samples} samples: 1 to {MOST_SAMPLES:,} are possible")
        self.model, self.name, self.samples = model, name, samples
        self.fingerprint = fingerprint_of("rollouts", samples, SEED, model.structure, model.flat)

    def advise(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        situation, simulation = situation_of(state, board), _simulation(self.model, state.game)
        options, place = np.flatnonzero(situation.legal), 2 * situation.actor
        found = np.zeros((3, len(hands)))
        for row, hole in zip(found.T, np.sort(hands, axis=1), strict=True):
            situation.cards[place : place + 2] = hole
            key = derive_seed(SEED, *situation.actions.tolist(), len(board), *board, *hole.tolist())
            values, logs = simulation.roll_out(situation, self.samples, key)
            row[options[int(np.argmax(option_values(values[:, options], logs)))]] = 1.0
        return found


class RolloutAgent(LimitAgent):
    """Plays by rollouts with the policy of a model: what it knows decides what it does."""

    policy: RolloutPolicy

    def __init__(self, model: Model, name: str, samples: int = SAMPLES) -> None:
        super().__init__(RolloutPolicy(model, name, samples))


def situation_of(state: State, board: tuple[int, ...]) -> Situation:
    """What the player to act knows on a board, as rollouts take it; hole cards are those of `state`."""
    player, game, legal = state.player, state.game, state.legal()
    options = np.array(["f" in legal, True, "r" in legal])
    cards, actions = known_cards(state, [player]), action_numbers(state.history)
    cards[20 : 20 + len(board)] = board
    return Situation(game.players, player, state.round, cards, actions, options, np.full(3, 1 / 3))


@lru_cache(maxsize=8)
def _simulation(model: Model, game: Game) -> Simulation:
    """Where decisions of a game are rolled out."""
    return Simulation(model, rules_of(game), game.players)


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
