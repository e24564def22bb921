"""Value functions: what a point of a hand is thought to be worth, all cards being known.

An estimate stays unbiased whatever the value function says, as long as it says it without having seen the hands. Its
fingerprint is therefore taken before the first hand and checked after the last.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from kibitz.games import Game, State
from kibitz.modelling.estimators.holdings import Cards, Floats, all_deals, count_boards, count_holdings, next_boards
from kibitz.modelling.estimators.moves import moves_of
from kibitz.modelling.estimators.showdowns import settle
from kibitz.policy import Policy
from kibitz.policy.base import fingerprint_of

MOST_LISTED = 50_000  # holdings or boards that are listed to take a mean; above, the mean must be known otherwise


class ValueFunction(Protocol):
    """What a point of a hand is worth to a seat, in chips won over the whole hand.

    A method that cannot answer returns None, and nothing is corrected there. It must decide so without looking at cards
    (at `state` and array shapes only), or the estimate would be biased.

    name : what reports call it
    """

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """A hash of all that decides the values."""

    def capacity(self, game: Game) -> int:
        """How many holdings at once it is made for; seats are imagined only up to that."""

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats | None:
        """The value to `player` in each holding, float64[n].

        state  : the betting; its cards are not looked at
        holes  : uint8[n, players, hole cards]
        boards : uint8[n, k]; k may be less than the round of `state` has, while its cards are still to come
        """

    def mean_at_start(self, game: Game, player: int) -> float | None:
        """The mean of `values` over all deals of hole cards, before anybody acts."""

    def mean_after_deal(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> Floats | None:
        """The mean of `values` in each holding over the boards of the round of `state` that can follow `board`."""


def listed_mean_at_start(value: ValueFunction, game: Game, player: int) -> float | None:
    """`mean_at_start` by listing all deals; None where they are too many."""
    if count_holdings(game, game.players) > MOST_LISTED:
        return None
    deals = all_deals(game)
    values = value.values(State.start(game), player, deals.holes, np.empty((len(deals.holes), 0), dtype=np.uint8))
    return None if values is None else deals.mean(values)


class Listed(ABC):
    """A value function that is asked for every holding and every board, so that it is for small games."""

    name = ""

    @property
    @abstractmethod
    def fingerprint(self) -> str: ...

    @abstractmethod
    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats: ...

    def capacity(self, game: Game) -> int:
        return MOST_LISTED

    def mean_at_start(self, game: Game, player: int) -> float | None:
        return listed_mean_at_start(self, game, player)

    def mean_after_deal(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> Floats | None:
        game, size = state.game, state.game.board_ends[state.round]
        if len(holes) * count_boards(game, len(board), size) > MOST_LISTED:
            return None
        boards = [next_boards(game, holding, board, size) for holding in holes]
        each = len(boards[0])
        values = self.values(state, player, np.repeat(holes, each, axis=0), np.concatenate(boards))
        return np.asarray(values.reshape(len(holes), each).mean(axis=1))


class Expectation(Listed):
    """What a seat wins on average from here on, all cards being known, when every seat keeps to its policy.

    With it and all policies known, AIVAT leaves no variance. Every point of the hand is worked out once and kept, which
    is meant for games as small as Leduc. The values of a strategy for a larger game are a class with the same methods.
    """

    name = "expectation"

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies = tuple(policies)
        self._kept: dict[tuple[str, bytes, tuple[int, ...]], Floats] = {}

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.name, *(policy.fingerprint for policy in self._policies))

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats:
        cards = zip(holes, boards, strict=True)
        return np.array([self._worth(state, hole, tuple(board.tolist()))[player] for hole, board in cards])

    def _worth(self, state: State, hole: Cards, board: tuple[int, ...]) -> Floats:
        """Chips of every seat: float64[players]."""
        key = (state.history, hole.tobytes(), board)
        if key not in self._kept:
            self._kept[key] = self._work_out(state, hole, board)
        return self._kept[key]

    def _work_out(self, state: State, hole: Cards, board: tuple[int, ...]) -> Floats:
        game, seats = state.game, range(state.game.players)
        if len(board) < game.board_ends[state.round]:
            boards = next_boards(game, hole, board, game.board_ends[state.round])
            return np.asarray(np.mean([self._worth(state, hole, tuple(each.tolist())) for each in boards], axis=0))
        if state.finished:
            on_board = np.array([board], dtype=np.uint8)
            return np.array([settle(state, seat, hole[None], on_board)[0] for seat in seats])
        worth = np.zeros(game.players)
        for move in moves_of(self._policies[state.player], state, hole[None, state.player], board):
            worth += move.chances[0] * self._worth(state.apply(move.action), hole, board)
        return worth
