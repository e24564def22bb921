"""Learned best responses as agents: the folder that `kibitz train best-response` leaves."""

from __future__ import annotations

from kibitz.agents.base import Named
from kibitz.agents.settings import read_folder
from kibitz.errors import AgentError, GameError
from kibitz.games import Game, State
from kibitz.learning.model import Model
from kibitz.learning.responses import Decider, load_response
from kibitz.learning.states import LETTERS, action_numbers, draw_letter, known_cards
from kibitz.learning.tables import rules_of
from kibitz.random import Dice


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
        options = "".join(letter for letter in LETTERS if letter in legal)
        if len(options) == 1:
            return options[0]
        cards, actions = known_cards(state, [player]), action_numbers(state.history).tolist()
        chances = self._decider.chances(state.game.players, player, cards, actions)
        return draw_letter(chances, options, self._dice.uniform())

    def observe(self, state: State, position: int) -> None:
        """The hand is over."""
        self._dice.next_hand()


def load_responding_agent(text: str) -> RespondingAgent:
    """The agent written FOLDER or FOLDER,name=..."""
    path, settings = read_folder(text, ("name",))
    name = settings.pop("name", path.resolve().name)
    return RespondingAgent(*load_response(path), name)
