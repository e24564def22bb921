"""Agents that act with fixed frequencies and never look at their cards.

Their whole behaviour is one array, so the arena can play them in compiled batches; `act` is the same policy one
decision at a time, and both give the same actions for the same seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from kibitz.agents.base import Named
from kibitz.games import Game, Legal, State
from kibitz.policy.frequencies import ANY, CALL, FOLD, FrequencyPolicy, choose_move, fixed_size, legal_policy
from kibitz.random import Dice, mix, unit


def raise_size(move: int, state: State, legal: Legal, word: int) -> int:
    """Chips to raise to, over the whole hand; `word` is the random word of a raise of any size."""
    if move == ANY:
        return legal.min_raise_to + mix(word) % (legal.max_raise_to - legal.min_raise_to + 1)
    return fixed_size(move, state, legal)


class FrequencyAgent(Named):
    """Plays each move with a fixed frequency: `FrequencyPolicy` explains the table."""

    policy: FrequencyPolicy  # what it does, see `known_policy`

    def __init__(self, table: Sequence[Sequence[Sequence[float]]] | np.ndarray, name: str = "frequencies") -> None:
        self.policy = FrequencyPolicy(table, name)
        self.name = name

    @classmethod
    def of(cls, name: str, free: Mapping[str, float], facing: Mapping[str, float]) -> FrequencyAgent:
        """An agent with the same frequencies, by name of the move, in all rounds."""
        return cls(FrequencyPolicy.of(name, free, facing).table, name)

    def reset(self, game: Game, seed: int) -> None:
        self._rows = self.policy.rows(game).tolist()
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


def probe() -> FrequencyAgent:
    """Never folds, and calls or raises alike (by the pot in no-limit games): it sees how others play everywhere.

    Johanson and Bowling 2009; Bard 2016, section 4.2.1.
    """
    return FrequencyAgent.of("probe", {"call": 1, "pot": 1}, {"call": 1, "pot": 1})


def example_player() -> FrequencyAgent:
    """The ACPC's example player: 6 % folds, the rest calls and raises of any size in equal parts."""
    return FrequencyAgent.of("example-player", {"call": 0.47, "any": 0.47}, {"fold": 0.06, "call": 0.47, "any": 0.47})
