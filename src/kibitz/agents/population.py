"""Bots of a population as agents: `population:NAME`, for limit hold'em with 2 to 10 players."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz.agents.base import Named
from kibitz.agents.settings import read_settings
from kibitz.errors import AgentError, GameError, KibitzError
from kibitz.games import Game, State
from kibitz.learning.population.bots import SHIPPED, Population, load_population
from kibitz.learning.population.records import MEMORY, SCRATCH

from kibitz.learning.records import SEATS, make_record
from kibitz.learning.states import LETTERS, action_numbers, known_cards
from kibitz.learning.tables import rules_of
from kibitz.random import derive_seed

FROM = "from"


class PopulationAgent(Named):
    """Plays one bot, which remembers the habits of each opponent, told apart by the seats between them, in a match."""

    def __init__(self, population: Population, number: int) -> None:
        self._population, self._number = population, number
        self.name = population.names[number]
        self._memory, self._scratch = make_record(MEMORY), make_record(SCRATCH)

    def plays(self, game: Game) -> bool:
        """Whether `game` is limit hold'em, at any stakes."""
        try:
            rules_of(game)
        except GameError:
            return False
        return True

    def reset(self, game: Game, seed: int) -> None:
        """A match begins; a game other than limit hold'em is refused."""
        self._table = rules_of(game).table
        self._seed, self._hand = seed, 0
        self._memory = make_record(MEMORY)

    def act(self, state: State) -> str:
        """What the bot does."""
        cards = known_cards(state, [state.player])
        action = LETTERS[self._follow(state, state.player, self._number, self._memory.copy(), cards)]
        return action if action != "r" or state.legal().max_raise_to else "c"

    def observe(self, state: State, position: int) -> None:
        """The hand is over: remember what everybody did."""
        self._follow(state, position, -1, self._memory, np.zeros(2 * SEATS + 5, dtype=np.uint8))
        self._hand += 1

    def _follow(
        self, state: State, position: int, number: int, memory: npt.NDArray[np.void], cards: npt.NDArray[np.uint8]
    ) -> int:
        from kibitz.learning.population import _kernels

        players, actions = state.game.players, action_numbers(state.history)
        return int(
            _kernels.follow(
                players, players - position, actions, self._population.bots, number, memory, self._scratch, cards,
                self._table, load_scores(), np.uint64(derive_seed(self._seed, self._hand)),
            )
        )  # fmt: skip


def load_population_agent(text: str) -> PopulationAgent:
    """The bot NAME of the populations that are shipped, or NAME,from=FILE."""
    try:
        name, settings = read_settings(text, (FROM,))
        file = settings.get(FROM)
        populations = [load_population(place) for place in ([file] if file else SHIPPED)]
        found = next((each for each in populations if name in each.names), populations[0])
        return PopulationAgent(found, found.index(name))
    except KibitzError as error:
        raise AgentError(f"population:{text}: {error}") from None
