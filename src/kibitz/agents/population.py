"""Bots of a population as agents: `population:NAME`, for limit hold'em with 2 to 10 players."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from kibitz.agents.base import Named
from kibitz.agents.settings import read_settings
from kibitz.errors import AgentError, GameError, KibitzError
from kibitz.games import Game, State
from kibitz.learning.population.bots import SHIPPED, Population, load_population
from kibitz.learning.population.records import MEMORY, make_bots
from kibitz.learning.records import SEATS, make_record, make_work
from kibitz.learning.states import LETTERS, action_numbers, known_cards
from kibitz.learning.tables import rules_of
from kibitz.policy import Action, Policy
from kibitz.policy.base import Cards, Floats, fingerprint_of, free_hands
from kibitz.random import derive_seed

FROM = "from"
CALL, RAISE = 1, 2
_OWN: npt.NDArray[np.uint8] = np.zeros((0, 2), dtype=np.uint8)  # no other hands than its own are asked for
_NONE: Floats = np.zeros((3, 0))


class BotPolicy(Policy):
    """What a bot does with each hand, given the match so far; strengths are sampled as it samples them to play.

    It remembers the habits of each opponent, told apart by the seats between them.
    """

    def __init__(self, population: Population, number: int) -> None:
        self.name = population.names[number]
        self._bots = make_bots(population.bots[number : number + 1], np.zeros(SEATS))
        self._work = make_work()
        self.begin_match(0)

    def begin_match(self, seed: int) -> None:
        """Nothing is known of anybody; the bot's dice follow from the seed."""
        self._seed, self._hand = seed, 0
        self._remember(make_record(MEMORY))

    def observe(self, state: State, position: int) -> None:
        """A hand is over: remember what everybody did."""
        memory = self._bots.memory.copy()
        self._follow(state, position, memory, None)
        self._hand += 1
        self._remember(memory)

    def choose(self, state: State) -> int:
        """What the player to act does with its cards: the place of its letter."""
        self._work["cards"][0] = known_cards(state, [state.player])
        return self._follow(state, state.player, self._bots.memory.copy(), _OWN)

    def check(self, game: Game) -> None:
        """AgentError unless `game` is limit hold'em."""
        try:
            rules_of(game)
        except GameError as error:
            raise AgentError(f"{self.name} plays limit hold'em: {error}") from None

    def actions(self, state: State) -> tuple[Action, ...]:
        legal = state.legal()
        return tuple(Action(text) for text in LETTERS if text in legal)

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        letters, free = [action.text for action in self.actions(state)], free_hands(hands, board)
        wanted = state.game.board_ends[state.round]
        if len(board) < wanted:
            raise AgentError(f"{len(board)} board cards after {state.history!r}: {wanted} are needed")
        self._work["cards"][0, 2 * SEATS : 2 * SEATS + wanted] = board[:wanted]
        chances = np.zeros((len(LETTERS), int(free.sum())))
        holes = np.ascontiguousarray(hands[free])
        self._follow(state, state.player, self._bots.memory.copy(), holes, chances)
        if "r" not in letters:
            chances[CALL] += chances[RAISE]
        found = np.zeros((len(letters), len(hands)))
        found[:, free] = chances[[LETTERS.index(letter) for letter in letters]]
        return found

    def _remember(self, memory: npt.NDArray[np.void]) -> None:
        self._bots = self._bots._replace(memory=memory)
        self.fingerprint = fingerprint_of("population", self._bots.bots, memory, self._seed, self._hand)

    def _follow(
        self, state: State, position: int, memory: npt.NDArray[np.void], holes: Cards | None, chances: Floats = _NONE
    ) -> int:
        """Have `memory` follow the betting, as seen from a position; what the player to act does.

        holes   hands for which float64[3, n] chances of fold, call and raise are filled; None asks nobody
        """
        from kibitz.learning.population import _kernels

        work, actions, players = self._work, action_numbers(state.history), state.game.players
        work["players"], work["forced_count"], work["asked"] = players, len(actions), holes is not None
        work["forced"][0, : len(actions)] = actions
        key, bots = np.uint64(derive_seed(self._seed, self._hand)), self._bots._replace(memory=memory)
        table = _table(state.game)
        return int(
            _kernels.follow(players - position, key, _OWN if holes is None else holes, chances, bots, work, table)
        )


class PopulationAgent(Named):
    """Plays one bot of a population: `BotPolicy` says how."""

    remembers = True
    policy: BotPolicy  # what it does, see `known_policy`

    def __init__(self, population: Population, number: int) -> None:
        self.policy = BotPolicy(population, number)
        self.name = self.policy.name

    def plays(self, game: Game) -> bool:
        """Whether `game` is limit hold'em, at any stakes."""
        try:
            self.policy.check(game)
        except AgentError:
            return False
        return True

    def reset(self, game: Game, seed: int) -> None:
        """A match begins; a game other than limit hold'em is refused."""
        self.policy.check(game)
        self.policy.begin_match(seed)

    def act(self, state: State) -> str:
        """What the bot does."""
        action = LETTERS[self.policy.choose(state)]
        return action if action != "r" or state.legal().max_raise_to else "c"

    def observe(self, state: State, position: int) -> None:
        """The hand is over: remember what everybody did."""
        self.policy.observe(state, position)


@lru_cache(maxsize=64)
def _table(game: Game) -> npt.NDArray[np.void]:
    """The rules of a game for kernels."""
    return rules_of(game).table


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
