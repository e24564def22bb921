"""The exact value of every point of a small game when all seats play known policies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kibitz.arena.variance.holdings import Cards, Floats, next_boards
from kibitz.arena.variance.moves import moves_of
from kibitz.arena.variance.showdown import settle
from kibitz.arena.variance.values import (
    MOST_LISTED,
    listed_mean_after_deal,
    listed_mean_at_start,
)
from kibitz.games import Game, State
from kibitz.policy import Policy
from kibitz.policy.base import fingerprint_of


class Expectation:
    """What a seat wins on average from here on, all cards being known, when every seat keeps to its policy.

    With it and all policies known, AIVAT leaves no variance. Every point of the hand is worked out once and kept, which
    is meant for games as small as Leduc. The values of a strategy for a larger game are a class with the same methods.
    """

    name = "expectation"

    def __init__(self, policies: Sequence[Policy]) -> None:
        self._policies = tuple(policies)
        self._kept: dict[tuple[str, bytes, tuple[int, ...]], Floats] = {}

    def capacity(self, game: Game) -> int:
        return MOST_LISTED

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.name, *(policy.fingerprint for policy in self._policies))

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats:
        cards = zip(holes, boards, strict=True)
        return np.array([self._worth(state, hole, tuple(board.tolist()))[player] for hole, board in cards])

    def mean_at_start(self, game: Game, player: int) -> float | None:
        return listed_mean_at_start(self, game, player)

    def mean_after_deal(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> Floats | None:
        return listed_mean_after_deal(self, state, player, holes, board)

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
