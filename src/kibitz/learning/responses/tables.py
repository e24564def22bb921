"""Tables at which a learner sits with agents of any kind, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from kibitz.errors import KibitzError
from kibitz.games import Deal, Game, State
from kibitz.learning.desk import Desk
from kibitz.learning.model import Model
from kibitz.learning.records import SEATS
from kibitz.learning.states import LETTERS
from kibitz.learning.tables import TableRules, rules_of
from kibitz.random import derive_seed

Floats = npt.NDArray[np.float64]
BOARD = 2 * SEATS


class Opponent(Protocol):
    """One who plays a seat, as `kibitz.agents.Agent`."""

    name: str

    def reset(self, game: Game, seed: int) -> None: ...

    def act(self, state: State) -> str: ...

    def observe(self, state: State, position: int) -> None: ...


class RecordedDeal(NamedTuple):
    """A deal that was played: cards as in scratch memory, actions (0 fold, 1 call, 2 raise), and the learner's seat."""

    players: int
    cards: npt.NDArray[np.uint8]
    actions: list[int]
    seat: int


class Decider:
    """What a policy does in a hand of the real engine.

    observer   whose beliefs it reads; its own where none is given
    """

    def __init__(self, model: Model, rules: TableRules, observer: Model | None = None) -> None:
        self._desk = Desk(model, rules.table, observer)

    def chances(self, players: int, seat: int, cards: npt.NDArray[np.uint8], actions: Sequence[int]) -> Floats:
        """Probabilities of fold, call and raise of whoever is to act after `actions`; `seat` is his.

        cards   as in scratch memory; only his own and the board so far are looked at
        """
        self._desk.seat(players, cards)
        return self._desk.ask(actions, cards[None, 2 * seat : 2 * seat + 2].copy(), 1 << seat)[:, 0]


@dataclass
class AgentTable:
    """One learner and opponents of any kind in a limit game, the learner's seat going round.

    Opponents are reset before every batch: a batch depends on its number alone, and none of them learns for long.
    """

    game: Game
    opponents: Sequence[Opponent]
    seed: int = 0

    def __post_init__(self) -> None:
        if len(self.opponents) != self.game.players - 1:
            raise KibitzError(
                f"{len(self.opponents)} opponents: a learner at a table of {self.game.players} has "
                f"{self.game.players - 1}"
            )
        self.rules = rules_of(self.game)

    def play(self, decider: Decider, batch: int, hands: int) -> list[RecordedDeal]:
        """The hands of batch number `batch`."""
        key = derive_seed(self.seed, 5, batch)
        for number, opponent in enumerate(self.opponents):
            opponent.reset(self.game, derive_seed(key, number))
        rng = np.random.Generator(np.random.PCG64(derive_seed(key, len(self.opponents))))
        return [self._play_hand(decider, (batch * hands + hand) % self.game.players, rng) for hand in range(hands)]

    def _play_hand(self, decider: Decider, seat: int, rng: np.random.Generator) -> RecordedDeal:
        players = self.game.players
        dealt = [int(card) for card in rng.permutation(52)[: 2 * players + 5]]
        cards = np.zeros(BOARD + 5, dtype=np.uint8)
        cards[: 2 * players], cards[BOARD:] = dealt[: 2 * players], dealt[2 * players :]
        deal = Deal(tuple((dealt[2 * p], dealt[2 * p + 1]) for p in range(players)), tuple(dealt[2 * players :]))
        state, actions = State.start(self.game, deal), list[int]()
        agents = [*self.opponents[:seat], None, *self.opponents[seat:]]
        while not state.finished:
            agent = agents[state.player]
            if agent is None:
                fold, call, _ = decider.chances(players, seat, cards, actions)
                drawn = rng.random()
                action = 0 if drawn < fold else 1 if drawn < fold + call else 2
                text = LETTERS[action]
                if text not in state.legal():
                    text = "c"
            else:
                text = agent.act(state.seen_by(state.player))
            state = state.apply(text)
            actions.append(LETTERS.index(text[0]))
        for position, agent in enumerate(agents):
            if agent is not None:
                agent.observe(state.seen_by(position), position)
        return RecordedDeal(players, cards, actions, seat)
