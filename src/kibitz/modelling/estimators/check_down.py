"""The check-down value: what a seat would win on average if everybody stayed in to the end.

Equity times pot less what was put in, exactly over all run-outs, side pots and all. Its mean over the next cards is
itself, so the correction of a flop needs no list of flops: the value before the flop *is* the mean of the values after
it. An all-in is thereby settled at its expected value.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from kibitz.games import Game, State
from kibitz.modelling.estimators.holdings import Cards, Floats, count_holdings
from kibitz.modelling.estimators.matchups import Coolers, Matchups
from kibitz.modelling.estimators.showdowns import FEW_TO_COME, Pot, pot_shares, pots_of, standing
from kibitz.modelling.estimators.values import MOST_LISTED, listed_mean_at_start
from kibitz.policy.base import fingerprint_of
from kibitz.policy.strengths import all_hands, hand_qualities

_MOST_KEPT = 16  # shares of pots that are kept for the next question


class CheckDown:
    """The check-down value, for all games. While bets are open, everybody who has not folded is taken to call.

    growth    what each of two players is thought to add to a pot in a round of betting still to come, in pots
    coolers   the value of hole cards before anybody acts, where deals are too many to list; None leaves them alone
    matchups  equities of all pairs of hands before the flop, without which no seat of hold'em is imagined
    """

    name = "check-down"

    def __init__(self, growth: float = 0.1, coolers: Coolers | None = None, matchups: Matchups | None = None) -> None:
        self.growth, self.coolers, self.matchups = growth, coolers, matchups
        self._kept: dict[tuple[object, ...], Floats] = {}

    @property
    def fingerprint(self) -> str:
        parts = [each.fingerprint if each else None for each in (self.coolers, self.matchups)]
        return fingerprint_of(self.name, self.growth, *parts)

    def capacity(self, game: Game) -> int:
        few = game.board_ends[-1] <= FEW_TO_COME
        return MOST_LISTED if few or (self.matchups and self.matchups.serves(game)) else 1

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats | None:
        if not state.history and not _deals_are_few(state.game):
            return self.coolers.values(state.game, player, holes, self.matchups) if self.coolers else None
        if len(boards) == 1 or (boards == boards[0]).all():
            return self._on_board(state, player, holes, tuple(boards[0].tolist()))
        different, which = np.unique(boards, axis=0, return_inverse=True)
        values = np.empty(len(holes))
        for number, board in enumerate(different):
            rows = which.reshape(-1) == number
            found = self._on_board(state, player, holes[rows], tuple(board.tolist()))
            if found is None:
                return None
            values[rows] = found
        return values

    def mean_at_start(self, game: Game, player: int) -> float | None:
        if _deals_are_few(game):
            return listed_mean_at_start(self, game, player)
        return 0.0 if self.coolers else None  # coolers cancel between any two seats

    def mean_after_deal(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> Floats | None:
        return self._on_board(state, player, holes, board)

    def _on_board(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> Floats | None:
        game, left = state.game, standing(state)
        spent = projected(state, left, self.growth)
        paid = float(spent[player] + game.antes_paid[player])
        pots = [pot for pot in pots_of(game, spent, left) if player in pot.contenders]
        if not pots:  # folded, or nothing to win
            return np.full(len(holes), -paid)
        shares = self._shares(game, player, pots, holes, board)
        return None if shares is None else shares @ np.array([float(pot.chips) for pot in pots]) - paid

    def _shares(self, game: Game, player: int, pots: list[Pot], holes: Cards, board: tuple[int, ...]) -> Floats | None:
        if self.matchups is not None and not board and self.matchups.serves(game):
            advantage = self.matchups.advantages(holes[:, player], holes[:, 1 - player])
            alone = np.array([len(pot.contenders) == 1 for pot in pots])
            return np.where(alone, 1.0, (1 + advantage[:, None]) / 2)
        if len(holes) > 1 and game.board_ends[-1] - len(board) > FEW_TO_COME:
            return None
        # The actions of one decision differ in the size of the pots, hardly ever in who plays for them.
        key = (game, player, board, tuple(pot.contenders for pot in pots), holes.shape, holes.tobytes())
        if key not in self._kept:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = pot_shares(game, player, pots, holes, board)
        return self._kept[key]


def projected(state: State, left: tuple[int, ...], growth: float) -> tuple[int, ...]:
    """Chips in at the end by seat: the seats in `left` call open bets, and rounds of betting to come make pots grow."""
    if state.finished:
        return state.spent
    limits, able = state.game.limits, state.able  # who is all-in keeps what is in, even if the bet was lowered since
    called = [
        min(state.bet, limits[p]) if p in left and able >> p & 1 else chips for p, chips in enumerate(state.spent)
    ]
    pot = sum(called) + sum(state.game.antes_paid)
    added = int(pot * ((1 + 2 * growth) ** (state.game.rounds - state.round) - 1) / 2)
    return tuple(min(chips + added, limits[p]) if p in left else chips for p, chips in enumerate(called))


def _deals_are_few(game: Game) -> bool:
    return count_holdings(game, game.players) <= MOST_LISTED


class OwnHand:
    """Pot share by hand strength: s^k of a pot against k opponents, less what was put in; open bets are called.

    s is the chance to beat one random hand: all-in before the flop, on the board as it lies afterwards. Before anybody
    acts, s alone decides: `stake` big blinds are taken to be played for.
    """

    name = "own hand"

    def __init__(self, stake: float = 4.0) -> None:
        self.stake = stake

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.name, "bets called", self.stake)

    def capacity(self, game: Game) -> int:
        return 1

    def values(self, state: State, player: int, holes: Cards, boards: Cards) -> Floats:
        game = state.game
        strengths = np.concatenate(
            [
                hand_qualities(game, hole[None, player], tuple(board.tolist()))
                for hole, board in zip(holes, boards, strict=True)
            ]
        )
        if not state.history:
            return self.stake * game.big_blind * strengths
        left = standing(state)
        # A raise that nobody calls would cost chips and win none: every strong hand's raise would look like a mistake.
        spent = projected(state, left, 0.0)
        worth = np.full(len(holes), -float(spent[player] + game.antes_paid[player]))
        for pot in pots_of(game, spent, left):
            if player in pot.contenders:
                worth += pot.chips * strengths ** (len(pot.contenders) - 1)
        return worth

    def mean_at_start(self, game: Game, player: int) -> float:
        return self.stake * game.big_blind * _mean_strength(game)

    def mean_after_deal(self, state: State, player: int, holes: Cards, board: tuple[int, ...]) -> None:
        """Not known: what opponents hold and have done tells which cards are less likely to come."""


@lru_cache(maxsize=16)
def _mean_strength(game: Game) -> float:
    return float(hand_qualities(game, all_hands(game), ()).mean())
