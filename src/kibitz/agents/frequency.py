"""Agents that act with fixed frequencies and never look at their cards.

Their whole behaviour is one array, so the arena can play them in compiled batches; `act` is the same policy one
decision at a time, and both give the same actions for the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kibitz.errors import AgentError
from kibitz.games import Game, Legal, State
from kibitz.random import Dice, mix, unit

# The columns of a policy. A pot fraction x means: call, then add x times the pot after the call.
MOVES = ("fold", "call", "min", "half-pot", "pot", "all-in", "any")
FOLD, CALL, MIN, HALF_POT, POT, ALL_IN, ANY = range(len(MOVES))


def legal_policy(row: Sequence[float], legal: Legal) -> list[float]:
    """`row` with the frequencies of impossible moves set to zero."""
    weights = [float(weight) for weight in row]
    if not legal.fold:
        weights[FOLD] = 0.0
    if not legal.max_raise_to:
        weights[MIN:] = [0.0] * (len(MOVES) - MIN)
    return weights


def choose_move(weights: Sequence[float], chance: float) -> int:
    """The move at `chance` (in [0, 1)) of the cumulative `weights`; calling when none is possible."""
    total = 0.0
    for weight in weights:
        total += weight
    if total <= 0.0:
        return CALL
    target = chance * total
    sum_ = 0.0
    last = CALL
    for move, weight in enumerate(weights):
        if weight > 0.0:
            sum_ += weight
            last = move
            if target < sum_:
                return move
    return last


def raise_size(move: int, state: State, legal: Legal, word: int) -> int:
    """Chips to raise to, over the whole hand."""
    low, high = legal.min_raise_to, legal.max_raise_to
    if move == MIN:
        return low
    if move == ALL_IN:
        return high
    if move == ANY:
        return low + mix(word) % (high - low + 1)
    pot_after_call = state.pot + state.to_call
    size = state.bet + (pot_after_call // 2 if move == HALF_POT else pot_after_call)
    return min(max(size, low), high)


class FrequencyAgent:
    """Plays each move with a fixed frequency per round, one row when facing a bet and one when not.

    table: float64[rounds or 1, 2, 7], rows (free to check, facing a bet), columns `MOVES`; a table of one round
    serves for all. Frequencies of moves that are not possible are shared among the others.
    """

    def __init__(self, table: Sequence[Sequence[Sequence[float]]] | np.ndarray, name: str = "frequencies") -> None:
        self.table = np.asarray(table, dtype=np.float64)
        if self.table.ndim != 3 or self.table.shape[1:] != (2, len(MOVES)):
            raise AgentError(f"a table of shape {self.table.shape}: (rounds or 1, 2, {len(MOVES)}) is needed")
        if not np.isfinite(self.table).all() or (self.table < 0).any():
            raise AgentError("frequencies must be finite and not negative")
        self.name = name

    @classmethod
    def of(cls, name: str, free: Mapping[str, float], facing: Mapping[str, float]) -> FrequencyAgent:
        """An agent with the same frequencies, by name of the move, in all rounds."""
        unknown = (set(free) | set(facing)) - set(MOVES)
        if unknown:
            raise AgentError(f"unknown moves {', '.join(sorted(unknown))}; known: {', '.join(MOVES)}")
        return cls([[[row.get(move, 0.0) for move in MOVES] for row in (free, facing)]], name)

    def policy(self, game: Game) -> np.ndarray:
        """The frequencies for every round of `game`: float64[rounds, 2, 7]."""
        if len(self.table) not in (1, game.rounds):
            raise AgentError(f"{self.name} has frequencies for {len(self.table)} rounds; the game has {game.rounds}")
        return np.ascontiguousarray(np.broadcast_to(self.table, (game.rounds, 2, len(MOVES))))

    def reset(self, game: Game, seed: int) -> None:
        self._rows = self.policy(game).tolist()
        self._dice = Dice(seed)

    def act(self, state: State) -> str:
        word = self._dice.word()
        legal = state.legal()
        row = self._rows[state.round][1 if state.to_call > 0 else 0]
        move = choose_move(legal_policy(row, legal), unit(word))
        if move == FOLD:
            return "f"
        if move == CALL:
            return "c"
        return "r" if legal.limit else f"r{raise_size(move, state, legal, word)}"

    def observe(self, state: State, position: int) -> None:
        self._dice.next_hand()


def random_agent() -> FrequencyAgent:
    """Folds, calls or raises with equal chances, any legal size being as likely as any other."""
    return FrequencyAgent.of("random", {"call": 1, "any": 1}, {"fold": 1, "call": 1, "any": 1})


def always_call() -> FrequencyAgent:
    """Checks and calls."""
    return FrequencyAgent.of("always-call", {"call": 1}, {"call": 1})


def always_raise() -> FrequencyAgent:
    """Bets and raises the size of the pot, and calls when it may not."""
    return FrequencyAgent.of("always-raise", {"pot": 1}, {"pot": 1})


def always_fold() -> FrequencyAgent:
    """Folds to every bet and checks when that is free."""
    return FrequencyAgent.of("always-fold", {"call": 1}, {"fold": 1})


def example_player() -> FrequencyAgent:
    """The ACPC's example player: 6 % folds, the rest calls and raises of any size in equal parts."""
    return FrequencyAgent.of("example-player", {"call": 0.47, "any": 0.47}, {"fold": 0.06, "call": 0.47, "any": 0.47})
