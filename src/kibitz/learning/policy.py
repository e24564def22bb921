"""What an agent from self-play does with each hand: the observer follows the betting, the policy looks at cards."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.errors import AgentError, GameError, KibitzError
from kibitz.games import Game, State
from kibitz.learning.desk import Desk
from kibitz.learning.model import Model
from kibitz.learning.records import SEATS
from kibitz.learning.states import LETTERS, action_numbers
from kibitz.learning.tables import TableRules, rules_of
from kibitz.policy import Action, Policy
from kibitz.policy.base import Cards, Floats, fingerprint_of, free_hands
from kibitz.policy.hands import check_real_hands
from kibitz.tree import build_tree

if TYPE_CHECKING:
    from kibitz.policy.beliefs import Chances
    from kibitz.policy.boards import BoardPolicy

Table = npt.NDArray[np.float32]
_BOARD_CARDS = (0, 3, 4, 5)
_EMPTY: npt.NDArray[np.uint8] = np.zeros((0, 2), dtype=np.uint8)


class DecisionKey(NamedTuple):
    """A decision as a key: its number in the tables of its player, and how many actions it has."""

    tables: BoardPolicy
    number: int
    actions: int


class LimitPolicy(Policy):
    """Limit hold'em for 2 to 10 players by learned weights, at any stakes and with any cap.

    desk   where it sits, with the last decision that was asked for
    """

    desk: Desk

    def check(self, game: Game) -> None:
        """AgentError unless `game` is limit hold'em."""
        self.table(game)

    def table(self, game: Game) -> npt.NDArray[np.void]:
        """The rules of `game` for kernels."""
        return _table(game, self.name)

    def actions(self, state: State) -> tuple[Action, ...]:
        legal = state.legal()
        return tuple(Action(text) for text in LETTERS if text in legal)

    def probabilities(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        actions = self.actions(state)
        found = np.zeros((len(actions), len(hands)))
        free = free_hands(hands, board)
        if len(actions) == 1:
            found[0, free] = 1.0
            return found
        chances = self.advise(state, np.ascontiguousarray(hands[free]), board)
        found[:, free] = chances[[LETTERS.index(action.text) for action in actions]]
        return found

    def advise(self, state: State, hands: Cards, board: tuple[int, ...]) -> Floats:
        """The probabilities of fold, call and raise with each of `hands`, uint8[n, 2]: float64[3, n].

        The records of the decision stay in `desk.work`, with those of the last hand.
        """
        wanted = _BOARD_CARDS[state.round]
        if len(board) < wanted:
            raise AgentError(f"{len(board)} board cards after {state.history!r}: {wanted} are needed")
        self.desk.seat(state.game.players, table=self.table(state.game))
        self.desk.work["cards"][2 * SEATS : 2 * SEATS + wanted] = board[:wanted]
        return self.desk.ask(action_numbers(state.history), hands)


class LearnedPolicy(LimitPolicy):
    """A learned model, which has all seats.

    All that it knows of others is public: the beliefs that the observer has of them after the betting so far.

    observer   the model whose beliefs it reads, where they are not its own
    """

    def __init__(self, model: Model, name: str = "self-play", observer: Model | None = None) -> None:
        self.model, self.name, self.observer = model, name, observer
        read = () if observer is None else (observer.flat,)
        self.fingerprint = fingerprint_of("connectionist", model.structure, model.flat, *read)
        self.desk = Desk(model, TableRules().table, observer)

    def in_game(self, game: Game, menu: str = "full") -> BoardPolicy:
        """Tables of what it does with all hands on a board; `game` must be for two players."""
        from kibitz.learning.board_tables import LearnedTables

        self.check(game)
        check_real_hands(game)
        if self.observer is not None:
            raise AgentError(f"{self.name} reads the beliefs of another observer: it has no tables by board")
        return LearnedTables(self, build_tree(game, menu))

    def key(self, state: State) -> Hashable:
        tables = _tables(self, state.game)
        if tables is None:
            return super().key(state)
        node = tables.tree.find(state.history)
        return DecisionKey(tables, tables.number(node), int(tables.tree.children[node]))

    def chances(self, position: int, holes: Cards, board: tuple[int, ...]) -> Chances:
        by_hand = super().chances(position, holes, board)
        table: Table | None = None

        def at(key: Hashable) -> Table:
            nonlocal table
            if not isinstance(key, DecisionKey):
                return by_hand(key)
            if table is None:
                table = key.tables.table(position, board, holes)
            return table[key.number, : key.actions]

        return at

    def beliefs(self, state: State) -> Floats:
        """What the observer believes of every player: float64[players, card-types], folded ones as they left."""
        self.advise(state, _EMPTY, state.board)
        return np.array(self.desk.work["belief"][: state.game.players])


@lru_cache(maxsize=8)
def _tables(policy: LearnedPolicy, game: Game) -> BoardPolicy | None:
    """The policy in a game for two, by board; None where there are others, or the betting has no end."""
    try:
        return policy.in_game(game)
    except KibitzError:
        return None


@lru_cache(maxsize=64)
def _table(game: Game, name: str) -> npt.NDArray[np.void]:
    """The rules of `game` for kernels; AgentError where it is not limit hold'em."""
    try:
        return rules_of(game).table
    except GameError as error:
        raise AgentError(f"{name} plays limit hold'em: {error}") from None
