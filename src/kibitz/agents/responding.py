"""Learned best responses as agents: the folder that `kibitz learn best-response` leaves."""

from __future__ import annotations

import numpy as np

from kibitz.agents.base import Named
from kibitz.agents.strategic import parse_settings
from kibitz.errors import AgentError, GameError
from kibitz.games import Game, State, split_actions
from kibitz.learning.model import Model
from kibitz.learning.records import SEATS
from kibitz.learning.responses import Decider, load_response
from kibitz.learning.tables import rules_of
from kibitz.random import Dice

LETTERS = "fcr"


class RespondingAgent(Named):
    """Plays limit hold'em by a learned response, which reads the beliefs of the observer that it learned with."""

    def __init__(self, model: Model, observer: Model, name: str) -> None:
        self.model, self.observer, self.name = model, observer, name
        self._decider: Decider | None = None

    def reset(self, game: Game, seed: int) -> None:
        """A match begins; a game other than limit hold'em is refused."""
        try:
            self._decider = Decider(self.model, rules_of(game), self.observer)
        except GameError as error:
            raise AgentError(f"{self.name} plays limit hold'em: {error}") from None
        self._dice = Dice(seed)

    def act(self, state: State) -> str:
        """An action drawn from the policy's probabilities."""
        if self._decider is None:
            raise AgentError(f"{self.name} was not told what game it plays: reset it first")
        legal, player = state.legal(), state.player
        options = [letter for letter in LETTERS if letter in legal]
        if len(options) == 1:
            return options[0]
        cards = np.zeros(2 * SEATS + 5, dtype=np.uint8)
        cards[2 * player : 2 * player + 2] = state.hole[player]
        cards[2 * SEATS : 2 * SEATS + len(state.board)] = state.board
        actions = [LETTERS.index(action[0]) for action in split_actions(state.history)]
        chances = self._decider.chances(state.game.players, player, cards, actions)
        drawn = self._dice.uniform()
        for letter, chance in zip(LETTERS, chances, strict=True):
            drawn -= chance
            if drawn < 0 and letter in options:
                return letter
        return options[-1]

    def observe(self, state: State, position: int) -> None:
        """The hand is over."""
        self._dice.next_hand()


def load_responding_agent(text: str) -> RespondingAgent:
    """The agent written FOLDER or FOLDER,name=..."""
    path, settings = parse_settings(text)
    name = settings.pop("name", path.resolve().name)
    if settings:
        raise AgentError(f"{', '.join(sorted(settings))} in {text!r}: a learned response has the setting name")
    return RespondingAgent(*load_response(path), name)
